"""Tests of `reports/plots/box.py`."""

from __future__ import annotations

import pytest

from tests.reports.plots.figures import RUNS, drawn
from tests.reports.samples import OVERALL, run
from triptych.reports.tables.fill import fill

pytest.importorskip("matplotlib")


def test_many_runs_are_no_dots_of_one_colour() -> None:
    table = fill(OVERALL, {f"run {n}": run(20 + n) for n in range(12)})
    assert "darker is better" in drawn("box", table).caption
    assert "darker is better" not in drawn("box", fill(OVERALL, RUNS)).caption
