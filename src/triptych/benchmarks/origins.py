"""Where the Items of a built benchmark come from: `samples.jsonl` and `provenance.jsonl` of its data folder.

Both files may come from somebody else. Names in them are shown and never opened; a line is read only up to LONGEST.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeVar

import msgspec

from triptych.errors import DataError
from triptych.records import Problem
from triptych.records.provenance import Provenance
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.files.run_files import open_to_read
from triptych.store.journals.line_search import lines_beginning_with

SAMPLES, PROVENANCE = "samples.jsonl", "provenance.jsonl"
MAX_LINE_BYTES = 1 << 20  # bytes of a line
_Line = TypeVar("_Line")


# Findings of `check` that compare a folder with what the authors released
_OF_A_RELEASE = ("count", "task-missing", "file-missing", "partial-release", "how-to-apply")


def is_built(data: Path) -> bool:
    """Return whether a data folder (or a file in it) was made by `triptych build`: it has a `provenance.jsonl`."""
    return ((data if data.is_dir() else data.parent) / PROVENANCE).is_file()


def not_compared(problems: Iterable[Problem], data: Path) -> Iterator[Problem]:
    """Yield the findings on a set of one's own: without those that compare it with what the authors released.

    Tasks without questions are one note.
    """
    absent: list[str] = []
    for problem in problems:
        if problem.kind not in _OF_A_RELEASE:
            yield problem
        elif problem.kind.endswith("-missing"):
            absent.append(problem.message)
    if absent:
        more = f" (and {len(absent) - 1} more of this kind)" if len(absent) > 1 else ""
        yield Problem("note", "not-in-this-set", str(data), f"{absent[0]}{more}", rows=len(absent))


class _Sample(msgspec.Struct, frozen=True):
    """A line of `samples.jsonl`: a record, and the Items made of it.

    `*` in `items` stands for what an Item is asked in (modality, prompt); `item` is an id as it is.
    """

    record: str
    item: str = ""
    items: tuple[str, ...] = ()

    def has_item(self, item: str) -> bool:
        return item == self.item or any(fnmatchcase(item, name) for name in self.items)


def origin_of(folder: Path, item: str) -> Provenance | None:
    """Return the provenance of an Item; None if the folder doesn't state it.

    Raises DataError for a damaged file, and for a line longer than LONGEST.
    """
    record = record_of(folder, item)
    return _provenance(folder / PROVENANCE, record) if record is not None else None


def record_of(folder: Path, item: str) -> str | None:
    """Return the id of the record that an Item was made of; None if the folder doesn't state it.

    Raises DataError for a damaged file.
    """
    lines = (_decoded(folder / SAMPLES, line, _Sample) for line in _lines(folder / SAMPLES))
    return next((sample.record for sample in lines if sample.has_item(item)), None)


def provenances(folder: Path) -> Iterator[Provenance]:
    """Yield the provenance of every record; nothing if the folder has none. Raises DataError for a damaged file."""
    for line in _lines(folder / PROVENANCE):
        yield _decoded(folder / PROVENANCE, line, Provenance)


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with open_to_read(path) as file:
            while line := file.readline(MAX_LINE_BYTES + 1):
                if len(line) > MAX_LINE_BYTES:
                    raise DataError("a line is too long", where=path, expected=f"at most {MAX_LINE_BYTES:,} bytes")
                if line.strip():
                    yield line
    except FileNotFoundError:
        return
    except OSError as error:
        raise DataError("the file can't be read", where=path, got=error.strerror) from None


def _provenance(path: Path, record: str) -> Provenance | None:
    """The record's line, by a search of the file's bytes: quick in a file of any length."""
    try:
        beginning = b'{"id":' + msgspec.json.encode(record) + b","
        line = next(lines_beginning_with(path, beginning, MAX_LINE_BYTES), None)
    except OSError as error:
        raise DataError("the file can't be read", where=path, got=error.strerror) from None
    return None if line is None else _decoded(path, line, Provenance)


def _decoded(path: Path, line: bytes, type: type[_Line]) -> _Line:
    try:
        return msgspec.json.decode(line, type=type)
    except UNREADABLE as error:
        raise DataError("a line can't be read", where=path, got=reason(error)[:200]) from None
