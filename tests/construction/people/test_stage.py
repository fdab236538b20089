"""Tests of `construction/people/stage.py`: stages that wait for people."""

from __future__ import annotations

from typing import Any

import pytest

from triptych.construction.asking.questions import Result
from triptych.construction.people.stage import _unsaid, tidied
from triptych.construction.record import Outcome


@pytest.mark.parametrize(
    ("values", "note", "left"),
    [
        ({"why": "no"}, "E1: it is not clear now", ["why: no"]),
        ({"why": "no"}, "rejected: no", []),
        ({"why": "a voice (loud)"}, "audio: a voice (loud)", []),
        ({"score": 3}, "3 of 13 people", ["score: 3"]),
        ({"also_right": ["3"]}, "13 candidates", ["also_right: 3"]),
        ({"also_right": ["3"]}, "candidate 3 is correct too", []),
        ({"also_right": ["C"]}, "candidate C is correct too", []),
    ],
)
def test_a_remark_is_lost_only_if_the_note_says_it_in_whole_words(
    values: dict[str, Any], note: str, left: list[str]
) -> None:
    assert list(_unsaid([Result("r", "s", "E1", values)], Outcome(note=note), ())) == left


def test_a_candidate_is_named_by_its_letter_or_its_number() -> None:
    form = {"verdict": ["approve", "reject"], "also_right": {"type": "array", "items": {"enum": ["B", "C", "D"]}}}
    for named in (["C"], ["c "], ["3"], [3]):
        assert tidied({"verdict": "reject", "also_right": named}, form)["also_right"] == ["C"]
    for unknown in (["A"], ["1"], ["E"], ["3 and 4"], ["30"]):
        assert tidied({"also_right": unknown}, form)["also_right"] == unknown
    assert tidied({"score": "3"}, {"score": {"type": "integer", "minimum": 1, "maximum": 5}}) == {"score": 3}


def test_several_correct_options_may_be_a_list() -> None:
    made = tidied({"verdict": "EDIT", "answer": ["A", "C"]}, {"verdict": ["approve", "edit"], "answer": "text"})
    assert made == {"verdict": "edit", "answer": "A\nC"}
