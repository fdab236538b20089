"""Tests of `analysis/errors/judging.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.analysis.errors.judging import read_corrections
from triptych.errors import DataError


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("id,kind\n1,x\n", "'item' is missing"),
        ("item,kind\n,x\n", "malformed"),
        ("item,kind,repeat\ni,x,two\n", "malf"),
    ],
)
def test_corrections_that_cant_be_read(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "c.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=said):
        read_corrections(path)
    with pytest.raises(DataError, match="does not exist"):
        read_corrections(tmp_path / "none.csv")


def test_corrections_separated_by_semicolons(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("item;kind;note\nu0;hearing;the rain, not the wind\n")
    (correction,) = read_corrections(path)
    assert correction.note == "the rain, not the wind"
