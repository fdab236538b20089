"""Tests of `reports/plots/dots.py`: dot plots."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.analysis.raters.calibrated import calibration_table
from triptych.judges.calibration import Agreement, Calibration
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
