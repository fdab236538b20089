"""Tests of `interchange/table_rows.py`: rows of a file of samples."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.interchange import harness_folders as make
from triptych.errors import DataError
from triptych.interchange.table_rows import table_rows


def test_a_workbook_from_outside_is_read_with_bounds(tmp_path: Path) -> None:
    path = tmp_path / "m_Toy.xlsx"
    make.workbook(path, [["index", "prediction", "note"], [1, "a & b", "x"], [2, "", ""]])
    rows = [row for _, row in table_rows(path)]
    assert rows == [{"index": "1", "prediction": "a & b", "note": "x"}, {"index": "2", "prediction": "", "note": ""}]
    cell = '<row><c t="inlineStr"><is><t>&b;</t></is></c></row>'
    bomb = f'<!DOCTYPE a [<!ENTITY b "cc">]><worksheet><sheetData>{cell}</sheetData></worksheet>'
    for name, sheet in (
        ("doctype", bomb),
        ("wide", "<worksheet><sheetData>" + '<row><c r="XFD1"/></row>' * 400 + "</sheetData></worksheet>"),
        ("broken", "<worksheet><sheetData><row>"),
    ):
        with zipfile.ZipFile(tmp_path / f"{name}.xlsx", "w") as book:
            book.writestr("xl/worksheets/sheet1.xml", sheet)
        with pytest.raises(DataError):
            list(table_rows(tmp_path / f"{name}.xlsx"))


def test_a_table_separated_by_semicolons(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("index;prediction\n1;a, b\n")
    assert [cells for _, cells in table_rows(path)] == [{"index": "1", "prediction": "a, b"}]
