"""A judge's calibration as a table: its agreement with people, over all replies and by system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.records import Table, TableCell, TableRow

if TYPE_CHECKING:
    from triptych.judges.calibration import Agreement, Calibration

AGREEMENT = ("Pearson", "Spearman", "alpha (interval)")


def calibration_table(calibration: Calibration) -> Table:
    """Return one row for all replies and one for each system: Pearson, Spearman and Krippendorff's alpha with
    people."""
    rows = {"all systems" if calibration.systems else "all replies": calibration.overall, **calibration.systems}
    shown_rows = [
        TableRow(name, _cells(row)) for name, row in rows.items() if _measures(row) != (None,) * len(AGREEMENT)
    ]
    return Table("judges", "", AGREEMENT, tuple(shown_rows))


def _measures(agreement: Agreement) -> tuple[float | None, ...]:
    return agreement.pearson, agreement.spearman, agreement.alpha_interval


def _cells(agreement: Agreement) -> tuple[TableCell, ...]:
    return tuple(TableCell(value, 2, n=agreement.n, plain=True) for value in _measures(agreement))
