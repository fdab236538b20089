"""Printed cells that an audit compared, each with its status, and the audit's result in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import msgspec

from triptych.records.findings import Finding

CellStatus = Literal["follows", "differs", "unknown"]
CELL_STATUSES: tuple[CellStatus, ...] = ("follows", "differs", "unknown")


class CheckedCell(msgspec.Struct, frozen=True, kw_only=True):
    """A printed figure compared with what the released files give.

    published   the figure as it is printed
    recomputed  the value that follows from the files; None if none does
    status      `follows`, `differs`, or `unknown` (it can't be computed from these files)
    reason      the counts that it was computed from, why it can't be, or why it differs if that is known
    """

    table: str
    row: str
    column: str
    published: str
    status: CellStatus
    recomputed: float | None = None
    reason: str = ""


class CellCounts(NamedTuple):
    """Number of cells by status."""

    follows: int
    differs: int
    unknown: int

    @classmethod
    def count_cells(cls, cells: Iterable[CheckedCell]) -> CellCounts:
        """Return the counts of these cells."""
        counts = Counter(cell.status for cell in cells)
        return cls(*(counts[status] for status in CELL_STATUSES))

    def __str__(self) -> str:
        """`266 of 360 printed cells follow, 14 differ, 80 can't be known`; empty without cells."""
        if not sum(self):
            return ""
        verb = "follows" if sum(self) == 1 else "follow"
        parts = [f"{self.follows:,} of {sum(self):,} printed cells {verb}"]
        if self.differs:
            parts.append(f"{self.differs:,} differ{'s' * (self.differs == 1)}")
        if self.unknown:
            parts.append(f"{self.unknown:,} can't be known from these files")
        return ", ".join(parts)


class Audited(list[Finding]):
    """The findings of an audit, the most severe first: a list with two attributes more.

    Attributes:
        verdict: The result in one sentence.
        cells: The printed cells that were compared, in the order of the paper's tables.
    """

    def __init__(self, findings: Iterable[Finding], verdict: str, cells: Sequence[CheckedCell] = ()) -> None:
        super().__init__(findings)
        self.verdict = verdict
        self.cells: list[CheckedCell] = list(cells)
