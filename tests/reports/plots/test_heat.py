"""Tests of `reports/plots/heat.py`."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.reports.plots.figures import drawn, words
from tests.reports.samples import OVERALL, SLICED, column, figure, run
from triptych.records import Layout
from triptych.reports.plots.data import panels
from triptych.reports.plots.heat import best_published
from triptych.reports.tables.fill import fill

pytest.importorskip("matplotlib")


def test_a_matrix_puts_each_heading_in_its_place() -> None:
    table = fill(Layout("m", "M", SLICED.columns), {"m": run(50)})
    grid = {"audio text": ("audio", "text"), "text audio": ("text", "audio")}
    shown = words(drawn("matrix", table, grid=grid).svg())
    assert shown.count("–") == 2 and {"50.0", "49.0", "audio", "text"} <= set(shown)


def test_long_names_of_many_runs_leave_room_for_the_values() -> None:
    long = [f"openai/our-omni-7b-sft-2026-11-20-checkpoint-00{n}000" for n in range(12)]
    table = fill(Layout("x", "X", OVERALL.columns[:2]), {name: run(20 + n) for n, name in enumerate(long)})
    figure = drawn("heat", table).figure
    (ax,) = figure.axes
    figure.canvas.draw()
    assert ax.get_window_extent().width / figure.dpi > 2 * 0.45, "two columns of numbers fit"
    assert ax.get_window_extent().height / figure.dpi > 12 * 0.2
    tops = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert all(one.y0 >= other.y1 - 1 for one, other in pairwise(tops)), "no name covers another"


def test_what_should_be_near_zero_is_ranked_by_its_distance() -> None:
    layout = Layout(
        "z", "Z", (column("gap", better="zero"), column("more", {"family": "speech"}, better="zero")), paper="T1"
    )
    published = {
        "T1": {
            "far": {"gap": -60.0, "more": 1.0},
            "near": {"gap": 2.0, "more": 1.0},
            "some": {"gap": -9.0, "more": 1.0},
        }
    }
    own = [figure(1.0), figure(2.0, {"family": "speech"})]
    (panel,) = panels(fill(layout, {"m": own}, published))
    assert [row.label for row in best_published(panel, {"gap": "zero", "more": "zero"})] == ["near", "some", "far"]
