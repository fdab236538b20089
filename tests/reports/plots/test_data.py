"""Tests of `reports/plots/data.py`: the data that a figure draws from a table."""

from __future__ import annotations

import pytest

from tests.reports.plots.figures import RUNS, drawn, words
from tests.reports.samples import SLICED
from triptych.records import Layout, Table, TableCell, TableRow
from triptych.reports.plots.data import panels, panels_by_column, panels_by_run
from triptych.reports.tables.fill import fill

pytest.importorskip("matplotlib")


def test_slices_are_panels_and_single_columns_are_turned() -> None:
    found = panels(fill(SLICED, RUNS))
    assert [panel.title for panel in found] == ["Speech", "Music", "Sound"]
    (panel,) = panels_by_column(panels(fill(Layout("s", "S", SLICED.columns[:1], SLICED.rows), RUNS)))
    assert panel.headings == ("Speech", "Music", "Sound")
    assert [cell.value for cell in panel.runs[0].cells] == [50, 57, 64]


def test_pairs_of_headings_are_groups_and_series_of_each_run() -> None:
    table = Table(
        "t",
        "T",
        ("T2 image", "T2 text", "T3 image", "T3 text"),
        tuple(
            TableRow(name, tuple(TableCell(value) for value in values))
            for name, values in (("m", (1.0, 2.0, 3.0, 4.0)), ("k", (5.0, None, 7.0, None)))
        ),
    )
    grid = {h: (h[:2], h[3:]) for h in table.headings}
    first, second = panels_by_run(panels(table), grid)
    assert (first.title, first.headings) == ("m", ("T2", "T3"))
    assert [(r.label, [c.value for c in r.cells]) for r in first.runs] == [("image", [1, 3]), ("text", [2, 4])]
    assert [(r.label, [c.value for c in r.cells]) for r in second.runs] == [("image", [5, 7])]
    assert {"T2", "T3", "image", "text", "m", "k"} <= set(words(drawn("bars", table, grid=grid).svg()))
