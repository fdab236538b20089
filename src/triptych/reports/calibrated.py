"""The figure of a judge's calibration: its agreement with people, over all replies and by system."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from triptych.records import Table
from triptych.reports.plots.draw import draw, need_matplotlib
from triptych.reports.plots.spec import FigureSpec
from triptych.store.files.atomic import write_atomically


def write_calibration(calibration: Table, path: Path, kinds: Sequence[str] = ("svg", "png", "pdf")) -> list[Path]:
    """Write `judge-reliability` in each of the formats; nothing if no agreement can be computed. `calibration`: its
    table (`analysis.raters.calibrated`).

    Raises SpecError if matplotlib isn't installed.
    """
    need_matplotlib()
    spec = FigureSpec("judge-reliability", "dots", "The judge against people", axis="1: perfect agreement, 0: none")
    drawing = draw(spec, calibration)
    if drawing is None:
        return []
    written = []
    for kind in kinds:
        write_atomically(path / f"{drawing.id}.{kind}", drawing.save(kind))
        written.append(path / f"{drawing.id}.{kind}")
    return written
