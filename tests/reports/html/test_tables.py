"""Tests of `reports/html/tables.py`: tables in the form of the templates."""

from __future__ import annotations

import json

import pytest
from msgspec import structs

from tests.reports.samples import OVERALL, SLICED, column, figure, run
from triptych.records import Layout, RowSlice, Table, TableCell, TableRow
from triptych.reports.html.tables import HtmlTable, basis, compact, html_table
from triptych.reports.tables.fill import fill

PUBLISHED = {"T1": {"Gemini": {"Speech": 61.5, "Music": 40.0}}}


def overall(**more: object) -> Table:
    return fill(OVERALL, {"通义/a": run(50), "b": run(20)}, PUBLISHED, headline="answered", **more)  # type: ignore[arg-type]


def rows(table: HtmlTable) -> dict[str, list[str]]:
    return {row.label: [cell.text for cell in row.cells] for group in table.groups for row in group.rows}


def test_every_value_is_there_as_printed_with_its_sort_value_and_interval() -> None:
    table = html_table(overall())
    assert rows(table)["通义/a"][:2] == ["50.0", "51.0"] and rows(table)["Gemini"][0] == "61.5"
    (first,) = [row for group in table.groups for row in group.rows if row.label == "b"]
    assert [float(cell.sort) for cell in first.cells[:3]] == [20, 21, 22]
    sliced = html_table(fill(SLICED, {"a": run(50)}, headline="answered"))
    cell = sliced.groups[0].rows[0].cells[0]
    assert (cell.text, cell.interval, cell.other) == ("50.0", "46.8–54.1", "all 48.0")


def test_a_value_without_digits_sorts_by_all_of_them() -> None:
    table = Table("t", "T", ("h",), (TableRow("a", (TableCell(1 / 3, 1),)), TableRow("b", (TableCell(-0.04, 1),))))
    one, other = (row.cells[0] for row in html_table(table).groups[0].rows)
    assert (one.text, one.sort) == ("0.3", "0.3333333") and (other.text, other.sort) == ("0.0", "-0.04")


def test_an_empty_cell_is_a_dash_with_its_reason_and_sorts_nowhere() -> None:
    table = Table("t", "T", ("h",), (TableRow("a", (TableCell(None, note="not asked"),)),))
    (cell,) = html_table(table).groups[0].rows[0].cells
    assert (cell.text, cell.sort, cell.title, cell.interval) == ("–", "", "not asked", "")


def test_headings_have_their_direction_and_the_figure_behind_them() -> None:
    layout = Layout(
        "x",
        "X",
        (column("Acc", {"family": "speech"}), column("WER", better="lower"), column("Gap", better="zero")),
    )
    acc, wer, gap = html_table(fill(layout, {"a": run(50)})).headings
    assert [(h.arrow, h.better) for h in (acc, wer, gap)] == [
        ("↑", "higher is better"),
        ("↓", "lower is better"),
        ("→0", "nearer to 0 is better"),
    ]
    assert json.loads(acc.column_key) == ["toy", "acc", {"family": "speech"}]


def test_a_rank_leads_to_no_questions() -> None:
    layout = Layout("x", "X", (column("Acc"), column("Rank", rank="Acc")))
    assert [bool(h.column_key) for h in html_table(fill(layout, {"a": run(50), "b": run(20)})).headings] == [
        True,
        False,
    ]


def test_slices_are_groups_in_their_order() -> None:
    table = html_table(fill(SLICED, {"a": run(50), "b": run(20)}))
    assert [group.title for group in table.groups] == ["Speech", "Music", "Sound"]
    assert [row.label for row in table.groups[0].rows] == ["a", "b"]
    (only,) = html_table(overall()).groups
    assert only.title == "" and [row.origin for row in only.rows] == ["published", "run", "run"]
    behind = json.loads(table.groups[1].rows[0].part_key)
    assert behind[1] == {"family": "music"}, "the slice of a row is part of the figure behind it"


def test_the_caption_explains_what_is_shown_and_nothing_twice() -> None:
    table = overall()
    assert basis(table)[0] == "protocol official, answered Units only"
    assert html_table(table).caption.startswith("protocol official, answered Units only")
    answered = html_table(fill(SLICED, {"a": run(50)}, headline="answered"))
    assert "all: all Units, unanswered ones as wrong" in answered.caption
    filled = fill(SLICED, {"a": run(50)}, headline="answered")
    once = html_table(filled, once=basis(filled)).caption
    assert once.startswith("95% interval below each value") and "answered Units only" not in once


def test_a_mark_of_all_rows_is_a_note_and_one_of_some_a_footnote() -> None:
    given = {"a": ("mini", "cut"), "b": ("mini",)}
    marked = [TableRow(name, (TableCell(1.0),), marks=marks) for name, marks in given.items()]
    table = html_table(Table("t", "T", ("h",), tuple(marked)))
    assert table.notes == ("Mini",) and table.footnotes == ((1, "cut"),)
    assert [row.notes for row in table.groups[0].rows] == [(1,), ()]


def test_coverage_and_losses_of_a_run() -> None:
    table = html_table(fill(SLICED, {"a": run(50)}))
    assert table.covered
    row = table.groups[0].rows[0]
    assert (row.share, row.percent, row.losses, row.complete) == ("18/20", "90.0%", "2 failed", False)
    whole = fill(Layout("w", "W", (column("Acc"),)), {"a": [figure(50.0, counts={"scored": 1234})]})
    (row,) = html_table(whole).groups[0].rows
    assert (row.share, row.percent, row.losses, row.complete) == ("1,234/1,234", "100%", "", True)


def test_a_table_across_models_is_one_without_slices() -> None:
    table = structs.replace(overall(), models_across=True)
    assert html_table(table).across
    sliced = structs.replace(fill(SLICED, {"a": run(50)}), models_across=True)
    assert not html_table(sliced).across


@pytest.mark.parametrize("value", [{"b": 1, "a": "诗"}, ["</script>", None, 1.5]])
def test_json_is_on_one_line_and_the_same_in_any_order(value: object) -> None:
    assert json.loads(compact(value)) == value and "\n" not in compact(value) and " " not in compact(value)
    assert compact({"b": 1, "a": "诗"}) == '{"a":"诗","b":1}' == compact({"a": "诗", "b": 1})


def test_rows_by_model_are_headed_by_the_model_and_named_by_their_slice() -> None:
    parts = tuple(RowSlice(name, {"family": name.lower()}) for name in ("Speech", "Music"))
    table = structs.replace(fill(structs.replace(SLICED, rows=parts), {"a": run(50), "b": run(20)}), by_model=True)
    assert [(g.title, [row.name for row in g.rows]) for g in html_table(table).groups] == [
        ("a", ["Speech", "Music"]),
        ("b", ["Speech", "Music"]),
    ]
