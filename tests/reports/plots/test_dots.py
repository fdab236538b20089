"""Tests of `reports/plots/dots.py`: dot plots."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reports.plots.figures import drawn
from triptych.analysis.raters.calibrated import calibration_table
from triptych.judges.calibration import Agreement, Calibration
from triptych.records import Table, TableCell, TableRow
from triptych.reports.calibrated import write_calibration

pytest.importorskip("matplotlib")


def test_a_calibration_is_drawn_by_system(tmp_path: Path) -> None:
    def own(r: float | None) -> Agreement:
        return Agreement(20, {"scored": 20}, r, r, r, r, 0.1)

    found = Calibration(own(0.8), {"A": own(0.9), "B": own(None)}, {})
    table = calibration_table(found)
    assert [(row.label, row.cells[0].value) for row in table.rows] == [("all systems", 0.8), ("A", 0.9)]
    written = write_calibration(calibration_table(found), tmp_path, ["svg"])
    assert [path.name for path in written] == ["judge-reliability.svg"] and "n 20" in written[0].read_text()
    assert write_calibration(calibration_table(Calibration(own(None), {}, {})), tmp_path / "none") == []


def test_each_measure_is_a_mark_at_its_value_and_the_first_has_its_number() -> None:
    cells = (TableCell(0.82, 2, n=1200, interval=(0.7, 0.9)), TableCell(-0.1, 2, n=1200), TableCell(None))
    table = Table("t", "T", ("Pearson", "alpha", "Spearman"), (TableRow("评审", cells), TableRow("b", cells[::-1])))
    drawing = drawn("dots", table, axis="agreement")
    (ax,) = drawing.figure.axes
    marks = [line for line in ax.get_lines() if line.get_marker() not in ("None", None)]
    assert sorted(float(line.get_xdata()[0]) for line in marks) == [-0.1, -0.1, 0.82, 0.82]
    assert len({line.get_marker() for line in marks}) == 3, "a measure has a mark of its own"
    assert [text.get_text() for text in ax.texts] == ["0.82\nn 1,200", "−0.10\nn 1,200"]
    assert ax.get_xlim()[0] < -0.1 and ax.get_xlim()[1] > 1, "0 and 1 are on the axis"
    assert "thin lines show 95% intervals" in drawing.caption
