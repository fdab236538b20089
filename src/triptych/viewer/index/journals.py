"""A Run's Items and Responses as files of JSON lines: read by the database in bulk, and single lines by their position.

The journals are used where they are. Of a Run whose files the database can't read (a packed Run, a Run whose last line
is incomplete) the index keeps a copy, written from the records.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Generic, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from triptych.errors import DataError
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.files.run_files import MAX_FILE_BYTES, open_to_read

BLOCK = 1 << 20  # bytes that are searched for line ends at once: they stay in a core's cache
Record = TypeVar("Record", bound=msgspec.Struct)


def line_starts(path: Path) -> NDArray[np.int64]:
    """Return the position at which each line of a file begins; empty if there is no file."""
    ends = [np.zeros(1, np.int64)]
    try:
        with open_to_read(path) as file:
            base = 0
            while block := file.read(BLOCK):
                ends.append(np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n")) + base + 1)
                base += len(block)
    except FileNotFoundError:
        return np.zeros(0, np.int64)
    starts = np.concatenate(ends)
    return starts[starts < base]


class Lines(Generic[Record]):
    """Reads single lines of a file of JSON lines, given where they begin."""

    def __init__(self, path: Path, kind: type[Record]) -> None:
        self.path = path
        self._decode = msgspec.json.Decoder(kind).decode
        self._file: BinaryIO | None = None

    def __enter__(self) -> Lines[Record]:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def record_at(self, start: int) -> Record:
        """Return the record whose line begins at this byte. Raises DataError if there is none, or a damaged one."""
        try:
            if self._file is None:
                self._file = open_to_read(self.path)
            self._file.seek(start)
            line = self._file.readline(MAX_FILE_BYTES)
            return self._decode(line)
        except (OSError, *UNREADABLE) as error:
            raise DataError(
                "a line of the Run can't be read",
                where=f"{self.path}, byte {start:,}",
                got=reason(error)[:300],
                fix="restore the file from a backup; if another program is writing it, load the page again",
            ) from None


def write_lines(path: Path, records: Iterable[msgspec.Struct]) -> None:
    """Write records as JSON lines, whole or not at all."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with temporary.open("wb") as file:
        for block in _blocks(records):
            file.write(msgspec.json.Encoder().encode_lines(block))
    temporary.replace(path)


def _blocks(records: Iterable[msgspec.Struct], size: int = 4096) -> Iterator[list[msgspec.Struct]]:
    block: list[msgspec.Struct] = []
    for record in records:
        block.append(record)
        if len(block) == size:
            yield block
            block = []
    yield block
