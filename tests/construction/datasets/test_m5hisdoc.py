"""Tests of `construction/datasets/m5hisdoc.py`: M5HisDoc."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.construction.datasets.folders import laid, read
from triptych.construction import datasets
from triptych.construction.datasets.m5hisdoc import text_lines
from triptych.errors import DataError, SpecError


@pytest.mark.parametrize(
    "line",
    [
        "10,20,60,900,三百二十人",
        "10 20 60 20 60 900 10 900 三百二十人",
        "三百二十人,10,20,60,20,60,900,10,900",
        "三百二十人\t10\t20\t60.5\t900",
    ],
)
def test_m5hisdoc_takes_coordinates_before_and_after_the_text(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.txt").write_text(line, encoding="utf-8")
    assert list(text_lines(tmp_path / "a.txt")) == ["三百二十人"]


def test_m5hisdoc_refuses_a_line_without_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1,2,3,4,子\n1,2,3,4\n", encoding="utf-8")
    with pytest.raises(DataError, match="coordinates and text") as told:
        list(text_lines(tmp_path / "a.txt"))
    assert "line 2" in str(told.value)


M5 = {
    "M5HisDoc_regular/images/SCUT_1.jpg": None,
    "M5HisDoc_regular/label_textline/SCUT_1.txt": "10,20,60,900,子曰學而時習之\n80,20,130,900,不亦說乎\n",
    "M5HisDoc_regular/label_char/SCUT_1.txt": "10,20,60,70,子\n",
    "M5HisDoc_hard/images/SCUT_1.jpg": None,
    "M5HisDoc_hard/label_textline/SCUT_1.txt": "1,2,3,4,5,6,7,8,子曰學而時習之\n1,2,3,4,5,6,7,8,不亦說乎\n",
    "split_test.txt": "SCUT_1.jpg\n",
    "char_dict.txt": "子\n",
}


def test_m5hisdoc_joins_the_lines_of_a_page(tmp_path: Path) -> None:
    regular, hard = read("m5hisdoc", laid(tmp_path, **M5))
    assert regular.id == "regular/SCUT_1" and hard.id == "hard/SCUT_1"
    assert regular.fields["text"] == hard.fields["text"] == "子曰學而時習之\n不亦說乎"
    assert (regular.fields["lines"], regular.fields["split"]) == (2, "test")
    assert regular.sources == hard.sources  # withdrawing a page withdraws both
    assert [r.id for r in datasets.records("m5hisdoc", tmp_path, subsets=("hard",))] == ["hard/SCUT_1"]
    with pytest.raises(SpecError, match="no such option"):
        list(datasets.records("m5hisdoc", tmp_path, subset="hard"))
    (tmp_path / "M5HisDoc_hard/images/SCUT_1.jpg").unlink()
    with pytest.raises(DataError, match="only one of picture and text"):
        read("m5hisdoc", tmp_path)
