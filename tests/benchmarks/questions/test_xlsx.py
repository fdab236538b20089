"""Tests of `benchmarks/questions`: xlsx."""

from __future__ import annotations

import io
import math
import struct
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.questions.test_items_released_columns import items
from triptych.benchmarks import own_questions
from triptych.benchmarks._questions.xlsx import read_sheet
from triptych.errors import DataError
from triptych.records import Item

FIXTURE = Path(__file__).parents[2] / "fixtures/questions/openpyxl.xlsx"


def wav(tone: int = 440) -> bytes:
    frames = b"".join(struct.pack("<h", int(8000 * math.sin(tone * n / 100))) for n in range(160))
    head = struct.pack(
        "<4sI4s4sIHHIIHH4sI",
        b"RIFF",
        36 + len(frames),
        b"WAVE",
        b"fmt ",
        16,
        1,
        1,
        8000,
        16000,
        2,
        16,
        b"data",
        len(frames),
    )
    return head + frames


def png(colour: int = 0) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.new("L", (2, 2), colour).save(out, "PNG")
    return out.getvalue()


def folder_items(folder: Path, data: Path | None = None, **stated: str) -> list[Item]:
    bench = own_questions(str(folder), stated)
    assert bench is not None
    return list(bench.items(data or bench.home or folder))


def workbook(path: Path, sheets: Mapping[str, str], more: Mapping[str, str] | None = None) -> Path:
    """An XLSX file of raw sheet XML."""
    relations = "".join(f'<Relationship Id="r{n}" Target="s{n}.xml"/>' for n in range(len(sheets)))
    titles = "".join(f'<sheet name="{title}" r:id="r{n}"/>' for n, title in enumerate(sheets))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", f'<workbook xmlns:r="r"><sheets>{titles}</sheets></workbook>')
        archive.writestr("xl/_rels/workbook.xml.rels", f"<Relationships>{relations}</Relationships>")
        for n, content in enumerate(sheets.values()):
            archive.writestr(f"xl/s{n}.xml", content)
        for name, content in (more or {}).items():
            archive.writestr(name, content)
    return path


def sheet(rows: Sequence[Sequence[str | float | None]]) -> str:
    def cell(one: str | float | None) -> str:
        if isinstance(one, str):
            return f'<c t="inlineStr"><is><t>{one}</t></is></c>'
        return "<c/>" if one is None else f"<c><v>{one}</v></c>"

    cells = [f"<row>{''.join(map(cell, row))}</row>" for row in rows]
    return f"<worksheet><sheetData>{''.join(cells)}</sheetData></worksheet>"


def test_a_workbook_that_openpyxl_wrote() -> None:
    one, two, three = items(FIXTURE)
    assert one.parts[-1].text == "Which animal <barks> & bites?" and one.target == "B"
    assert two.option_texts() == ("鼓", "笛子", "琴") and two.target == "C"
    assert three.option_texts() == ("2", "3.5", "4") and three.id == "own-openpyxl/3"


def test_several_sheets_are_refused_and_one_is_named(tmp_path: Path) -> None:
    first, second = [["question", "answer"], ["Who?", "x"]], [["question", "answer"], ["How many?", 3.0]]
    file = workbook(tmp_path / "q.xlsx", {"Old": sheet(first), "New": sheet(second), "Empty": sheet([])})
    with pytest.raises(DataError, match="--map sheet=Old or --map sheet=New"):
        items(file)
    (one,) = items(file, sheet="New")
    assert one.target == "3" and one.task == "own-q/number"
    with pytest.raises(DataError, match="did you mean 'New'"):
        items(file, sheet="Neww")


def test_broken_cells_of_a_workbook_are_all_named(tmp_path: Path) -> None:
    head = '<row r="1"><c t="inlineStr"><is><t>question</t></is></c><c t="inlineStr"><is><t>answer</t></is></c></row>'
    rows = '<row r="4"><c r="A4"><f>1+1</f></c><c r="B4"><v>2</v></c></row>'
    rows += '<row r="5"><c r="A5" t="e"><v>#N/A</v></c></row>'
    rows += '<row r="6"><c r="A6"><v>1</v></c><c r="D6"><v>1</v></c></row>'
    rows += '<row r="7"><c r="A7"><v>1</v></c><c r="B7"><v>1</v></c></row>'
    file = workbook(tmp_path / "q.xlsx", {"Q": f"<worksheet><sheetData>{head}{rows}</sheetData></worksheet>"})
    with pytest.raises(DataError) as told:
        items(file)
    for row, words in ((4, "formula without a stored value"), (5, "#N/A"), (6, "beyond the header")):
        assert any(f"row {row}" in line and words in line for line in str(told.value).splitlines()), (row, words)


def test_hostile_workbooks_are_refused(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><worksheet><sheetData/></worksheet>'
    with pytest.raises(DataError, match="document type"):
        read_sheet(workbook(tmp_path / "dtd.xlsx", {"Q": bomb}))
    far = '<worksheet><sheetData><row><c r="XFE1"><v>1</v></c></row></sheetData></worksheet>'
    with pytest.raises(DataError, match="columns"):
        read_sheet(workbook(tmp_path / "far.xlsx", {"Q": far}))
    wide = "".join(f'<row r="{n}"><c r="XFD{n}"><v>1</v></c></row>' for n in range(1, 140))
    with pytest.raises(DataError, match="cells"):
        read_sheet(workbook(tmp_path / "wide.xlsx", {"Q": f"<worksheet><sheetData>{wide}</sheetData></worksheet>"}))
    deep = "<worksheet>" + "<a>" * 100 + "</a>" * 100 + "</worksheet>"
    with pytest.raises(DataError, match="nested"):
        read_sheet(workbook(tmp_path / "deep.xlsx", {"Q": deep}))
    out = workbook(tmp_path / "out.xlsx", {"Q": "x"}, {})
    with pytest.raises(DataError):
        read_sheet(out)
    (tmp_path / "none.xlsx").write_bytes(b"PK\x03\x04 not a workbook")
    with pytest.raises(DataError, match="save it as CSV"):
        read_sheet(tmp_path / "none.xlsx")
    for text in ("<c t='s'><v>7</v></c>", "<c><v>many</v></c>", "<c r='é1'><v>1</v></c>"):
        content = f"<worksheet><sheetData><row>{text}</row></sheetData></worksheet>"
        with pytest.raises(DataError):
            read_sheet(workbook(tmp_path / "odd.xlsx", {"Q": content}))


def test_a_workbook_that_unpacks_to_gigabytes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.benchmarks._questions.xlsx.MAX_PART", 1 << 20)
    file = workbook(tmp_path / "big.xlsx", {"Q": "<worksheet>" + " " * (3 << 20) + "</worksheet>"})
    assert file.stat().st_size < 50_000
    with pytest.raises(DataError, match="bytes unpacked"):
        read_sheet(file)


def embedded(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    import polars as pl

    path.parent.mkdir(parents=True, exist_ok=True)
    pl.DataFrame(rows).write_parquet(path)
    return path


def test_dates_and_times_are_texts_and_not_the_numbers_that_excel_keeps(tmp_path: Path) -> None:
    head = "".join(f'<c t="inlineStr"><is><t>{name}</t></is></c>' for name in ("id", "question", "answer"))
    row = '<row><c><v>{}</v></c><c t="inlineStr"><is><t>When {}?</t></is></c><c s="{}"><v>{}</v></c></row>'
    rows = "".join(row.format(n, n, n, 45720) for n in (1, 2))
    styles = (
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="d/m;@"/></numFmts><cellStyleXfs><xf numFmtId="14"/>'
        '</cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>'
    )
    content = f"<worksheet><sheetData><row>{head}</row>{rows}</sheetData></worksheet>"
    file = workbook(tmp_path / "q.xlsx", {"Q": content}, {"xl/styles.xml": styles})
    assert [(one.task, one.target) for one in items(file)] == [("own-q/text", "2025-03-04")] * 2
