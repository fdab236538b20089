"""Tests of `construction/stages/reviewing.py`: a verdict of people on each question, with edits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.construction.single_stage import context
from triptych.construction.asking.questions import Result
from triptych.construction.engine.context import Values
from triptych.construction.record import Outcome, kept
from triptych.construction.stage import stage
from triptych.construction.stages.reviewing import people_of, review_stage
from triptych.errors import SpecError

REVIEW = review_stage(
    "review",
    {"question": "text", "options": "list", "answer": "text"},
    {"fault": ["unclear", "wrong answer"], "why": "text", "score": "number"},
    "Read the question.",
    reads=["question", "options", "answers", "answer", "audio", "film?"],
    helps=["film"],
    keeps=["score"],
)
SHOWN = {
    "question": "谁在唱歌？",
    "options": ["女孩", "男孩", "老人", "母亲"],
    "answers": [2],
    "answer": "老人",
    "audio": "media/a",
}


def decided(tmp_path: Path, **values: Any) -> Outcome:
    asks = people_of(REVIEW)
    assert asks.decide is not None
    outcome = asks.decide([Result("r", "", "P1", values)], Values(REVIEW, "r", SHOWN), context(REVIEW, tmp_path))
    return REVIEW.checked(outcome, "r")


def test_the_form_begins_with_the_verdict_and_hides_the_key_and_what_only_helps() -> None:
    asks = people_of(REVIEW)
    assert list(asks.form) == ["verdict", "question", "options", "answer", "fault", "why", "score"]
    assert asks.form["verdict"] == ["approve", "edit", "reject"]
    assert asks.shows == ("question", "options", "answer", "audio") and asks.helps == ("film",)
    assert REVIEW.writes == ("question", "options", "answer", "answers", "score", "reviewed_by")


def test_an_approved_question_stays_with_its_reviewer_and_score(tmp_path: Path) -> None:
    outcome = decided(tmp_path, verdict="approve", score=4, why="")
    assert (outcome.decision, outcome.fields) == ("kept", {"score": 4, "reviewed_by": "P1"})
    assert decided(tmp_path, verdict="approve").fields == {"reviewed_by": "P1"}


def test_an_edit_of_the_options_moves_the_key_with_them(tmp_path: Path) -> None:
    options = ["老人", "女孩", "男孩", "母亲"]
    outcome = decided(tmp_path, verdict="edit", options=options, why="顺序")
    assert (outcome.decision, outcome.reason, outcome.note) == ("revised", "edited-in-review", "顺序")
    assert outcome.fields["options"] == options and outcome.fields["answers"] == [0]
    assert outcome.fields["answer"] == "老人" and "question" not in outcome.fields


def test_a_refusal_says_why_and_keeps_the_corrections_in_its_note(tmp_path: Path) -> None:
    outcome = decided(tmp_path, verdict="reject", fault="unclear", why="两个人唱", question="谁先唱？")
    assert (outcome.decision, outcome.reason) == ("dropped", "rejected-in-review") and outcome.fields == {}
    assert outcome.note == "unclear; 两个人唱; question: 谁先唱？"


@pytest.mark.parametrize(
    ("verdict", "decision", "reason"),
    [("revise", "revised", "revised-in-review"), ("remove", "dropped", "removed-in-review"), ("approve", "kept", "")],
)
def test_other_verdicts_have_reasons_of_their_own(tmp_path: Path, verdict: str, decision: str, reason: str) -> None:
    outcome = decided(tmp_path, verdict=verdict, question="谁先唱？")
    assert (outcome.decision, outcome.reason) == (decision, reason)
    assert ("question" in outcome.fields) is (verdict == "revise")


def test_a_stage_that_asks_nobody_is_no_review() -> None:
    made = stage("count", version=1, reads=["text"])(lambda values, context: kept())
    with pytest.raises(SpecError, match="'count' asks no people"):
        people_of(made)
