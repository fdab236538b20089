"""Tests of `reports/plots/scatter.py`: score against cost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.plots.figures import drawn, words
from triptych.records import Column, Table, TableCell, TableRow
from triptych.reports.plots.scatter import pareto

pytest.importorskip("matplotlib")


def test_many_runs_have_numbers_in_the_plot_of_score_against_cost() -> None:
    rows = tuple(
        TableRow(f"openai/a-rather-long-name-{n}", (TableCell(1.0 + n), TableCell(50.0 + n))) for n in range(12)
    )
    shown = words(drawn("scatter", Table("t", "T", ("cost", "score"), rows)).svg())
    assert "1  openai/a-rather-long-name-11" in shown and "12  openai/a-rather-long-name-0" in shown
    few = words(drawn("scatter", Table("t", "T", ("cost", "score"), rows[:3])).svg())
    assert "1  openai" not in few


@given(st.lists(st.tuples(st.floats(0.1, 100), st.floats(0, 100)), min_size=1, max_size=12))
def test_the_pareto_line_holds_those_that_no_other_beats(spots: list[tuple[float, float]]) -> None:
    line = set(pareto(spots))
    for cost, score in spots:
        beaten = any(c <= cost and s >= score and (c, s) != (cost, score) for c, s in spots)
        assert ((cost, score) in line) != beaten


def test_names_of_dots_keep_clear_of_each_other() -> None:
    rows = tuple(TableRow(f"a model of some length {n}", (TableCell(1.0 + n / 50), TableCell(30.0))) for n in range(5))
    figure_ = drawn("scatter", Table("t", "T", ("cost", "score"), rows)).figure
    from matplotlib.text import Text

    boxes = [Text.get_window_extent(name) for name in figure_.axes[0].texts]  # without the lines to the dots
    assert len(boxes) == 5
    assert not [1 for n, one in enumerate(boxes) for other in boxes[n + 1 :] if one.overlaps(other)]


def test_of_error_rates_the_line_goes_down() -> None:
    """Cheap and bad, dear and good: both stand on the line where less is better; where more is, the cheap one alone."""
    rows = (TableRow("a", (TableCell(1.0), TableCell(99.0))), TableRow("b", (TableCell(2.0), TableCell(6.0))))
    cost = Column("cost", "", "", better="lower")
    for better, on_line in (("lower", True), ("higher", False)):
        columns = (cost, Column("WER", "", "", better=better))  # type: ignore[arg-type]
        table = Table("t", "T", ("cost", "WER"), rows, columns=columns)
        assert ("ashed line" in drawn("scatter", table).caption) is on_line
        assert "intervals" not in drawn("scatter", table).caption  # none is drawn


def test_the_axis_of_costs_begins_at_0() -> None:
    rows = tuple(
        TableRow(name, (TableCell(usd), TableCell(value, n=90)))
        for name, usd, value in (("a", 10.0, 20.0), ("b", 900.0, 60.0), ("guess", 0.0, 25.0))
    )
    (ax,) = drawn("scatter", Table("t", "T", ("US$", "score"), rows)).figure.axes
    assert ax.get_xscale() == "linear" and ax.get_xlim()[0] == 0
