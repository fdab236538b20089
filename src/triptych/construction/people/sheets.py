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

from triptych.construction.asking.questions import Result
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.people.stage import (
    TASKS,
    Task,
    faults_of_result,
    results_of,
    scale_of,
    several_of,
    tidied,
)
from triptych.construction.tables import read_table
from triptych.errors import DataError, nearest
from triptych.records.harmless import harmless
from triptych.records.repeated_keys import refuse_repeated_keys
from triptych.records.unreadable import UNREADABLE
from triptych.store.files.atomic import write_atomically
from triptych.store.journals.journal import Journal, JournalWriter

YOURS = "your "
LISTED = 40  # faults of a sheet that are named


def open_tasks(folder: BuildFolder, stage: str) -> list[Task]:
    """Return the tasks of a stage that wait for people. Raises DataError if there are none."""
    path = folder.path / "tasks" / f"{stage}.jsonl"
    if not path.is_file():
        waiting = sorted(file.stem for file in path.parent.glob("*.jsonl"))
        text = f"stages with open tasks: {', '.join(waiting)}" if waiting else "no stage has open tasks"
        raise DataError(
            f"the stage {stage!r} has no open tasks", where=folder.path, fix=nearest(stage, waiting) or text
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


class Taken(msgspec.Struct, frozen=True):
    """The outcome of reading a sheet: the number of results; of rows that this person returned before, unchanged; and
    the rows that are about something else than the build asks now, each with its id."""

    results: int
    known: int
    stale: tuple[str, ...]


def take_sheet(folder: BuildFolder, stage: str, path: Path, person: str, *, settles: bool = False) -> Taken:
    """Append a person's rows to the stage's results.

    A row about a task that others have done is taken too: if people disagree, the record waits until somebody settles
    it. `settles`: these rows do so. Rows about an older version of a record are left out and named. If a row is filled
    in wrongly, nothing is written: raises DataError that names the faults of all rows. Raises DataError too if the
    stage asks people nothing.
    """
    tasks = {(task.id, task.shown): task for task in all_tasks(folder, stage)}
    location = folder.path / "results" / f"{stage}.jsonl"
    before = {
        (r.id, r.shown): (r.values, r.settles)
        for each in results_of(location).values()
        for r in each
        if r.person == person
    }
    results: list[Result] = []
    stale: list[str] = []
    faults: list[str] = []
    known = 0
    for number, row in enumerate(read_table(path, ["id", "shown"]), 1):
        filled = {name: text for name, text in _filled(row) if text}
        if not filled:
            continue
        key = (_plain(row["id"]), _plain(row["shown"]))
        if (task := tasks.get(key)) is None:
            stale.append(f"row {number}: {row['id']}")
            continue
        values = tidied({name: _value(text, task.form.get(name)) for name, text in filled.items()}, task.form)
        result = Result(*key, person, values, settles=settles)
        wrong = list(faults_of_result(result, task.form, task.shows))
        faults += [f"row {number} ({row['id']}): {_field_fault(*fault)}" for fault in wrong]
        if not wrong and before.get(key) == (values, settles):
            known += 1
        elif not wrong:
            results.append(result)
    if faults:
        listed = "\n  ".join(faults[:LISTED]) + (f"\n  and {len(faults) - LISTED} more" if len(faults) > LISTED else "")
        raise DataError(
            f"{len(faults):,} faults in the sheet, of which nothing was taken",
            where=path,
            got=listed,
            fix="correct these rows and give the sheet again",
        )
    _append(location, results)
    return Taken(len(results), known, tuple(stale))


def all_tasks(folder: BuildFolder, stage: str) -> list[Task]:
    """Return the tasks of a stage, open and done. Raises DataError if the stage has none."""
    done = list(Journal(folder.stage(stage) / TASKS, Task))
    return done or open_tasks(folder, stage)


def _append(path: Path, results: Sequence[Result]) -> None:
    path.parent.mkdir(exist_ok=True)
    writer = JournalWriter(path)
    try:
        for result in results:
            writer.append(result)
    finally:
        writer.close()


def _field_fault(name: str, got: str, expected: str) -> str:
    return f"{name} is {got}; expected {expected}" if name else got


def _heading(task: Task, name: str) -> str:
    kind = task.form.get(name)
    if (several := several_of(kind)) is not None:
        choices = f" (any of, one per line: {' | '.join(map(str, several))})"
    elif (scale := scale_of(kind)) is not None:
        choices = f" ({scale[0]} to {scale[1]})"
    elif name == "answer" and task.shows.get("options") is not None:
        choices = " (a letter, or the text of an option; several on lines of their own)"
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


def _value(text: str, kind: object) -> Any:
    """Return a cell as the form's type: numbers, and JSON for lists and nested values."""
    if kind in ("text", "media", "spans", None) or (isinstance(kind, list) and str(text).strip()[:1] not in "[{"):
        return text
    try:
        value_ = msgspec.json.decode(text)
    except UNREADABLE:
        if kind == "list" or several_of(kind) is not None:
            return [line.strip() for line in text.split("\n") if line.strip()]
        return text  # `check_result` reports what is wrong with it
    try:
        refuse_repeated_keys(text)
    except msgspec.DecodeError as error:
        raise DataError("a cell of a sheet is ambiguous", got=str(error), fix="keep one of them") from None
    return value_
