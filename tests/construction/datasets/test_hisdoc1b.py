"""Tests of `construction/datasets/hisdoc1b.py`: pages of books with their text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.construction.datasets.folders import laid, read
from triptych.construction import datasets
from triptych.errors import DataError

HISDOC: dict[str, Any] = {
    "annos/論語集注.json": json.dumps(
        {
            "title": "論語集注",
            "dynasty": "宋",
            "pages": {
                "0001": {"lines": [{"text": "子曰：「學而時習之，"}, {"text": "不亦說乎？」"}]},
                "0002": {"lines": []},
                "0003": {"text": "有朋自遠方來。"},
            },
        }
    ),
    "images/論語集注/0001.jpg": None,
    "images/論語集注/0003.jpg": None,
    "books/論語集注.pdf": None,
}


def test_hisdoc1b_reads_pages_with_their_book(tmp_path: Path) -> None:
    first, third = read("hisdoc1b", laid(tmp_path, **HISDOC))
    assert first.id == "論語集注/0001" and first.fields["text"] == "子曰：「學而時習之，\n不亦說乎？」"
    assert (first.fields["title"], first.fields["dynasty"]) == ("論語集注", "宋") and "author" not in first.fields
    assert third.fields["text"] == "有朋自遠方來。" and third.fields["image_file"] == "images/論語集注/0003.jpg"


def test_hisdoc1b_takes_other_names_and_says_which_are_there(tmp_path: Path) -> None:
    book = {"頁": [{"im": "0001.jpg", "ocr": [{"t": "子曰"}]}], "title": "論語"}
    laid(tmp_path, **HISDOC | {"annos/論語集注.json": json.dumps(book)})
    with pytest.raises(DataError, match="no 'pages'") as told:
        read("hisdoc1b", tmp_path)
    assert "頁" in str(told.value)
    names = {"pages": "頁", "image": "im", "lines": "ocr", "text": "t"}
    assert [r.fields["text"] for r in datasets.records("hisdoc1b", tmp_path, **names)] == ["子曰"]
    with pytest.raises(DataError, match="no such part"):
        list(datasets.records("hisdoc1b", tmp_path, page="頁"))
    (tmp_path / "images/論語集注/0001.jpg").unlink()
    with pytest.raises(DataError, match="picture of a page is missing"):
        list(datasets.records("hisdoc1b", tmp_path, **names))
