"""Tests of `reports/plots/radar.py`: radar charts."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from tests.reports.plots.figures import drawn, words
from triptych.records import Table, TableCell, TableRow
from triptych.reports.plots.draw import MAX_DISTINCT_RUNS, draw
from triptych.reports.plots.spec import FigureSpec

pytest.importorskip("matplotlib")

HEADINGS = ("perception", "spatial", "temporal", "linguistic", "knowledge")


def of(*rows: Sequence[float | None], headings: Sequence[str] = HEADINGS) -> Table:
    made = tuple(TableRow(f"run {n}", tuple(TableCell(value, 1) for value in row)) for n, row in enumerate(rows))
    return Table("t", "T", tuple(headings), made)


def test_a_line_is_closed_and_its_spokes_divide_the_circle() -> None:
    (ax,) = drawn("radar", of([10, 20, 30, 40, 50])).figure.axes
    (line,) = ax.get_lines()
    assert line.get_ydata().tolist() == [10, 20, 30, 40, 50, 10]
    assert line.get_xdata()[:5].tolist() == pytest.approx([2 * math.pi * n / 5 for n in range(5)])
    assert [label.get_text() for label in ax.get_xticklabels()] == list(HEADINGS)


def test_a_missing_value_is_a_gap_and_no_zero() -> None:
    (ax,) = drawn("radar", of([10, None, 30, 40, 50], [1, 2, 3, 4, 5])).figure.axes
    values = ax.get_lines()[0].get_ydata()
    assert math.isnan(values[1]) and values[0] == 10


def test_the_best_value_of_each_spoke_is_written() -> None:
    (ax,) = drawn("radar", of([10, 25, 30, None, 50.04], [20, 15, 30, 5, 5])).figure.axes
    assert [text.get_text() for text in ax.texts] == ["20.0", "25.0", "30.0", "5.0", "50.0"]


def test_a_value_below_zero_is_at_the_centre_and_keeps_its_number() -> None:
    """100 minus an error rate over 100."""
    (ax,) = drawn("radar", of([-20, 25, 30, 5, 50])).figure.axes
    assert ax.get_lines()[0].get_ydata()[0] == 0.0 and ax.texts[0].get_text() == "-20.0"
    assert ax.get_ylim() == (0, pytest.approx(52.5))


def test_a_run_with_zeros_alone_has_an_axis() -> None:
    (ax,) = drawn("radar", of([0, 0, 0, 0, 0])).figure.axes
    assert ax.get_ylim() == (0, 1)


def test_several_runs_have_a_legend_and_one_has_none() -> None:
    several = drawn("radar", of([1, 2, 3, 4, 5], [5, 4, 3, 2, 1]))
    assert {"run 0", "run 1"} <= set(words(several.svg()))
    assert "run 0" not in words(drawn("radar", of([1, 2, 3, 4, 5])).svg())


def test_too_few_spokes_or_too_many_runs_are_not_drawn() -> None:
    spec = FigureSpec("f", "radar", "T")
    assert draw(spec, of([1, 2, 3], headings=HEADINGS[:3])) is None
    assert draw(spec, of([1, 2, 3, 4], headings=HEADINGS[:4])) is not None
    assert draw(spec, of(*[[1, 2, 3, 4, 5]] * (MAX_DISTINCT_RUNS + 1))) is None
