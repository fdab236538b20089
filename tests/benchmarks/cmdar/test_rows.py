"""Tests of `benchmarks/cmdar/rows.py`: the released files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.cmdar.rows_for_tests import MAIN, write
from tests.benchmarks.cmdar.test_reader import CMDAR, read
from triptych.errors import DataError


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"question": " "}, "question is empty"),
        ({"audio_path": ""}, "names 0 audios"),
        ({"chosens": ["one"]}, "1 options"),
        ({"answer": ""}, "answer is empty"),
        ({"answer": ["学校，教室里"]}, "answer is a list"),
        ({"chosens": "ABCD"}, "can't be read"),
        ({"question": None}, "can't be read"),
    ],
)
def test_a_malformed_row_is_told_with_its_place_and_left_out(
    tmp_path: Path, changes: dict[str, object], words: str
) -> None:
    write(tmp_path, "main.json", MAIN, {**MAIN, "id": "0001", **changes}, {**MAIN, "id": "0002"})
    items, problems = read(tmp_path)
    assert [i.id for i in items] == ["cmdar/main/0000", "cmdar/main/0002"]
    assert [(p.severity, p.kind) for p in problems] == [("error", "malformed-row")]
    assert words in problems[0].message
    assert problems[0].where.endswith("main.json[1]")
    with pytest.raises(DataError, match=words):
        list(CMDAR.items(tmp_path))
