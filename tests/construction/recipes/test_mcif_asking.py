"""Tests of `construction/recipes/_mcif_asking.py`: people write questions about a talk, or after its abstract alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.construction.single_stage import context
from triptych.construction.asking.questions import Result
from triptych.construction.engine.context import Values
from triptych.construction.recipes._mcif_asking import (
    abstract_faults,
    abstract_questions,
    talk_faults,
    write_questions,
)
from triptych.construction.record import Outcome
from triptych.construction.stage import Stage
from triptych.construction.stages.reviewing import people_of
from triptych.construction.stages.talk_questions import Rules

TALK = {"audio": "media/a", "video": "media/v", "seconds": 320.0, "summaries": {"en": "Swifts."}, "questions": []}
ASKED = {
    "question": "How many swifts  nest there?",
    "answer": "Nine swifts nest there.",
    "type": "A",
    "origin": "Transcript",
    "begin": "1:05",
    "end": "1:12.5",
}


def decided(made: Stage, fields: dict[str, Any], base: Path, **values: Any) -> Outcome:
    asks = people_of(made)
    assert asks.decide is not None
    outcome = asks.decide([Result("t1", "", "W1", values)], Values(made, "t1", fields), context(made, base))
    return made.checked(outcome, "t1")


def test_questions_become_rows_with_times_in_seconds_and_their_writer(tmp_path: Path) -> None:
    none = {**ASKED, "question": "Who paid for it?", "answer": "", "type": "NA", "begin": "", "end": None}
    outcome = decided(write_questions(Rules({})), TALK, tmp_path, questions=[ASKED, none])
    first, second = outcome.fields["questions"]
    assert first["texts"] == {"en": ["How many swifts nest there?", "Nine swifts nest there."]}
    assert (first["number"], first["asked_by"], first["begin"], first["end"]) == (1, "W1", 65.0, 72.5)
    assert (second["number"], second["begin"], second["end"]) == (2, None, None)
    assert second["texts"]["en"] == ["Who paid for it?", ""]


def test_questions_against_the_guideline_wait_with_every_fault_named(tmp_path: Path) -> None:
    wrong = [{**ASKED, "question": "Why"}, {**ASKED, "type": "V"}]
    outcome = decided(write_questions(Rules({"pairs": 3})), {**TALK, "video": None}, tmp_path, questions=wrong)
    assert (outcome.decision, outcome.reason) == ("pending", "guideline-not-followed")
    for part in ("question 1: no-question-mark", "question 2: no-video V", "2 of 3"):
        assert part in outcome.note


def test_questions_written_after_the_abstract_must_be_among_those_answered(tmp_path: Path) -> None:
    made = write_questions(Rules({}), after_abstract=True)
    first = ["How many swifts nest there?", "Why at night?"]
    fields = {**TALK, "abstract_questions": first}
    answered = [{**ASKED, "origin": "Abstract"}]
    outcome = decided(made, fields, tmp_path, questions=answered)
    assert outcome.reason == "abstract-question-missing" and outcome.note.startswith("Why at night?")
    both = [*answered, {**ASKED, "question": "why at night?", "answer": "It is cool.", "origin": "Abstract"}]
    assert decided(made, fields, tmp_path, questions=both).decision == "kept"
    shows = people_of(made).shows
    assert "abstract_questions" in shows and "abstract_questions" not in people_of(write_questions(Rules({}))).shows


@pytest.mark.parametrize(
    ("texts", "least", "reason"),
    [
        (["How many?", "Why?"], 2, ""),
        ([" How  many?\n", "", "  "], 1, ""),
        (["How many?", "how many?"], 2, "too-few-abstract"),
        ([], 0, "too-few-abstract"),
        (["How many?", "Count the swifts."], 2, "no-question-mark"),
        (["有多少只雨燕？"], 1, ""),
    ],
)
def test_questions_after_the_abstract_differ_and_end_with_a_mark(
    tmp_path: Path, texts: list[str], least: int, reason: str
) -> None:
    made = abstract_questions(Rules({"abstract": least}))
    assert people_of(made).shows == ("title", "summaries"), "neither sound nor pictures"
    outcome = decided(made, TALK, tmp_path, abstract_questions=texts)
    assert outcome.reason == reason
    faults = list(abstract_faults({"abstract_questions": texts}, {"rules": {"least": least}}))
    assert [fault.split(": ")[1] for fault in faults] == ([reason] if reason else [])
    if not reason:
        assert outcome.fields["abstract_questions"][0] in ("How many?", "有多少只雨燕？")


def test_a_form_is_checked_as_the_build_decides() -> None:
    values = {"video": "media/v", "seconds": 320.0, "questions": [ASKED]}
    assert list(talk_faults(values, {"rules": {"distribution": {}}})) == []
    (fault,) = talk_faults({**values, "questions": [{**ASKED, "end": "5:21"}]}, {"rules": {"distribution": {}}})
    assert fault.startswith("questions: guideline-not-followed: question 1: time-outside")
    (fault,) = talk_faults({**values, "questions": [{"question": "Why?"}]}, {"rules": {}})
    assert "answer" in fault


def test_talks_that_have_questions_are_not_asked_about() -> None:
    for made in (write_questions(Rules({})), abstract_questions(Rules({}))):
        assert made.concerns({"questions": [], "summary_only": False})
        assert not made.concerns({"questions": [{"number": 1}], "summary_only": False})
        assert not made.concerns({"questions": [], "summary_only": True})
