"""Tests of `benchmarks/mcga/rows.py`: A row of the released files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.mcga.rows_for_tests import ROW, write
from tests.benchmarks.mcga.test_reader import MCGA, items
from triptych.errors import DataError
from triptych.records import Problem


@pytest.mark.parametrize(
    ("task", "changes", "says"),
    [
        ("asr", {"audio": ""}, "names no audio"),
        ("asr", {"asr": " "}, "clip's text"),
        ("asr", {"audio": "", "id": None}, "neither audio nor id"),
        ("su", {"su": None}, "the question"),
        ("su", {"su_a": "E"}, "expected a letter"),
        ("sec", {"sec_2": None}, "reference"),
        ("sqa", {"sqa_a": ""}, "reference"),
        ("s2tt", {"s2tt": None}, "reference"),
        ("asr", {"asr": 7}, "can't be read"),
    ],
)
def test_a_bad_row_is_reported_and_the_others_stay(tmp_path: Path, task: str, changes: object, says: str) -> None:
    assert isinstance(changes, dict)
    path = write(tmp_path, f"MCGA_{task}_test.jsonl", ROW | changes, ROW | {"audio": "2.wav"})
    found: list[Problem] = []
    kept = list(MCGA.items(tmp_path, MCGA.spec.select([task]), found.append))
    assert [item.id for item in kept] == [f"mcga/{task}/2"]
    assert [p.kind for p in found] == ["malformed-row"]
    assert says in found[0].message and found[0].where == f"{path}:1"
    with pytest.raises(DataError):
        items(tmp_path, task)
