"""Long sequences of records that are read in several passes without being in memory."""

from __future__ import annotations

import pickle
import tempfile
import weakref
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from threading import Lock
from typing import Generic, TypeVar, overload

from triptych.errors import DataError

Record = TypeVar("Record")
BLOCK = 256  # records that are written together
IN_MEMORY = 16 << 20  # bytes of written records that are kept without a file


class Spooled(Sequence[Record]):
    """A sequence of records that are written when it is made, and read again in each pass.

    In memory are one block of records, the first one, and eight bytes for each other. The first BLOCK records stay the
    objects that they were; the others are read as new, equal objects. They are in an unnamed temporary file, which only
    this process can read and which ends with the sequence. Several threads can read it at the same time.

    Raises DataError if the temporary folder has no space left.
    """

    def __init__(self, records: Iterable[Record]) -> None:
        source = iter(records)
        self._first = list(islice(source, BLOCK))
        self._blocks = _Blocks[Record]()
        self._starts = array("Q", [0])  # of the blocks after the first, and the end of the last
        self._count = len(self._first)
        for block in iter(lambda: list(islice(source, BLOCK)), []):
            self._starts.append(self._blocks.add(block)[1])
            self._count += len(block)
        self._latest = 0, self._first

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Record]:
        for number in range(len(self._starts)):
            yield from self._block(number)

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> list[Record]: ...
    def __getitem__(self, index: int | slice) -> Record | list[Record]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(self._count))]
        position = index + self._count if index < 0 else index
        if not 0 <= position < self._count:
            raise IndexError(index)
        number, within = divmod(position, BLOCK)
        latest = self._latest  # another thread may replace it meanwhile
        if latest[0] != number:
            latest = self._latest = number, self._block(number)
        return latest[1][within]

    def _block(self, number: int) -> list[Record]:
        if number == 0:
            return self._first
        return self._blocks.read(self._starts[number - 1], self._starts[number])


class SpooledGroups(Mapping[str, list[Record]]):
    """Records by group, of which one group is in memory at a time: each look-up makes a new list of its records.

    In memory are up to BLOCK records of each group, and sixteen bytes for each block of the others. Groups are in the
    order of their first records. Raises DataError if the temporary folder has no space left.
    """

    def __init__(self, records: Iterable[Record], group: Callable[[Record], str]) -> None:
        self._blocks = _Blocks[Record]()
        self._written: dict[str, list[tuple[int, int]]] = {}
        self._last: dict[str, list[Record]] = {}
        self.sizes: dict[str, int] = {}
        for record in records:
            name = group(record)
            last = self._last.setdefault(name, [])
            last.append(record)
            self.sizes[name] = self.sizes.get(name, 0) + 1
            if len(last) == BLOCK:
                self._written.setdefault(name, []).append(self._blocks.add(last))
                last.clear()

    def __getitem__(self, name: str) -> list[Record]:
        last = self._last[name]
        written = (self._blocks.read(*span) for span in self._written.get(name, ()))
        return [*(record for block in written for record in block), *last]

    def __iter__(self) -> Iterator[str]:
        return iter(self._last)

    def __len__(self) -> int:
        return len(self._last)


class _Blocks(Generic[Record]):
    """Lists of records in an unnamed temporary file, which ends with this object."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 (it is read in later passes)
        weakref.finalize(self, self._file.close)
        self._lock = Lock()
        self._end = 0

    def add(self, block: list[Record]) -> tuple[int, int]:
        """Write a block; return where it begins and ends."""
        encoded = pickle.dumps(block, pickle.HIGHEST_PROTOCOL)
        start, self._end = self._end, self._end + len(encoded)
        try:
            self._file.write(encoded)
            self._file.flush()  # a full disk is noticed here, not in a later pass
        except OSError as error:
            raise DataError(
                "the temporary file of the records can't be written",
                where=tempfile.gettempdir(),
                got=error.strerror or str(error),
                fix="free space there, or set TMPDIR to a folder with more",
            ) from None
        return start, self._end

    def read(self, start: int, end: int) -> list[Record]:
        """Return a block as new, equal records."""
        with self._lock:
            self._file.seek(start)
            encoded = self._file.read(end - start)
            self._file.seek(self._end)
        block: list[Record] = pickle.loads(encoded)  # of this process, which no other can have changed
        return block


class Again(Generic[Record]):
    """An iterable that is made again for each pass.

    Example:
        >>> squares = Again(lambda: (number * number for number in range(3)))
        >>> list(squares), list(squares)
        ([0, 1, 4], [0, 1, 4])
    """

    def __init__(self, make: Callable[[], Iterator[Record]]) -> None:
        self._make = make

    def __iter__(self) -> Iterator[Record]:
        return self._make()
