"""The released list -> Items, one file at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from triptych.benchmarks.mcs_bench.rows import Report, Row, fault_of, read_rows, to_item
from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.errors import DataError
from triptych.records import Item, Problem
from triptych.records.unreadable import UNREADABLE

# Tasks whose pictures must be read before they are understood (section 4.4), and those with the accurate text
_UNDERSTANDING = ("T2", "T3", "T4", "T5", "T6")
_MARK = re.compile(r"[^\w\s]|_")


def source_files(data: Path) -> list[Path]:
    """Return the question files under `data` (a folder, or one file), by name: JSON lists of rows with `Task_ID`."""
    if data.is_file():
        return [data]
    top = [path for path in sorted(data.glob("*.json")) if is_list(path)]
    return top or [path for path in sorted(data.glob("*/*.json")) if is_list(path)]


def read(
    spec: BenchmarkSpec,
    data: Path,
    tasks: Sequence[TaskSpec],
    report: Report,
    left_out: Callable[[Item], None] | None = None,
) -> Iterator[Item]:
    """Yield the Items of the Tasks, in the files' order. Rows that can't be asked, and repeated ids, are reported and
    left out; `left_out` gets the Items of the latter. Raises DataError if there is no question file.
    """
    files = source_files(data)
    if not files:
        raise DataError(
            "no question file found", where=data, expected="a JSON list with ID, Task_ID, Image, Question_…"
        )
    wanted = {task.id for task in tasks}
    doubled: list[Row] = []
    rows = list(sound_rows(files, report, doubled.append))
    labels = true_texts(rows)
    for row in rows:
        if row.task in wanted:
            yield to_item(row, labels.get(row.path, "") if row.task in _UNDERSTANDING else "")
    if left_out is not None:
        for row in doubled:
            if row.task in wanted:
                left_out(to_item(row))


def sound_rows(files: Sequence[Path], report: Report, left_out: Callable[[Row], None] | None = None) -> Iterator[Row]:
    """Yield the rows of all files that can be asked, each id once; `left_out` gets the others."""
    seen: set[str] = set()
    for path in files:
        for position, row in read_rows(path, report):
            where, task = f"{path}[{position}]", f"mcs_bench/{row.task}" if row.task else ""
            if fault := fault_of(row):
                report(Problem("error", "malformed-row", where, f"ID {row.id}: {fault}", task))
            elif row.item_id in seen:
                report(Problem("error", "id-doubled", where, f"the ID {row.id} occurs twice in this task", task))
                if left_out is not None:
                    left_out(row)
            else:
                seen.add(row.item_id)
                yield row


def true_texts(rows: Sequence[Row]) -> dict[str, str]:
    """Return the text in a picture, by its path: T1's answer, or T3's without punctuation, if there is such a row."""
    punctuated = {row.path: _MARK.sub("", row.target) for row in rows if row.task == "T3"}
    return {**punctuated, **{row.path: row.target for row in rows if row.task == "T1"}}


def is_list(path: Path) -> bool:
    """Return whether a file is a JSON list of rows with `Task_ID`."""
    if not path.is_file():  # reading a pipe would block
        return False
    try:
        content = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
        rows = msgspec.json.decode(content, type=list[dict[str, msgspec.Raw]])
    except (OSError, *UNREADABLE):
        return False
    return bool(rows) and "Task_ID" in rows[0]
