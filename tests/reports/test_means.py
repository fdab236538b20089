"""Means over the models of a table: those that the papers state in their text, and which rows count."""

from __future__ import annotations

from msgspec import structs

from triptych.benchmarks import load_benchmark
from triptych.records import Column, Layout, TableCell, TableRow
from triptych.reports.tables.fill import fill
from triptych.reports.tables.means import mean_rows
from triptych.reports.tables.published import PublishedRows, load_published

LAYOUT = Layout("t", "t", (Column("x", "b/t", "acc"),), about=("group",), means=("all", "group"))


def printed(benchmark: str, layout_id: str) -> dict[str, list[float | None]]:
    bench = load_benchmark(benchmark)
    (layout,) = [one for one in bench.spec.layouts if one.id == layout_id]
    rows = fill(layout, {}, load_published(bench.folder)).rows
    return {
        row.label: [None if cell.value is None else round(cell.value, 2) for cell in row.cells]
        for row in rows
        if row.origin == "mean" or row.label == "Average"
    }


def test_closed_source_models_of_section_4_1() -> None:
    """ "Closed-source models achieve an average score of 44.83 and an average rank of 5.75"; 35.46 over all 37."""
    rows = printed("mcs_bench", "domains")
    assert rows["mean of 4 closed-source models"][:2] == [44.83, 5.75]
    everyone, average = rows["mean of 37 models"], rows["Average"]
    assert everyone[0] == average[0] == 35.46
    assert everyone[2:] == average[2:], "the paper's own row of averages"


def test_multilingual_against_english_centric_models() -> None:
    """Table 12: (34.18 + 27.49) / 2, and the five LLaVA rows."""
    rows = printed("mcs_bench", "english-centric")
    assert rows["mean of 2 multilingual models"] == [30.84]  # 30.835
    assert rows["mean of 5 English-centric models"] == [23.77]


def test_categories_of_cmdar() -> None:
    """Appendix A.2: scene understanding is the most difficult category over the models of Table 1."""
    rows = printed("cmdar", "main")
    social, events, scenes, anomalies, times, _ = rows["mean of 16 non-cascaded models"]
    assert min(filter(None, [social, events, scenes, anomalies, times])) == scenes
    assert "mean of 26 models" in rows and "mean of 10 cascaded models" in rows


def row(label: str, value: float | None, group: str = "", **more: object) -> TableRow:
    made = TableRow(label, (TableCell(value),), about=(group,), counts={"scored": 1})
    return structs.replace(made, **more)


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
