"""Tasks for people as a spreadsheet, and the filled-in sheet as results.

A sheet has a row for each open task: the values shown, and a column `your FIELD` for each field of the form. Rows left
empty stay open.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from triptych.construction.asking.questions import Result
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.people import reviews
from triptych.construction.people.stage import (
    TASKS,
    Task,
    distinct_texts,
    faults_of_task,
    multiple_choices,
    results_of,
    scale_of,
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
REPLACE = "give another name if this is another person, or --replace to correct it"


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
    writer.writerow(["id", "shown", *shown, *(heading_of(tasks[0], name) for name in form)])
    for task in tasks:
        cells = [task.id, task.shown, *(_cell(task.shows.get(name)) for name in shown)]
        writer.writerow([*map(harmless, cells), *([""] * len(form))])
    # Without this mark Excel reads the file as Latin-1
    write_atomically(path, b"\xef\xbb\xbf" + out.getvalue().encode())


class Taken(msgspec.Struct, frozen=True):
    """The outcome of reading a sheet: the number of results; of rows that this person returned before, unchanged; the
    rows that are about something else than the build asks now, each with its id; and what is wrong with other rows."""

    results: int
    unchanged: int
    stale: tuple[str, ...]
    faults: tuple[str, ...] = ()


def take_sheet(
    folder: BuildFolder, stage: str, path: Path, person: str, *, settles: bool = False, replaces: bool = False
) -> Taken:
    """Append a person's rows to the stage's results, and return what happened to every row.

    A row about a task that others have done is taken too: if people disagree, the record waits until somebody settles
    it. `settles`: these rows do so. Rows about an older version of a record, and rows that are filled in wrongly, are
    left out and named, all of them; the others are taken. `replaces`: rows may change what this person said before;
    otherwise such a row is a fault, since two people may have given the same name.

    Raises DataError if the stage asks people nothing, if the name can't be used, or if the sheet can't be read.
    """
    tasks = {(task.id, task.shown): task for task in all_tasks(folder, stage)}
    location = folder.path / "results" / f"{stage}.jsonl"
    listed = folder.path / "tasks" / f"{stage}.jsonl"
    again = {(task.id, task.shown) for task in Journal(listed, Task) if task.again}
    returned = results_of(location)
    _check_name(person, {result.person for each in returned.values() for result in each})
    rows = [(number, row, filled) for number, row in enumerate(_rows(path), 1) if (filled := dict(_filled_fields(row)))]
    numbers: dict[tuple[str, str], list[int]] = {}
    for number, row, _ in rows:
        numbers.setdefault(_key(row), []).append(number)
    distinct = distinct_texts(tasks.values())
    results: list[Result] = []
    stale: list[str] = []
    faults: list[str] = []
    accepted = 0
    for number, row, filled in rows:
        key = _key(row)
        if (task := tasks.get(key)) is None:
            stale.append(f"row {number}: {key[0]}")
            continue
        try:
            values = tidied({name: _value(text, task.form.get(name)) for name, text in filled.items()}, task.form)
        except DataError as error:
            faults.append(f"row {number} ({key[0]}): {error.problem}: {error.got}")
            continue
        result = Result(*key, person, values, settles=settles)
        earlier = [each for each in returned.get(key, ()) if each.person == person]
        wrong = [_field_fault(*fault) for fault in faults_of_task(task, result, distinct)]
        wrong += _faults_of_repeats(number, numbers[key])
        same = any((each.values, each.settles) == (values, settles) for each in earlier)
        why = "" if same or wrong or replaces or key in again else _unlike_before(task, earlier, settles=settles)
        wrong += [why] if why else []
        faults += [f"row {number} ({key[0]}): {fault}" for fault in wrong]
        if same and not wrong:
            accepted += 1
        elif not wrong:
            distinct.add(task.id, {**task.shows, **values}, task.checks)
            results.append(result)
    _append(location, results)
    return Taken(len(results), accepted, tuple(stale), tuple(faults))


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


def _rows(path: Path) -> list[dict[str, Any]]:
    rows = read_table(path, [], ["id", "shown"])
    if rows and not any(str(name).startswith(YOURS) for name in rows[0]):
        raise DataError(
            "the sheet has no column to fill in",
            where=path,
            expected=f"columns `{YOURS}FIELD`",
            got=", ".join(rows[0]),
            fix="write the sheet again: `triptych build tasks`",
        )
    return rows


def _key(row: Mapping[str, Any]) -> tuple[str, str]:
    return _unescape_cell(str(row.get("id") or "")), _unescape_cell(str(row.get("shown") or ""))


def _check_name(person: str, names: Collection[str]) -> None:
    """Raise DataError for a name that can't be used, or that somebody else has in another spelling."""
    if not person.strip() or person != person.strip() or not person.isprintable():
        raise DataError("this name can't be used", got=person, expected="a pseudonym, such as R1")
    if other := next((each for each in names if each != person and reviews.same_person(each, person)), None):
        raise DataError(
            f"{person!r} and {other!r} differ only in case, width or spaces",
            expected="one name for each person",
            fix=f"--person {other} if this is the same person, otherwise another name",
        )


def _unlike_before(task: Task, earlier: Sequence[Result], *, settles: bool) -> str:
    """Return why a person can't return something else about a record than before; empty if they can."""
    if settles and any(not each.settles for each in earlier):
        return f"{earlier[0].person} reviewed this record; expected another person to settle it"
    sound = [each for each in earlier if each.settles == settles and not list(faults_of_task(task, each))]
    return f"{sound[0].person} has returned something else about this record; {REPLACE}" if sound else ""


def _faults_of_repeats(number: int, numbers: Sequence[int]) -> list[str]:
    others = ", ".join(str(each) for each in numbers if each != number)
    return [f"row {others} is about the same record; expected one row for each record"] if others else []


def _field_fault(name: str, got: str, expected: str) -> str:
    return f"{name} is {got}; expected {expected}" if name else got


def heading_of(task: Task, name: str) -> str:
    """Return the heading of the column for a field of a task's form."""
    kind = task.form.get(name)
    if (several := multiple_choices(kind)) is not None:
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


def _filled_fields(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the fields that were filled in, with their cells."""
    for heading, text in row.items():
        if heading.startswith(YOURS) and (cell := _unescape_cell(str(text))):
            yield heading.removeprefix(YOURS).partition(" (")[0], cell


def _unescape_cell(text: str) -> str:
    """Return a cell without the mark that escapes formulas."""
    return text[1:] if text.startswith("'") and harmless(text[1:]) == text else text


def _value(text: str, kind: object) -> Any:
    """Return a cell as the form's type: numbers, and JSON for lists and nested values."""
    if kind in ("text", "media", "spans", None) or (isinstance(kind, list) and str(text).strip()[:1] not in "[{"):
        return text
    try:
        value_ = msgspec.json.decode(text)
    except UNREADABLE:
        if kind == "list" or multiple_choices(kind) is not None:
            return [line.strip() for line in text.split("\n") if line.strip()]
        return text  # `check_result` reports what is wrong with it
    try:
        refuse_repeated_keys(text)
    except msgspec.DecodeError as error:
        raise DataError("a cell of a sheet is ambiguous", got=str(error), fix="keep one of them") from None
    return value_
