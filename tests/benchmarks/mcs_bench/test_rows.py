"""Tests of `benchmarks/mcs_bench/rows.py`: A row of the released list."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.mcs_bench.rows_for_tests import OCR, write
from tests.benchmarks.mcs_bench.test_reader import MCS, of
from triptych.benchmarks.mcs_bench.rows import options
from triptych.errors import DataError
from triptych.records import Problem


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"ID": None}, "no ID"),
        ({"Task_ID": 46}, "1 to 45"),
        ({"Task_ID": 0}, "1 to 45"),
        ({"Task_ID": None}, "1 to 45"),
        ({"Image": ""}, "Image"),
        ({"Question_Simplified": None}, "Question_Simplified"),
        ({"Answer_Simplified": "  "}, "Answer_Simplified"),
        ({"Image": ["a"]}, "can't be read"),
        ({"Task_ID": 36, "Answer_Simplified": "铜器"}, "letter from A to E"),
    ],
)
def test_a_row_that_cant_be_asked_is_reported_and_left_out(tmp_path: Path, change: dict[str, Any], fault: str) -> None:
    write(tmp_path, {**OCR, "ID": 0}, {**OCR, **change})
    problems: list[Problem] = []
    assert len(list(MCS.items(tmp_path, None, problems.append))) == 1
    assert [p.kind for p in problems] == ["malformed-row"]
    assert fault in problems[0].message
    with pytest.raises(DataError):
        list(MCS.items(tmp_path))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("问？A、甲 B、乙", {"A": "甲", "B": "乙"}),
        ("“承袭”一词？\nA、继承 B、承认 C、承担 D、承受。\n要求：请只输出", of("继承 承认 承担 承受")),
        ("体？A、篆书B、楷书C、隶书D、行书E、草书要求：只输出", of("篆书 楷书 隶书 行书 草书")),
        ("A、一", {}),
        ("没有选项", {}),
        ("B、乙 A、甲", {}),
    ],
)
def test_options_in_a_question(question: str, expected: dict[str, str]) -> None:
    assert options(question) == expected
