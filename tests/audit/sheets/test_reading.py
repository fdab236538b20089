"""Tests of `audit/sheets/reading.py`: reading all tables of a file, by its kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.sheets.test_printed import workbook
from triptych.audit.sheets import reading
from triptych.audit.sheets.reading import KINDS, raw_tables, read_sheets
from triptych.errors import DataError

ONE_TABLE = {
    ".csv": "模型,准确率\n甲,60.5\n乙,61.25\n",
    ".tsv": "模型\t准确率\n甲\t60.5\n乙\t61.25\n",
    ".md": "| 模型 | 准确率 |\n|---|---|\n| 甲 | 60.5 |\n| 乙 | 61.25 |\n",
    ".html": "<table><tr><th>模型</th><th>准确率</th></tr><tr><td>甲</td><td>60.5</td></tr>"
    "<tr><td>乙</td><td>61.25</td></tr></table>",
    ".tex": "\\begin{tabular}{lc}模型 & 准确率 \\\\ \\hline 甲 & 60.5 \\\\ 乙 & 61.25 \\\\ \\end{tabular}",
}


@pytest.mark.parametrize("kind", ONE_TABLE)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_one_table_is_the_same_in_every_kind_of_text_file(tmp_path: Path, kind: str, encoding: str) -> None:
    """Excel writes CSV with a byte-order mark, and `Unicode text` as UTF-16."""
    path = tmp_path / f"结果{kind.upper()}"
    path.write_text(ONE_TABLE[kind], encoding=encoding)
    (sheet,) = read_sheets(path)
    assert sheet.name == f"结果{kind.upper()}#1" and sheet.columns == ["准确率"]
    assert [(row, cells["准确率"].text) for row, cells in sheet.cells.items()] == [("甲", "60.5"), ("乙", "61.25")]


def test_a_workbook_is_one_of_the_kinds_and_tables_are_numbered(tmp_path: Path) -> None:
    rows = "".join(
        f'<row r="{n}"><c r="A{n}" t="str"><v>m{n}</v></c><c r="B{n}"{kind}><v>{value}</v></c></row>'
        for n, kind, value in [
            (1, ' t="str"', "Acc"),
            (2, "", 60.5),
            (3, "", 61),
            (5, ' t="str"', "F1"),
            (6, "", 7),
            (7, "", 8),
        ]
    )
    path = workbook(tmp_path / "t.xlsx", rows)
    assert set(KINDS) > {".xlsx", ".csv", ".md", ".tex", ".html"}
    assert [len(table.rows) for table in raw_tables(path)] == [3, 3]
    assert [sheet.name for sheet in read_sheets(path, "Table 2")] == ["Table 2#1", "Table 2#2"]


def test_an_unknown_kind_names_the_kinds_that_are_read(tmp_path: Path) -> None:
    for name, got in (("t.pdf", ".pdf"), ("table", "table")):
        (tmp_path / name).write_text("a,b\n1,2\n")
        with pytest.raises(DataError, match="unknown kind of table file") as refused:
            read_sheets(tmp_path / name)
        assert refused.value.got == got and ".xlsx" in str(refused.value.expected)


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match="can't be read") as missing:
        read_sheets(tmp_path / "none.csv")
    assert missing.value.where == str(tmp_path / "none.csv") and missing.value.got == "No such file or directory"
    monkeypatch.setattr(reading, "MAX_BYTES", 10)
    (tmp_path / "t.csv").write_text("a,b\n1,2\n3,4\n")
    with pytest.raises(DataError, match="too large") as large:
        read_sheets(tmp_path / "t.csv")
    assert large.value.expected == "at most 10 bytes"


def test_a_missing_workbook_and_a_folder_are_named_as_such(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="a file can't be read") as error:
        raw_tables(tmp_path / "nope.xlsx")
    assert error.value.got == "No such file or directory"
    with pytest.raises(DataError, match="a folder, not a file"):
        raw_tables(tmp_path)
