"""Tests of `reports/plots/bars.py`."""

from __future__ import annotations

import pytest

from tests.reports.plots.figures import drawn, table_of, words

pytest.importorskip("matplotlib")


def test_bars_carry_names_values_n_and_protocol() -> None:
    drawing = drawn("bars", table_of("bars"), axis="accuracy, %")
    shown = words(drawing.svg())
    for word in ("Speech", "local/cascade", "the paper's models", "accuracy, %", "50.0", "20.0"):
        assert word in shown, word
    for word in (
        "rotocol official",
        "n 20–60",
        "5 published rows",
        "answered Units only",
        "too few Instances for intervals",
    ):
        assert word in drawing.caption, word
    assert "local/cascade: Speech 50.0" in drawing.description
