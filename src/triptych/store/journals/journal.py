"""Append-only journals: one JSON object per line, safe against `kill -9` at any byte.

Each line is passed to the operating system in one write. A process that is killed therefore loses nothing that it
reported, and leaves at most one incomplete line, the last one. Readers ignore that line, and the next writer removes
it.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Generic, TypeVar

import msgspec

from triptych.errors import DataError, RunFolderError
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.decoded import decode_shared, read_alike
from triptych.store.files.atomic import remedy
from triptych.store.files.run_files import open_own, open_to_read

Record = TypeVar("Record", bound=msgspec.Struct)
_ENCODER = msgspec.json.Encoder()


class Journal(Generic[Record]):
    """Reads a journal with one type of record."""

    def __init__(self, path: Path, kind: type[Record]) -> None:
        self.path = path
        self._decoder = msgspec.json.Decoder(kind)

    def __iter__(self) -> Iterator[Record]:
        """Yield all records in the order of writing. Raises DataError, with file and line, for a corrupt line."""
        return (record for _, record in self.located_records())

    def located_records(self) -> Iterator[tuple[int, Record]]:
        """Yield the position of each line in the file with its record. Raises as iterating."""
        with self.open_file() as file:
            yield from self.located_in(file)

    def located_in(self, file: BinaryIO) -> Iterator[tuple[int, Record]]:
        """Yield the position of each line in the opened file with its record. Raises as iterating."""
        position = 0
        for number, line in enumerate(file, 1):
            try:
                record = self._decoder.decode(line)
            except UNREADABLE as error:
                if not line.endswith(b"\n"):
                    return  # the last line may be incomplete if its writer was killed
                raise _corrupt(f"{self.path}:{number}", error) from None
            yield position, record
            position += len(line)

    def read_at(self, file: BinaryIO, position: int) -> Record:
        """Return the record of the line at a position of the opened file, as `located_records` gave it."""
        file.seek(position)
        try:
            return self._decoder.decode(file.readline())
        except UNREADABLE as error:
            raise _corrupt(f"{self.path}, byte {position}", error) from None

    def read(self) -> list[Record]:
        """Return all records at once; this is faster than iterating."""
        with self.open_file() as file:
            source = file.read()
        try:
            return self._decoder.decode_lines(source)
        except UNREADABLE:
            return list(self)  # line by line, to find the incomplete or corrupt line

    def shared_records(
        self, arranged: Callable[[list[Record]], list[Record]], shared: Callable[[Record], Record]
    ) -> list[Record]:
        """Return all records, arranged, where other journals hold the same lines, or are the same byte by byte.

        Within `keep_files()`, each different line is decoded once, and its record goes through `shared`; the same bytes
        give the same list.
        """
        with self.open_file() as file:
            source = file.read()

        def read() -> list[Record]:
            try:
                responses = decode_shared(source, lambda line: shared(self._decoder.decode(line)))
                return arranged(self._decoder.decode_lines(source) if responses is None else responses)
            except UNREADABLE:
                return arranged(list(self))

        return read_alike(source, read)

    def open_file(self) -> BinaryIO:
        """Open the file; an empty one if it doesn't exist. Raises DataError for a pipe, a device or a folder."""
        try:
            return open_to_read(self.path)
        except (FileNotFoundError, NotADirectoryError):
            return io.BytesIO()
        except OSError as error:
            raise DataError("a journal can't be read", where=self.path, got=error.strerror) from None


class JournalWriter:
    """Appends records. Opening it creates the file if needed, and removes an incomplete last line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._handle = open_own(path, os.O_APPEND)
        except OSError as error:
            raise RunFolderError("a journal can't be opened", where=path, got=error.strerror) from None
        self._size = _repair(self._handle)
        self._synced = self._size

    def append(self, record: msgspec.Struct) -> None:
        """Write one line completely or not at all. Raises RunFolderError if the disk refuses it."""
        line = _ENCODER.encode(record) + b"\n"
        if line.find(b"\n") != len(line) - 1:  # a server's raw JSON may contain line breaks, but only between tokens
            line = line[:-1].replace(b"\n", b" ") + b"\n"
        try:
            written = os.write(self._handle, line)
            while written < len(line):
                written += os.write(self._handle, line[written:])
        except OSError as error:
            os.ftruncate(self._handle, self._size)
            raise RunFolderError(
                "a journal can't be written", where=self.path, got=error.strerror, fix=remedy(error)
            ) from None
        self._size += len(line)

    def sync(self) -> None:
        """Flush the journal to disk, so that a power failure loses nothing."""
        if self._synced != self._size:
            size = self._size
            os.fsync(self._handle)
            self._synced = size

    def close(self) -> None:
        """Flush and close the journal."""
        if self._handle >= 0:
            handle, self._handle = self._handle, -1
            try:
                if self._synced != self._size:
                    os.fsync(handle)
            finally:
                os.close(handle)


def _repair(handle: int) -> int:
    """Remove an incomplete last line, or add its missing line break. Returns the size of the file."""
    size = os.fstat(handle).st_size
    tail_begin = _last_line(handle, size)
    tail = os.pread(handle, size - tail_begin, tail_begin)
    if not tail:
        return size
    try:
        msgspec.json.decode(tail)
    except UNREADABLE:
        os.ftruncate(handle, tail_begin)
        return tail_begin
    os.write(handle, b"\n")
    return size + 1


def _last_line(handle: int, size: int) -> int:
    """Return the position after the last line break."""
    step, end = 1 << 16, size
    while end > 0:
        begin = max(0, end - step)
        newline = os.pread(handle, end - begin, begin).rfind(b"\n")
        if newline >= 0:
            return begin + newline + 1
        end = begin
    return 0


def _corrupt(where: str, error: Exception) -> DataError:
    return DataError(
        "a journal has a line that can't be read",
        where=where,
        got=reason(error),
        fix="restore the file from a backup, or delete the line; its Request is then asked again",
    )
