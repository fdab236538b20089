"""Tests of `viewer/index/database.py`: JSON lines in, Parquet files out."""

from __future__ import annotations

import os
from pathlib import Path

import polars
import pytest

from triptych.viewer.index.database import Database, Unfit, named, quote_sql

COLUMNS = {"id": "VARCHAR", "n": "BIGINT"}


@pytest.mark.parametrize("name", ["plain.jsonl", "o'clock [1] *.jsonl", "题 {a,b}?.jsonl"])
def test_a_file_of_any_name_is_read_and_no_other(tmp_path: Path, name: str) -> None:
    """DuckDB takes `*`, `?` and `[1]` of a path for a pattern."""
    (tmp_path / name).write_text('{"id": "题\\n", "n": 1}\n{"n": 2, "other": []}\n', encoding="utf-8")
    (tmp_path / "o'clock 1 x.jsonl").write_text('{"id": "of another", "n": 3}\n', encoding="utf-8")
    with Database(tmp_path) as base:
        base.load("rows", tmp_path / name, COLUMNS, "n IS NULL")
        assert base.run("SELECT * FROM rows ORDER BY n") == [("题\n", 1), (None, 2)]
        assert base.run("SELECT id FROM rows WHERE n = ?", [1]) == [("题\n",)]
    assert not list(tmp_path.glob("*.link")) and not (tmp_path / "spilled").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"id": "a", "n": 1}', "last line is incomplete"),
        (b'{"id": "a", "n": 1}\n{"id": "b", "n": \n', "JSON"),
        (b'{"id": "a", "n": "many"}\n', "many"),
        (b'{"id": "a"}\n', "missing or has an unknown value"),
        (b"\xff\xfe\n", "JSON"),
    ],
)
def test_a_file_that_the_database_can_not_read_is_unfit(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "items.jsonl").write_bytes(content)
    with Database(tmp_path) as base:
        with pytest.raises(Unfit, match=message):
            base.load("items", tmp_path / "items.jsonl", COLUMNS, "n IS NULL")
        assert not list(tmp_path.glob("*.link"))
        base.load("items", tmp_path / "none.jsonl", COLUMNS, "n IS NULL")  # an empty table in place of what was read
        assert base.fetch_value("SELECT count(*) FROM items") == 0


def test_a_pipe_in_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "items.jsonl")
    with Database(tmp_path) as base, pytest.raises(OSError):
        base.load("items", tmp_path / "items.jsonl", COLUMNS, "n IS NULL")


def test_of_rows_with_one_key_the_first_in_an_order_stays_where_it_is_in_the_file(tmp_path: Path) -> None:
    lines = ['{"id": "a", "n": 1}\n', '{"id": "题", "n": 5}\n', '{"id": "a", "n": 9}\n', '{"id": "b", "n": 4}\n']
    (tmp_path / "items.jsonl").write_text("".join(lines), encoding="utf-8")
    with Database(tmp_path) as base:
        base.load("items", tmp_path / "items.jsonl", COLUMNS, "n IS NULL")
        base.locate("items", tmp_path / "items.jsonl", "id", "n DESC")
        found = base.run("SELECT id, n, start FROM items ORDER BY n")
    begins = [len("".join(lines[:number]).encode()) for number in range(4)]
    assert found == [("b", 4, begins[3]), ("题", 5, begins[1]), ("a", 9, begins[2])]


def test_a_file_with_another_number_of_lines_than_records_is_unfit(tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_text('{"id": "a", "n": 1}\n\n{"id": "b", "n": 2}\n', encoding="utf-8")
    with Database(tmp_path) as base:
        base.load("items", tmp_path / "items.jsonl", COLUMNS, "n IS NULL")
        with pytest.raises(Unfit, match="one record per line"):
            base.locate("items", tmp_path / "items.jsonl", "id", "n")


def test_columns_of_values_become_a_table_and_a_parquet_file(tmp_path: Path) -> None:
    columns = {"text": (str, ["it's", 'a"b', "", "题"]), "share": (float, [0.5, 1, None, -1e300]), "n": (int, range(4))}
    with Database(tmp_path) as base:
        base.table("made", {**columns, "flag": (bool, [True, False, None, True])})
        base.table("empty", {"text": (str, []), 'a"b': (int, [])})
        assert base.run(f"SELECT {named('a' + chr(34) + 'b')} FROM empty") == []
        base.write(tmp_path / "out.parquet", "SELECT text, n FROM made WHERE n > ? ORDER BY n", [1])
        assert base.fetch_value(f"SELECT n FROM made WHERE text = {quote_sql(chr(105) + 't' + chr(39) + 's')}") == 0
        with pytest.raises(Exception, match="nowhere"):
            base.write(tmp_path / "out.parquet", "SELECT * FROM nowhere")
    assert polars.read_parquet(tmp_path / "out.parquet").rows() == [("", 2), ("题", 3)]
    assert [path.name for path in tmp_path.iterdir()] == ["out.parquet"]
