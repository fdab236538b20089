"""Tests of `reports/tables/means.py`: means over the models of a table, all of them and by a fact."""

from __future__ import annotations

from tests.reports.tables.test_published import row
from triptych.records import Column, Layout
from triptych.reports.tables.means import mean_rows
from triptych.reports.tables.published import PublishedRows

LAYOUT = Layout("t", "t", (Column("x", "b/t", "acc"),), about=("group",), means=("all", "group"))


def test_which_rows_count() -> None:
    published = PublishedRows({"A": {"group": "open"}, "B": {"group": "open"}}, load_published_basis())
    rows = [
        row("A", 10.0, "open", origin="published", counts={}),
        row("B", 20.0, "open", origin="published", counts={}),
        row("Average", 99.0, origin="published", counts={}),
        row("mine", 30.0, "open"),
        row("other", 50.0, "closed"),
        row("mini", 0.0, "open", marks=("on the built-in mini set",)),
    ]
    found = {one.label: one.cells[0].value for one in mean_rows(LAYOUT, rows, published)}
    assert found == {"mean of 2 Runs": 40.0, "mean of 4 models": 27.5, "mean of 3 open models": 20.0}
    alone = [row("mine", 30.0), row("mini", 0.0, marks=("on the built-in mini set",))]
    assert {one.label: one.cells[0].value for one in mean_rows(LAYOUT, alone, None)} == {"mean of 2 models": 15.0}
    assert not list(mean_rows(LAYOUT, alone[:1], None)), "a single Run is no mean"


def test_a_column_without_some_figures_has_no_mean() -> None:
    (one,) = mean_rows(LAYOUT, [row("a", 1.0), row("b", None)], None)
    assert one.cells[0].value is None and "1 of 2 models" in one.cells[0].note


def load_published_basis():  # type: ignore[no-untyped-def]
    from triptych.benchmarks.published import Basis

    return Basis()
