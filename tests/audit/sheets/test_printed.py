"""Tests of `audit/sheets/printed.py`: the contents of a cell."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from triptych.audit.sheets.printed import figure_of, parts_of
from triptych.audit.sheets.reading import read_sheets
from triptych.audit.sheets.sheet import Sheet


def written(folder: Path, name: str, text: str) -> list[Sheet]:
    (folder / name).write_text(text, encoding="utf-8")
    return read_sheets(folder / name)


def texts(sheet: Sheet) -> list[list[str]]:
    return [[own[c].text if c in own else "" for c in sheet.columns] for own in sheet.cells.values()]


def workbook(path: Path, sheet: str, **parts: str) -> Path:
    """Write a workbook of one sheet, as ECMA-376 describes it."""
    main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    link = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    files = {
        "xl/workbook.xml": f'<workbook {main} {link}><sheets><sheet name="Main" sheetId="1" r:id="rId1"/></sheets>'
        "</workbook>",
        "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/>'
        "</Relationships>",
        "xl/sharedStrings.xml": f"<sst {main}><si><t>model</t></si><si><r><t>A</t></r><r><t>cc</t></r></si></sst>",
        "xl/styles.xml": f'<styleSheet {main}><numFmts><numFmt numFmtId="164" formatCode="0.0"/></numFmts>'
        '<fonts><font/><font><b/></font></fonts><cellXfs><xf numFmtId="0" fontId="0"/><xf numFmtId="10" fontId="0"/>'
        '<xf numFmtId="164" fontId="1"/></cellXfs></styleSheet>',
        "xl/worksheets/sheet1.xml": f"<worksheet {main}><sheetData>{sheet}</sheetData></worksheet>",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in (files | parts).items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("67.20", "67.20"),
        (" 67.2 % ", "67.2"),
        ("−1.5", "-1.5"),
        ("1,234.5", "1234.5"),
        ("1\u00a0234", "1234"),
        ("12 345 678.5", "12345678.5"),
        ("1'234", "1234"),
        ("12 34", None),
        (".5", "0.5"),
        ("+3", "3"),
        ("67.2†", "67.2"),
        ("🥇 67.2", "67.2"),
        ("67.2 ↑", "67.2"),
        ("7B", None),
        ("> 90", None),
        ("-", None),
        ("10/12", None),
        ("2024-05", None),
        ("67.2 68.1", None),
        ("12x", None),
        ("1e-5", None),
        ("~67", None),
    ],
)
def test_what_is_a_number(text: str, number: str | None) -> None:
    found = figure_of(text)
    assert (found.text if found else None) == number


def test_what_is_printed_next_to_a_number() -> None:
    beside = {
        "67.2 ± 1.3": ("margin", "1.3"),
        "67.2(±1.3)": ("margin", "1.3"),
        "67.2 [65.1, 69.3]": ("low", "65.1"),
        "67.2 (84/125)": ("hits", 84),
        "84/125 (67.2%)": ("questions", 125),
        "67.2 (+1.4)": ("change", "+1.4"),
        "67.2↓1.4": ("change", "-1.4"),
        "67.2 (1.4↑)": ("change", "+1.4"),
    }
    for text, (name, value) in beside.items():
        found = figure_of(text)
        assert found is not None and found.text == "67.2" and getattr(found, name) == value, text


def test_cells_of_several_numbers_become_columns(tmp_path: Path) -> None:
    assert parts_of("1.8 / 3.6") == ["1.8", "3.6"] and parts_of("w/o") == ["w/o"]
    (sheet,) = written(
        tmp_path, "t.md", "| M | clean / other |\n|---|---|\n| a | 1.8 / 3.6 |\n| b | 2.0 / - |\n| c | 2.2/4.4 |"
    )
    assert sheet.columns == ["clean", "other"] and texts(sheet) == [["1.8", "3.6"], ["2.0", ""], ["2.2", "4.4"]]


@pytest.mark.parametrize(
    ("text", "value", "signed"), [("↑ 1.9", "1.9", True), ("(↓0.32)", "-0.32", False), ("▼3%", "-3", False)]
)
def test_a_difference_with_its_arrow_first(text: str, value: str, signed: bool) -> None:
    figure = figure_of(text)
    assert figure is not None and (figure.text, figure.signed) == (value, signed)


@pytest.mark.parametrize("text", ["75.4♢", "83.0∗", "75.4 ◇", "🥇75.4", "75.4²", "75.4ᵃ", "75.4⬤", "75.4▽"])
def test_a_figure_with_a_footnote_mark(text: str) -> None:
    figure = figure_of(text)
    assert figure is not None and figure.text in {"75.4", "83.0"}
