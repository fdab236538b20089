"""Tests of `audit/sheets/reading.py`: reading all tables of a file, by its kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.sheets.test_printed import texts, workbook
from triptych.audit.sheets.reading import read_sheets
from triptych.errors import DataError

CELLS = (
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>F1</t></is></c>'
    "</row>"
    '<row r="2"><c r="A2" t="str"><v>one</v></c><c r="B2" s="1"><v>0.60504</v></c>'
    '<c r="C2" s="2"><f>B2*100</f><v>60.504</v></c></row>'
    '<row r="3"><c r="A3" t="str"><v>two</v></c><c r="C3"><v>12.5</v></c></row>'
)


def test_a_workbook_is_read_as_it_is_shown(tmp_path: Path) -> None:
    (sheet,) = read_sheets(workbook(tmp_path / "t.xlsx", CELLS))
    assert sheet.caption == "Main" and sheet.columns == ["Acc", "F1"]
    assert texts(sheet) == [["60.50", "60.5"], ["", "12.5"]] and sheet.cells["one"]["F1"].bold


def test_a_workbook_with_entities_is_refused(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><sst><si><t>&b;</t></si></sst>'
    path = workbook(tmp_path / "t.xlsx", CELLS, **{"xl/sharedStrings.xml": bomb})
    with pytest.raises(DataError, match="document type or entities"):
        read_sheets(path)


def test_a_workbook_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", CELLS, **{"xl/sharedStrings.xml": "<sst>" + " " * (65 * 2**20) + "</sst>"})
    assert path.stat().st_size < 2**20
    with pytest.raises(DataError, match="too large"):
        read_sheets(path)


def test_a_cell_far_away_is_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", '<row r="999999"><c r="XFD999999"><v>1</v></c></row>')
    with pytest.raises(DataError, match="too large"):
        read_sheets(path)
