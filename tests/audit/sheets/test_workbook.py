"""Tests of `audit/sheets/workbook.py`: XLSX workbooks, read as they are shown."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest

from tests.audit.sheets.test_printed import texts, workbook
from triptych.audit.sheets.reading import read_sheets
from triptych.audit.sheets.workbook import workbook_tables
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


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("0.00", "60.5", "60.50"),
        ("0.##", "60.25", "60.25"),
        ("0.##", "60.5", "60.5"),
        ("0.##", "60", "60"),
        ("0.0#", "60", "60.0"),
        ("00.00", "6.257", "6.26"),
        ("#,##0", "1234.4", "1234"),
        ("#.00", "0.5", "0.50"),
        ("?0.0", "7.04", "7.0"),
        ("0.0%", "0.60504", "60.5%"),
        ("0.00 %", "0.60504", "60.50%"),
        ("0.0\\ %", "0.60504", "60.5%"),
        ('0.0"%"', "60.504", "60.5"),
        ('0.0" points"', "60.504", "60.5"),
        ("+0.0;-0.0;0.0", "-1.26", "-1.3"),
        ("[Red]0.00", "60.5", "60.50"),
        ("0.00_);(0.00)", "60.5", "60.50"),
        ("0.00_);[Red]\\(0.00\\)", "-60.5", "-60.50"),
        ("0.00E+00", "0.00001234", "1.234e-05"),
        ("# ?/?", "0.25", "0.25"),
        ("0.0,", "61500", "61500"),
        ("[>=1]0;0.00", "0.504", "0.504"),
        ("[Red][<50]0;[>=50]0.0;@", "60.504", "60.504"),
        ("General", "60.504", "60.504"),
        ("@", "60.504", "60.504"),
        ("yyyy-mm-dd", "45658", "2025-01-01"),
        ("[$-409]d\\-mmm\\-yy;@", "45658", "2025-01-01"),
        ("mmm yyyy", "45658", "2025-01-01"),
        ("yyyy", "45658", "2025-01-01"),
        ('yyyy"年"m"月"d"日"', "45658", "2025-01-01"),
        ("m/d/yy h:mm", "45658.75", "2025-01-01 18:00:00"),
        ("[h]:mm:ss", "1.5", "36:00:00"),
        ("mm:ss.0", "0.0625", "1:30:00"),
        ('0.0" days"', "45658", "45658.0"),
        ("0.0\\ \\s", "12.34", "12.3"),
        ("yyyy-mm-dd", "-3", "-3"),
    ],
)
def test_a_number_is_read_as_its_format_shows_it(tmp_path: Path, code: str, value: str, shown: str) -> None:
    """Formats that Excel and LibreOffice write; one of another kind leaves the number as it was saved."""
    styles = (
        f"<styleSheet><numFmts><numFmt numFmtId='164' formatCode={quoteattr(code)}/></numFmts><fonts><font/></fonts>"
        '<cellXfs><xf numFmtId="164" fontId="0"/></cellXfs></styleSheet>'
    )
    cell = f'<row r="1"><c r="A1" s="0"><v>{value}</v></c></row>'
    (table,) = workbook_tables(workbook(tmp_path / "t.xlsx", cell, **{"xl/styles.xml": styles}))
    assert [[one.text for one in row] for row in table.rows] == [[shown]]


@pytest.mark.parametrize(
    ("number", "shown"), [(14, "2025-01-01"), (22, "2025-01-01 00:00:00"), (58, "2025-01-01"), (0, "45658")]
)
def test_formats_of_dates_without_a_code_in_the_file(tmp_path: Path, number: int, shown: str) -> None:
    styles = f"<styleSheet><fonts><font/></fonts><cellXfs><xf numFmtId='{number}' fontId='0'/></cellXfs></styleSheet>"
    cell = '<row r="1"><c r="A1" s="0"><v>45658</v></c></row>'
    (table,) = workbook_tables(workbook(tmp_path / "t.xlsx", cell, **{"xl/styles.xml": styles}))
    assert [[one.text for one in row] for row in table.rows] == [[shown]]


def test_a_column_of_dates_has_no_figures(tmp_path: Path) -> None:
    styles = "<styleSheet><fonts><font/></fonts><cellXfs><xf/><xf numFmtId='14' fontId='0'/></cellXfs></styleSheet>"
    text = '<c r="{}" t="str"><v>{}</v></c>'.format
    rows = [text("A1", "m") + text("B1", "day") + text("C1", "Acc")]
    for n, (name, day, figure) in enumerate([("one", 45658, 60.5), ("two", 45659, 61.5)], 2):
        rows.append(text(f"A{n}", name) + f'<c r="B{n}" s="1"><v>{day}</v></c><c r="C{n}"><v>{figure}</v></c>')
    cells = "".join(f'<row r="{n}">{row}</row>' for n, row in enumerate(rows, 1))
    (sheet,) = read_sheets(workbook(tmp_path / "t.xlsx", cells, **{"xl/styles.xml": styles}))
    assert {column for row in sheet.cells.values() for column in row} == {"Acc"}


def test_cells_of_every_type(tmp_path: Path) -> None:
    """ECMA-376, 18.18.11: booleans, errors, inline and shared text; a shared string keeps no phonetic guide."""
    shared = "<sst><si><t>漢字</t><rPh sb='0' eb='2'><t>かんじ</t></rPh></si></sst>"
    cells = (
        '<row r="1"><c r="A1" t="b"><v>1</v></c><c r="B1" t="b"><v>0</v></c><c r="C1" t="e"><v>#DIV/0!</v></c></row>'
        '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>9</v></c>'
        '<c r="C2" t="inlineStr"><is><r><t>in</t></r><r><t xml:space="preserve"> two\n lines</t></r></is></c></row>'
    )
    (table,) = workbook_tables(workbook(tmp_path / "t.xlsx", cells, **{"xl/sharedStrings.xml": shared}))
    assert [[one.text for one in row] for row in table.rows] == [
        ["TRUE", "FALSE", "#DIV/0!"],
        ["漢字", "", "in two lines"],
    ]


def test_merged_cells_repeat_their_text_and_empty_rows_divide_tables(tmp_path: Path) -> None:
    def row(number: int, **texts: str) -> str:
        cells = (f'<c r="{column}{number}" t="str"><v>{text}</v></c>' for column, text in texts.items())
        return f'<row r="{number}">{"".join(cells)}</row>'

    data = row(2, B="group", D="all") + row(3, B="x", C="y", D="z") + row(6, B="another", C="table")
    sheet = f'<sheetData>{data}</sheetData><mergeCells><mergeCell ref="B2:C2"/></mergeCells>'
    path = workbook(tmp_path / "t.xlsx", "", **{"xl/worksheets/sheet1.xml": f"<worksheet>{sheet}</worksheet>"})
    first, second = workbook_tables(path)
    assert [[cell.text for cell in row] for row in first.rows] == [["group", "group", "all"], ["x", "y", "z"]]
    assert [cell.repeated for cell in first.rows[0]] == [False, True, False]
    assert (first.line, second.line, first.caption, [cell.text for cell in second.rows[0]]) == (
        2,
        6,
        "Main",
        ["another", "table"],
    )


def test_rows_and_cells_without_an_address_follow_each_other(tmp_path: Path) -> None:
    """The attribute r is optional; some writers leave it out."""
    cells = '<row><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row><row><c/><c><v>2</v></c></row>'
    (table,) = workbook_tables(workbook(tmp_path / "t.xlsx", cells))
    assert [[cell.text for cell in row] for row in table.rows] == [["a", "b"], ["", "2"]]


def test_hidden_sheets_are_left_out_and_the_order_is_the_workbooks(tmp_path: Path) -> None:
    sheets = "".join(
        f'<sheet name="{name}" sheetId="{n}" state="{state}" r:id="r{n}"/>'
        for n, (name, state) in enumerate([("二", "visible"), ("secret", "veryHidden"), ("一", "visible")])
    )
    targets = ("/xl/worksheets/b.xml", "worksheets/c.xml", "worksheets/a.xml")
    parts = {
        "xl/workbook.xml": f'<workbook xmlns:r="u"><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": "<Relationships>"
        + "".join(f'<Relationship Id="r{n}" Target="{target}"/>' for n, target in enumerate(targets))
        + "</Relationships>",
    }
    for name in "abc":
        cell = f'<row r="1"><c r="A1" t="str"><v>{name}</v></c></row>'
        parts[f"xl/worksheets/{name}.xml"] = f"<worksheet><sheetData>{cell}</sheetData></worksheet>"
    tables = workbook_tables(workbook(tmp_path / "t.xlsx", "", **parts))
    assert [(table.caption, table.rows[0][0].text) for table in tables] == [("二", "b"), ("一", "a")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("<worksheet><sheetData>", "not well-formed"),
        ("<worksheet>" + "<a>" * 70 + "</a>" * 70 + "</worksheet>", "too many elements"),
    ],
)
def test_a_damaged_sheet_is_an_error_that_names_the_part(tmp_path: Path, content: str, said: str) -> None:
    path = workbook(tmp_path / "t.xlsx", "", **{"xl/worksheets/sheet1.xml": content})
    with pytest.raises(DataError, match=said) as refused:
        workbook_tables(path)
    assert str(refused.value.where) == f"{path}, xl/worksheets/sheet1.xml"


def test_what_is_not_a_workbook_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    for data in (b"", b"model,A\nm,1\n", workbook(tmp_path / "whole.xlsx", CELLS).read_bytes()[:200]):
        path.write_bytes(data)
        with pytest.raises(DataError, match="not an XLSX workbook"):
            workbook_tables(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", "<document/>")
    with pytest.raises(DataError, match="not an XLSX workbook"):
        workbook_tables(path)
