"""Tests of `construction/report/figures.py`: plots of a build."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from triptych.construction.engine.folder import StageCounts
from triptych.construction.report.figures import funnel_figure, statistics_figures
from triptych.construction.report.statistics import BuildStatistics

pytest.importorskip("matplotlib", reason="matplotlib comes with the extra [report]")

if TYPE_CHECKING:
    from triptych.reports.plots.draw import Drawing

COUNTS = [
    StageCounts("rights", 1, 1200, 900, {"kept": 900, "dropped": 300}, {"dropped: too-recent": 300}),
    StageCounts("clips", 1, 900, 2500, {"kept": 800, "revised": 50, "pending": 40, "failed": 10}, {"revised: x": 50}),
]


def bars(drawing: Drawing) -> list[tuple[float, float, float]]:
    """(row, left edge, width) of each bar, as they are drawn."""
    (ax, *_) = drawing.figure.axes
    return [(p.get_y() + p.get_height() / 2, p.get_x(), p.get_width()) for p in ax.patches]


def texts(drawing: Drawing) -> list[str]:
    return [text.get_text() for ax in drawing.figure.axes for text in ax.texts]


def test_each_stage_is_a_bar_divided_by_the_outcomes() -> None:
    drawing = funnel_figure(COUNTS)
    assert drawing is not None
    assert [tuple(round(value, 6) for value in bar) for bar in bars(drawing)] == [
        (0, 0, 900),
        (0, 900, 300),
        (1, 0, 800),
        (1, 800, 50),
        (1, 850, 40),
        (1, 890, 10),
    ]
    (ax,) = drawing.figure.axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["rights", "clips"]
    assert texts(drawing) == ["1,200 → 900 · too-recent 300", "900 → 2,500"]
    assert "rights: 1,200 came in, 900 kept, 300 dropped." in drawing.description


def test_no_stages_have_no_plot_and_empty_ones_an_empty_bar() -> None:
    assert funnel_figure([]) is None
    drawing = funnel_figure([StageCounts("rights", 1, 0, 0, {})])
    assert drawing is not None and bars(drawing) == [] and texts(drawing) == ["0"]


def statistics(**more: object) -> BuildStatistics:
    return BuildStatistics(**{"tasks": (), "facets": {}, "positions": {}, "seconds": [], **more})  # type: ignore[arg-type]


def test_a_build_without_media_options_and_facets_has_no_plots() -> None:
    assert statistics_figures(statistics()) == []


def test_durations_are_counted_in_bins_of_all_files() -> None:
    (drawing,) = statistics_figures(statistics(seconds=[1.0] * 30 + [10.0] * 6))
    (ax,) = drawing.figure.axes
    heights = [patch.get_height() for patch in ax.patches]
    assert len(heights) == 6 and sum(heights) == 36 and (heights[0], heights[-1]) == (30, 6)
    assert drawing.caption == "36 different files, 0.03 hours, mean 2.5 s."


def test_positions_have_a_panel_for_each_number_of_options_and_the_equal_share() -> None:
    (drawing,) = statistics_figures(statistics(positions={2: [7, 3], 4: [0, 1, 2, 1]}))
    two, four = drawing.figure.axes
    assert [patch.get_height() for patch in two.patches] == [7, 3] and len(four.patches) == 4
    assert list(two.lines[0].get_ydata()) == [5, 5] and list(four.lines[0].get_ydata()) == [1, 1]
    assert drawing.description == "2 options: 7, 3. 4 options: 0, 1, 2, 1."


def test_kinds_are_stacked_by_task_the_most_frequent_first() -> None:
    genres = {"asr": {"poem": 2, "song": 5}, "sqa": {"song": 1, "aria": 2}}
    (drawing,) = statistics_figures(statistics(facets={"genre": genres}))
    (ax,) = drawing.figure.axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["song", "aria", "poem"]
    assert drawing.description == "song 6, aria 2, poem 2." and drawing.caption.startswith("10 records")
    assert [bar[2] for bar in bars(drawing) if bar[0] == 0] == [5, 1]
    assert sum(bar[2] for bar in bars(drawing)) == 10


def test_of_many_kinds_the_plot_shows_twenty_and_says_how_many_it_leaves_out() -> None:
    many = {"t": {f"kind {n:02}": 100 - n for n in range(23)}}
    (drawing,) = statistics_figures(statistics(facets={"category": many}))
    assert len(bars(drawing)) == 20 and "3 rarer values are in the table" in drawing.caption
