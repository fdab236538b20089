"""Tests of `reports/plots/lines.py`: values along an ordered scale."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.reports.plots.figures import drawn, words
from triptych.records import Table, TableCell, TableRow

pytest.importorskip("matplotlib")

NOISE = ("-5", "0", "5", "10")


def of(*rows: tuple[str, Sequence[float | None]], sub: str = "", half: float = 0.0) -> Table:
    """Runs' values at signal-to-noise ratios, with intervals `half` to each side."""
    made = [
        TableRow(
            label,
            tuple(
                TableCell(value, 1, n=50, interval=(value - half, value + half) if half and value is not None else None)
                for value in values
            ),
            sub=sub,
        )
        for label, values in rows
    ]
    return Table("noise", "Noise", NOISE, tuple(made))


def test_each_run_is_a_line_through_its_values_in_the_order_of_the_headings() -> None:
    figure = drawn("lines", of(("a", [20, 30, 45, 50]), ("b", [10, 15, 25, 40]))).figure
    (ax,) = figure.axes
    assert [line.get_ydata().tolist() for line in ax.get_lines()] == [[20, 30, 45, 50], [10, 15, 25, 40]]
    assert [label.get_text() for label in ax.get_xticklabels()] == list(NOISE)
    assert len({line.get_color() for line in ax.get_lines()}) == 2


def test_a_missing_value_is_left_out_and_not_drawn_as_zero() -> None:
    (ax,) = drawn("lines", of(("a", [20, None, 45, None]), ("b", [1, 2, 3, 4]))).figure.axes
    first = ax.get_lines()[0]
    assert first.get_xdata().tolist() == [0, 2] and first.get_ydata().tolist() == [20, 45]


def test_the_band_is_the_interval_and_the_axis_does_not_go_below_zero() -> None:
    drawing = drawn("lines", of(("a", [2, 3, 4, 5]), half=1.5))
    (ax,) = drawing.figure.axes
    (band,) = ax.collections
    ys = band.get_paths()[0].vertices[:, 1]
    assert (ys.min(), ys.max()) == (0.5, 6.5) and ax.get_ylim()[0] >= 0
    assert "bands show 95% intervals" in drawing.caption


def test_differences_below_zero_stay_on_the_axis() -> None:
    (ax,) = drawn("lines", of(("a", [-12, -3, 0, 1]))).figure.axes
    assert ax.get_ylim()[0] < -12


def test_names_axes_and_slices_are_written() -> None:
    table = of(("qwen2-audio", [20, 30, 45, 50]), sub="speech")
    other = of(("模型乙", [10, 15, 25, 40]), sub="music")
    both = Table("noise", "Noise", NOISE, (*table.rows, *other.rows))
    drawing = drawn("lines", both, axis="accuracy, %", along="dB")
    assert [ax.get_title(loc="left") for ax in drawing.figure.axes] == ["speech", "music"]
    assert {"qwen2-audio", "模型乙", "accuracy, %", "dB"} <= set(words(drawing.svg()))


def test_each_name_is_at_the_end_of_its_line() -> None:
    (ax,) = drawn("lines", of(("a", [20, 30, 45, None]), ("b", [10, 15, 25, 40]))).figure.axes
    assert {text.get_text(): text.xy for text in ax.texts} == {"a": (2, 45), "b": (3, 40)}
