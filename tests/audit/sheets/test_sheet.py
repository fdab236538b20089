"""Tests of `audit/sheets/sheet.py`: A table with named rows and columns, and the figures that it prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.sheets.test_printed import texts, written


@pytest.mark.parametrize(("name", "mark"), [("t.csv", ","), ("t.csv", ";"), ("t.tsv", "\t")])
def test_delimited_files(tmp_path: Path, name: str, mark: str) -> None:
    rows = [
        ["model", "A", "B"],
        ['"one, 7B"', "60.5", "61.5"],
        ["two", "62.5", ""],
        [],
        ["x", "C"],
        ["three", "1"],
        ["four", "2"],
    ]
    first, second = written(tmp_path, name, "\n".join(mark.join(row) for row in rows))
    assert (first.rows, texts(first)) == (["one, 7B", "two"], [["60.5", "61.5"], ["62.5", ""]])
    assert (second.columns, texts(second), second.line) == (["C"], [["1"], ["2"]], 5)


def test_a_row_of_counts_is_the_number_of_questions(tmp_path: Path) -> None:
    (sheet,) = written(
        tmp_path,
        "t.md",
        "| M | A | B |\n|---|---|---|\n| # Questions | 200 | 1,300 |\n| a | 60.5 | 61.5 |\n| b | 62 | 63 |",
    )
    assert sheet.rows == ["a", "b"] and sheet.questions == {"A": 200, "B": 1300}


def test_a_second_header_begins_a_second_table(tmp_path: Path) -> None:
    first_table = "| Model | A | B |\n|---|---|---|\n| a | 1.5 | 2.5 |\n| b | 1 | 2 |\n"
    source = first_table + "| Model | C | D |\n| a | 3.5 | 4.5 |\n| b | 3 | 4 |"
    first, second = written(tmp_path, "t.md", source)
    assert (first.columns, second.columns, second.rows) == (["A", "B"], ["C", "D"], ["a", "b"])
