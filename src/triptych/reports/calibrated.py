"""A judge's calibration as a figure: its agreement with people, over all replies and by system."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.records import Table, TableCell, TableRow
from triptych.reports.plots.draw import draw, need_matplotlib
from triptych.reports.plots.section_figures import AGREEMENT
from triptych.reports.plots.spec import FigureSpec
from triptych.store.files.atomic import write_atomically

if TYPE_CHECKING:
    from triptych.judges.calibration import Agreement, Calibration


def write_calibration(calibration: Calibration, path: Path, kinds: Sequence[str] = ("svg", "png", "pdf")) -> list[Path]:
    """Write `judge-reliability` in each of the formats; nothing if no agreement can be computed.

    Raises SpecError if matplotlib isn't installed.
    """
    need_matplotlib()
    spec = FigureSpec("judge-reliability", "dots", "The judge against people", axis="1: perfect agreement, 0: none")
    drawing = draw(spec, calibration_table(calibration))
    if drawing is None:
        return []
    written = []
    for kind in kinds:
        write_atomically(path / f"{drawing.id}.{kind}", drawing.save(kind))
        written.append(path / f"{drawing.id}.{kind}")
    return written


def calibration_table(calibration: Calibration) -> Table:
    """Return one row for all replies and one for each system: Pearson, Spearman and Krippendorff's alpha with
    people."""
    rows = {"all systems" if calibration.systems else "all replies": calibration.overall, **calibration.systems}
    kept = [TableRow(name, _cells(row)) for name, row in rows.items() if _measures(row) != (None,) * len(AGREEMENT)]
    return Table("judges", "", AGREEMENT, tuple(kept))


def _measures(agreement: Agreement) -> tuple[float | None, ...]:
    return agreement.pearson, agreement.spearman, agreement.alpha_interval


def _cells(agreement: Agreement) -> tuple[TableCell, ...]:
    return tuple(TableCell(value, 2, n=agreement.n, plain=True) for value in _measures(agreement))
