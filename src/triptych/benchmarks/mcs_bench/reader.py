"""The released list -> Items, one file at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from triptych.benchmarks.mcs_bench.rows import Report, Row, fault_of, read_rows, to_item
from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.errors import DataError
from triptych.records import Item, Problem
from triptych.records.unreadable import UNREADABLE

# The tasks whose pictures are read before they are understood (section 4.4), and those that tell the true text.
_UNDERSTANDING = ("T2", "T3", "T4", "T5", "T6")
_MARK = re.compile(r"[^\w\s]|_")


def source_files(data: Path) -> list[Path]:
    """The question files under `data` (a folder, or one file): JSON lists whose rows have `Task_ID`, by name."""
    if data.is_file():
        return [data]
    top = [path for path in sorted(data.glob("*.json")) if is_list(path)]
    return top or [path for path in sorted(data.glob("*/*.json")) if is_list(path)]


def read(spec: BenchmarkSpec, data: Path, tasks: Sequence[TaskSpec], report: Report) -> Iterator[Item]:
    """The Items of the Tasks, in the files' order. Rows that can't be asked, and ids that came before, are reported
    and left out. Raises DataError where no question file is there.
    """
    files = source_files(data)
    if not files:
        raise DataError("no question file here", where=data, expected="a JSON list with ID, Task_ID, Image, Question_…")
    wanted = {task.id for task in tasks}
    rows = list(sound_rows(files, report))
    known = true_texts(rows)
    for row in rows:
        if row.task in wanted:
            yield to_item(row, known.get(row.path, "") if row.task in _UNDERSTANDING else "")


def sound_rows(files: Sequence[Path], report: Report) -> Iterator[Row]:
    """The rows of all files that can be asked, each id once."""
    seen: set[str] = set()
    for path in files:
        for position, row in read_rows(path, report):
            where, task = f"{path}[{position}]", f"mcs_bench/{row.task}" if row.task else ""
            if fault := fault_of(row):
                report(Problem("error", "malformed-row", where, f"ID {row.id}: {fault}", task))
            elif row.item_id in seen:
                report(Problem("error", "id-doubled", where, f"the ID {row.id} came before in this task", task))
            else:
                seen.add(row.item_id)
                yield row


def true_texts(rows: Sequence[Row]) -> dict[str, str]:
    """What stands in a picture, by its path: T1's answer, or T3's without its marks, where a row asks for it."""
    punctuated = {row.path: _MARK.sub("", row.target) for row in rows if row.task == "T3"}
    return {**punctuated, **{row.path: row.target for row in rows if row.task == "T1"}}


def is_list(path: Path) -> bool:
    """Whether a file is a JSON list of rows with `Task_ID`."""
    if not path.is_file():  # a pipe would be waited for
        return False
    try:
        content = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
        rows = msgspec.json.decode(content, type=list[dict[str, msgspec.Raw]])
    except (OSError, *UNREADABLE):
        return False
    return bool(rows) and "Task_ID" in rows[0]
