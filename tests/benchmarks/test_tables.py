"""Tests of `benchmarks/tables.py`: tables that people filled."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.benchmarks.tables import read_table
from triptych.errors import DataError


def test_rows_say_where_they_are(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("item,value\na,1\nb,2\n")
    assert list(read_table(path, "ratings")) == [
        (f"{path}, row 1", {"item": "a", "value": "1"}),
        (f"{path}, row 2", {"item": "b", "value": "2"}),
    ]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("r.csv", "item,value\na\n", r"a row of the ratings can't be read[\s\S]*it has 1 cell, the header 2 cells"),
        ("r.jsonl", "[1]\n", r"a row of the ratings can't be read[\s\S]*not an object"),
        ("r.csv", "item,value\n", "the file has no ratings"),
        ("r.doc", "", "not a file of ratings"),
    ],
)
def test_what_cant_be_read_is_named(tmp_path: Path, name: str, content: str, said: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(DataError, match=said):
        list(read_table(tmp_path / name, "ratings"))
    with pytest.raises(DataError, match="no such file of ratings"):
        list(read_table(tmp_path / "absent.csv", "ratings"))
