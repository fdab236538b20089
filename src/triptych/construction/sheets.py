"""Tasks for people as a spreadsheet, and the filled-in sheet as results.

A sheet has a row for each open task: the values shown, and a column `your FIELD` for each field of the form. Rows left
empty stay open.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from triptych.construction.folder import BuildFolder
from triptych.construction.people import Task, check_result, scale_of, several_of
from triptych.construction.questions import Result
from triptych.construction.tables import read_table
from triptych.errors import DataError, nearest
from triptych.records.unreadable import UNREADABLE
from triptych.reports.files.csv_files import harmless
from triptych.store.atomic import write_atomically
from triptych.store.journal import Journal, JournalWriter

YOURS = "your "


def open_tasks(folder: BuildFolder, stage: str) -> list[Task]:
    """Return the tasks of a stage that wait for people. Raises DataError if there are none."""
    path = folder.path / "tasks" / f"{stage}.jsonl"
    if not path.is_file():
        waiting = sorted(file.stem for file in path.parent.glob("*.jsonl"))
        told = f"stages with open tasks: {', '.join(waiting)}" if waiting else "no stage has open tasks"
        raise DataError(
            f"the stage {stage!r} has no open tasks", where=folder.path, fix=nearest(stage, waiting) or told
        )
    return list(Journal(path, Task))


def write_sheet(tasks: Sequence[Task], path: Path) -> None:
    """Write open tasks as CSV; cells that a spreadsheet would read as formulas are escaped."""
    shown = list(dict.fromkeys(name for task in tasks for name in task.shows))
    form = list(dict.fromkeys(name for task in tasks for name in task.form))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["id", "shown", *shown, *(_heading(tasks[0], name) for name in form)])
    for task in tasks:
        cells = [task.id, task.shown, *(_cell(task.shows.get(name)) for name in shown)]
        writer.writerow([*map(harmless, cells), *([""] * len(form))])
    write_atomically(
        path, b"\xef\xbb\xbf" + out.getvalue().encode()
    )  # without this mark Excel reads the file as Latin-1


def take_sheet(folder: BuildFolder, stage: str, path: Path, person: str) -> int:
    """Append a person's rows to the stage's results and return their number. If one row is wrong, nothing is written:
    raises DataError with its line, for an unknown task or a value that doesn't fit the form."""
    tasks = {(task.id, task.shown): task for task in open_tasks(folder, stage)}
    results = []
    for number, row in enumerate(read_table(path, ["id", "shown"]), 1):
        filled = {name: text for name, text in _filled(row) if text}
        if not filled:
            continue
        where = f"{path}, row {number}"
        task = tasks.get((_plain(row["id"]), _plain(row["shown"])))
        if task is None:
            fix = "write the sheet again: the task was done, or its record has changed"
            raise DataError("no open task has this id", where=where, got=row["id"], fix=fix)
        values = {name: _value(text, task.form.get(name), where) for name, text in filled.items()}
        result = Result(task.id, task.shown, person, values)
        check_result(result, task.form)
        results.append(result)
    (folder.path / "results").mkdir(exist_ok=True)
    writer = JournalWriter(folder.path / "results" / f"{stage}.jsonl")
    try:
        for result in results:
            writer.append(result)
    finally:
        writer.close()
    return len(results)


def _heading(task: Task, name: str) -> str:
    kind = task.form.get(name)
    if (several := several_of(kind)) is not None:
        choices = f" (any of, one per line: {' | '.join(map(str, several))})"
    elif (scale := scale_of(kind)) is not None:
        choices = f" ({scale[0]} to {scale[1]})"
    else:
        choices = f" ({' | '.join(map(str, kind))})" if isinstance(kind, list) else ""
    return f"{YOURS}{name}{choices}"


def _cell(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _filled(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for heading, text in row.items():
        if heading.startswith(YOURS):
            yield heading.removeprefix(YOURS).partition(" (")[0], _plain(text)


def _plain(text: str) -> str:
    """Return a cell without the mark that escapes formulas."""
    return text[1:] if text.startswith("'") and harmless(text[1:]) == text else text


def _value(text: str, kind: object, where: str) -> Any:
    """Return a cell as the form's type: numbers, and JSON for lists and nested values."""
    if kind in ("text", "media", "spans", None) or (isinstance(kind, list) and text in kind):
        return text
    try:
        return msgspec.json.decode(text)
    except UNREADABLE:
        if kind == "list" or several_of(kind) is not None:
            return [line.strip() for line in text.split("\n") if line.strip()]
        return text  # `check_result` reports what is wrong with it
