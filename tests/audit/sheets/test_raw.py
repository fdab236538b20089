"""Tests of `audit/sheets/raw.py`: cells that span rows and columns."""

from __future__ import annotations

import pytest

from triptych.audit.sheets.raw import MAX_COLUMNS, MAX_ROWS, RawCell, expand_spans
from triptych.errors import DataError


def texts(rows: list[list[RawCell]]) -> list[str]:
    return [" ".join(f"({cell.text})" if cell.repeated else cell.text or "." for cell in row) for row in rows]


def test_spans_of_html_leave_out_what_they_cover() -> None:
    rows = [
        [RawCell("Model", rows=2), RawCell("Test", columns=2)],
        [RawCell("a"), RawCell("b")],
        [RawCell("GPT"), RawCell("1"), RawCell("2")],
    ]
    assert texts(expand_spans(rows, "t")) == ["Model Test (Test)", "(Model) a b", "GPT 1 2"]


def test_a_block_of_two_by_two() -> None:
    rows = [[RawCell("X", rows=2, columns=2), RawCell("1")], [RawCell("2")], [RawCell("3")]]
    assert texts(expand_spans(rows, "t")) == ["X (X) 1", "(X) (X) 2", "3 . ."]


def test_spans_of_latex_list_what_they_cover_as_empty() -> None:
    rows = [[RawCell("Open", rows=3), RawCell("a")], [RawCell(""), RawCell("b")], [RawCell("Closed"), RawCell("c")]]
    assert texts(expand_spans(rows, "t", listed=True)) == ["Open a", "(Open) b", "Closed c"]


@pytest.mark.parametrize("columns", [0, -3])
def test_spans_of_nothing_are_one_cell(columns: int) -> None:
    assert texts(expand_spans([[RawCell("x", columns=columns), RawCell("y")]], "t")) == ["x y"]


def test_tables_without_end_are_refused() -> None:
    with pytest.raises(DataError, match=r"paper\.html(.|\n)*|too many columns"):
        expand_spans([[RawCell("x", columns=10**9), RawCell("y")]], "paper.html")
    with pytest.raises(DataError, match="too many rows"):
        expand_spans([[RawCell("x")]] * (MAX_ROWS + 1), "paper.html")
    assert len(expand_spans([[RawCell("x", columns=MAX_COLUMNS)]], "t")[0]) == MAX_COLUMNS
    assert expand_spans([], "t") == []
