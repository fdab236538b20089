"""The decisions of an earlier build about the records of a stage, read from its files when they are wanted.

The file of a stage is in the order of its records, so that the next build usually wants its lines one after the other.
An index of positions is made only if it doesn't: after a change of the raw material, or for the journal of a costly
stage, which has the lines of several builds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from triptych.construction.engine.folder import PASSED_BY, DecisionLine
from triptych.store.journals.entry_table import EntryTable
from triptych.store.journals.journal import Journal


class _Decision(msgspec.Struct, frozen=True, gc=False):
    decision: str = "kept"


class _Keyed(msgspec.Struct, frozen=True, gc=False):
    """The part of a line by which it is found; decoding only this is faster."""

    id: str
    key: str
    outcome: _Decision


class EarlierDecisions:
    """A stage's decisions by record and key; of several about the same, the last one counts. Close it after use."""

    def __init__(self, files: Sequence[Path], final: frozenset[str]) -> None:
        self._journals = [Journal(file, DecisionLine) for file in files]
        self._keyed = [Journal(file, _Keyed) for file in files]
        self._final = final
        self._open = [journal.opened() for journal in self._journals]
        self._next: Iterator[DecisionLine] | None = self._in_order() if len(files) == 1 else None
        self._table: EntryTable | None = None

    def of(self, id: str, key: str) -> DecisionLine | None:
        """Return the decision about a record with this key; None if there is none that is final."""
        if self._next is not None:
            line = next(self._next, None)
            if line is not None and line.id == id:
                return line if line.key == key and line.outcome.decision in self._final else None
            self._next = None
        if self._table is None:
            self._table = EntryTable(self._positions())
        position = self._table.get((id, key, 0))
        if position is None:
            return None
        at, number = divmod(position, len(self._journals))
        return self._journals[number].read_at(self._open[number], at)

    def close(self) -> None:
        """Close the files."""
        for file in self._open:
            file.close()

    def _in_order(self) -> Iterator[DecisionLine]:
        """Yield the lines of the records that the stage saw."""
        return (line for _, line in self._journals[0].located_in(self._open[0]) if line.key not in ("", PASSED_BY))

    def _positions(self) -> Iterator[tuple[tuple[str, str, int], int]]:
        for number, journal in enumerate(self._keyed):
            for at, line in journal.located():
                if line.outcome.decision in self._final:
                    yield (line.id, line.key, 0), at * len(self._keyed) + number
