"""The records between two stages, held in a fraction of the memory that as many dictionaries need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

from triptych.construction.record import Record

_TAKEN: tuple[Any, ...] = ("-", (), ())  # in the place of a record that was taken


class HeldRecords(Sequence[Record]):
    """Records in order. Those with fields of the same names share the names, and each keeps a tuple of its values.

    A Record is made whenever it is read, so it isn't the same object each time; its values are.
    """

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._rows: list[tuple[Any, ...]] = []
        self._names: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._last: tuple[int, Record] | None = None
        self.extend(records)

    def extend(self, records: Iterable[Record]) -> None:
        """Add records at the end, each of which is taken and not kept."""
        names_of = self._names
        for record in records:
            fields = record.fields
            names = tuple(fields)
            self._rows.append((record.id, record.sources, names_of.setdefault(names, names), *fields.values()))

    def take_records(self) -> Iterator[Record]:
        """Yield the records, each of which is then no longer held, so that two stages' are never there at once."""
        for number in range(len(self._rows)):
            yield self._read(number)
            self._rows[number] = _TAKEN

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, number: int) -> Record: ...
    @overload
    def __getitem__(self, number: slice) -> HeldRecords: ...
    def __getitem__(self, number: int | slice) -> Record | HeldRecords:
        if isinstance(number, slice):
            return HeldRecords(self[each] for each in range(*number.indices(len(self))))
        return self._read(range(len(self._rows))[number])

    def __iter__(self) -> Iterator[Record]:
        return map(self._read, range(len(self._rows)))

    def _read(self, number: int) -> Record:
        if (last := self._last) is not None and last[0] == number:
            return last[1]  # a stage's Lines and the records that go on are made side by side
        id, sources, names, *values = self._rows[number]
        record = Record(id, dict(zip(names, values, strict=True)), sources)
        self._last = number, record
        return record
