"""Tables of raw material: read strictly, and what is wrong with them in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.construction.build import build
from triptych.construction.tables import RowFaults, RowsError, read_table
from triptych.errors import DataError


def table(tmp_path: Path, content: str | bytes, name: str = "t.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_csv_tsv_and_json_lines(tmp_path: Path) -> None:
    wanted = [{"id": "1", "text": "a,b"}, {"id": "2", "text": "c"}]
    assert read_table(table(tmp_path, '\ufeffid,text\n1," a,b "\n\n2,c\n'), ["id"]) == wanted
    assert read_table(table(tmp_path, "id\ttext\n1\ta,b\n2\tc\n", "t.tsv"), ["id"]) == wanted
    assert (
        read_table(table(tmp_path, '{"id": "1", "text": "a,b"}\n{"id": "2", "text": "c"}\n', "t.jsonl"), ["id"])
        == wanted
    )
    long = "x" * 200_000
    assert read_table(table(tmp_path, f"id\n{long}\n"), ["id"]) == [{"id": long}]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("separator", [";", "\t"])
def test_tables_as_excel_writes_them_are_read(tmp_path: Path, separator: str, encoding: str) -> None:
    content = f'id{separator}text\r\n1{separator}"a;b,\t诗"\r\n'.encode(encoding)
    assert read_table(table(tmp_path, content), ["id", "text"]) == [{"id": "1", "text": "a;b,\t诗"}]


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        ("id,text\n1\n", "t.csv", "another number of cells"),
        ("id,text\n,b\n", "t.csv", "a row has no 'id'"),
        ("id,id\n1,2\n", "t.csv", "repeated names"),
        ('id\n"1\n', "t.csv", "malformed"),
        ("text\na\n", "t.csv", "no column 'id'"),
        (b"id\n\xff\n", "t.csv", "isn't UTF-8"),
        ("[1]\n", "t.jsonl", "not a JSON object"),
        ("id\n1\n", "t.xlsx", "this is not a table"),
    ],
)
def test_what_is_no_table_is_refused_in_words(tmp_path: Path, content: str | bytes, name: str, words: str) -> None:
    with pytest.raises(DataError, match=words):
        read_table(table(tmp_path, content, name), ["id"])


def test_columns_that_must_be_there_and_may_be_empty(tmp_path: Path) -> None:
    rows = read_table(table(tmp_path, "id,text\n1,\n2,b\n"), ["id"], ["text"])
    assert [row["text"] for row in rows] == ["", "b"]
    assert read_table(table(tmp_path, '{"id":"1"}\n{"id":"2","text":"b"}\n', "t.jsonl"), ["id"], ["text"])[0] == {
        "id": "1"
    }
    assert read_table(table(tmp_path, "", "t.jsonl"), ["id"], ["text"]) == []
    assert read_table(table(tmp_path, ""), ["id"], ["text"]) == []
    for content, name in (("id\n1\n", "t.csv"), ('{"id":"1"}\n', "t.jsonl")):
        with pytest.raises(DataError, match="no column 'text'"):
            read_table(table(tmp_path, content, name), ["id"], ["text"])


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="can't be read"):
        read_table(tmp_path / "none.csv", [])


def test_all_rows_that_cannot_be_used_are_named_at_once(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,subtask\na,\nb,count\nc,count,more\n,general\n", encoding="utf-8")
    with pytest.raises(RowsError) as told:
        read_table(path, ["id", "subtask"])
    assert [fault.where for fault in told.value.faults] == [f"{path}, line 4", f"{path}, row 1", f"{path}, row 4"]
    assert "3 faults" in str(told.value) and "row 1: a row has no 'subtask'" in str(told.value)
    faults = RowFaults()
    assert [bool(row) for row in read_table(path, ["id", "subtask"], faults=faults)] == [False, True, False, False]
    assert len(faults.errors) == 3


def test_a_build_names_the_impossible_rows_of_a_table_and_doubled_ids_at_once(tmp_path: Path) -> None:
    rows = [
        "a,nature,rain,x,,",
        "b,general,rain,x,3,1",
        "c,general,rain,x,x,",
        "d,general,dog,y,,",
        "d,general,cat,z,,",
    ]
    (tmp_path / "t.csv").write_text("\n".join(["id,subtask,text,category,begin,end", *rows]), encoding="utf-8")
    config = {"triplets": [str(tmp_path / "t.csv")], "licence": "cc0-1.0"}
    with pytest.raises(RowsError) as told:
        build("xmodbench", config, tmp_path / "b")
    problems = [fault.problem for fault in told.value.faults]
    assert problems == [
        "no such subtask",
        "a span ends before it begins",
        "begin is not a number",
        "two records of the raw material have the same id",
    ]
    assert not (tmp_path / "b/out").exists()
