"""The records of a journal found by number, so that a Run is read in any order without holding all of it in memory."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, islice
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Generic, TypeVar

import msgspec

from triptych.errors import DataError
from triptych.records import Item, Response, ResponseStatus
from triptych.records.exchange import MAX_REPEATS
from triptych.records.items import MAX_ITEMS
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.folder import RunFolder
from triptych.store.journals.journal import Journal

Record = TypeVar("Record", bound=msgspec.Struct)
BLOCK = 1 << 22  # bytes read at once
ITEMS_IN_MEMORY = 4_096  # Items held at once


class ItemKey(msgspec.Struct, gc=False):
    """The fields of an Item that say where it belongs; decoding only these is several times faster."""

    id: str
    unit: str = ""
    unit_size: Annotated[int, msgspec.Meta(ge=1, le=MAX_ITEMS)] = 1


class ResponseKey(msgspec.Struct, gc=False):
    """The fields of a Response that say what it replies to."""

    item: str
    condition: str
    repeat: Annotated[int, msgspec.Meta(ge=0, le=MAX_REPEATS)]


class Outcome(ResponseKey):
    """Also the status, which says whether the Request is asked again."""

    status: ResponseStatus


class Lines(Generic[Record]):
    """The lines of an open journal. `read_keys` is read to its end before `take`: it notes where the lines are.

    Lines that another process appends meanwhile are not seen. Raises DataError, with file and line, for a corrupt line;
    an incomplete last line is ignored, as in `Journal`.
    """

    def __init__(self, path: Path, file: BinaryIO, kind: type[Record], key: type[msgspec.Struct]) -> None:
        self._journal, self._file = Journal(path, kind), file
        self._record, self._key = msgspec.json.Decoder(kind), msgspec.json.Decoder(key)
        self._begins, self._sizes = array("q"), array("q")

    def read_keys(self) -> Iterator[Sequence[Any]]:
        """Yield the keys of all lines, a block of the file at a time."""
        position = 0
        for block in line_blocks(self._file):
            ends_whole = block.endswith(b"\n")
            if ends_whole or self._is_whole(block):
                yield self._block_keys(block if ends_whole else block + b"\n", position)
            position += len(block)

    def take(self, numbers: Sequence[int]) -> list[Record]:
        """Return the records with these numbers, in their order."""
        try:
            return self._record.decode_lines(self.raw_lines(numbers))
        except UNREADABLE as error:
            raise self._corrupt_line_error(error) from None

    def raw_lines(self, numbers: Sequence[int]) -> bytes:
        """Return the lines of the records with these numbers, each with its line break."""
        return b"".join([self._bytes(first, last) for first, last in _runs(numbers)])

    def _block_keys(self, block: bytes, position: int) -> list[Any]:
        lines = block.split(b"\n")
        lines.pop()
        try:
            keys = self._key.decode_lines(block)
        except UNREADABLE as error:
            raise self._corrupt_line_error(error) from None
        sizes = [len(line) + 1 for line in lines]
        begins = accumulate(sizes, initial=position)
        if len(keys) == len(lines):
            self._sizes.extend(sizes)
            self._begins.extend(islice(begins, len(sizes)))
            return keys
        for line, begin in zip(lines, begins, strict=False):
            if line.strip():  # an empty line holds no record
                self._begins.append(begin)
                self._sizes.append(len(line) + 1)
        return keys

    def _bytes(self, first: int, last: int) -> bytes:
        begin = self._begins[first]
        data = os.pread(self._file.fileno(), self._begins[last] + self._sizes[last] - begin, begin)
        return data if data.endswith(b"\n") else data + b"\n"

    def _is_whole(self, line: bytes) -> bool:
        try:
            self._record.decode(line)
        except UNREADABLE:
            return False
        return True

    def _corrupt_line_error(self, error: Exception) -> DataError:
        """Return the error that names the corrupt line, which reading the journal line by line finds."""
        try:
            for _ in self._journal:
                pass
        except DataError as data_error:
            return data_error
        return DataError("a journal can't be read", where=self._journal.path, got=reason(error))


class InMemory(Generic[Record]):
    """Records that are in memory, such as those of a packed Run."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._records = records

    def read_keys(self) -> Iterator[Sequence[Record]]:
        """Yield all records: they have the fields of their keys."""
        yield self._records

    def take(self, numbers: Sequence[int]) -> list[Record]:
        """Return the records with these numbers, in their order."""
        return [self._records[number] for number in numbers]

    def raw_lines(self, numbers: Sequence[int]) -> bytes:
        """Return the records with these numbers as lines of JSON."""
        return msgspec.json.Encoder().encode_lines(self.take(numbers))


@contextmanager
def numbered_items(folder: RunFolder) -> Iterator[Lines[Item] | InMemory[Item]]:
    """Open the Items of a Run, packed or not; an Item that was written twice has two numbers."""
    if folder.is_packed:
        yield InMemory(list(folder.items()))
        return
    path = folder.path / "items.jsonl"
    with Journal(path, Item).open_file() as file:
        yield Lines(path, file, Item, ItemKey)


@contextmanager
def numbered_responses(folder: RunFolder) -> Iterator[Lines[Response] | InMemory[Response]]:
    """Open the Responses of a Run, packed or not, with those that were replaced later."""
    with _responses(folder, ResponseKey) as lines:
        yield lines


@contextmanager
def numbered_outcomes(folder: RunFolder) -> Iterator[Lines[Response] | InMemory[Response]]:
    """Open the same lines; their keys have the status, too."""
    with _responses(folder, Outcome) as lines:
        yield lines


@contextmanager
def _responses(folder: RunFolder, key: type[ResponseKey]) -> Iterator[Lines[Response] | InMemory[Response]]:
    if folder.is_packed:
        yield InMemory(list(folder.responses()))
        return
    path = folder.path / "responses.jsonl"
    with Journal(path, Response).open_file() as file:
        yield Lines(path, file, Response, key)


def items_in_order(folder: RunFolder) -> Iterator[Item]:
    """Yield all Items as `RunFolder.items` does, ordered by id, without holding more than some thousands of them."""
    with numbered_items(folder) as items:
        numbers = list(numbers_by_id(items).values())
        for begin in range(0, len(numbers), ITEMS_IN_MEMORY):
            yield from items.take(numbers[begin : begin + ITEMS_IN_MEMORY])


def numbers_by_id(items: Lines[Item] | InMemory[Item]) -> dict[str, int]:
    """Return Item id -> the number of its last line, ordered by id."""
    latest: dict[str, int] = {}
    number = 0
    for block in items.read_keys():
        latest |= {key.id: index for index, key in enumerate(block, number)}
        number += len(block)
    return {id_: latest[id_] for id_ in sorted(latest)}


def line_blocks(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file, many at a time; a last line without a line break comes alone."""
    rest = b""
    while block := file.read(BLOCK):
        block = rest + block
        end = block.rfind(b"\n") + 1
        rest = block[end:]
        yield block[:end]
    if rest:
        yield rest


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield (first, last) of consecutive numbers, which one read fetches together."""
    if not len(numbers):
        return
    first = last = numbers[0]
    for number in numbers[1:]:
        if number != last + 1:
            yield first, last
            first = number
        last = number
    yield first, last
