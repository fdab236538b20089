"""Tests of `construction/datasets/m5hisdoc.py`: M5HisDoc."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.construction.datasets.m5hisdoc import text_lines
from triptych.errors import DataError


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
