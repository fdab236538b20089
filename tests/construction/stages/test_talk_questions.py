"""Tests of `construction/stages/talk_questions.py`: the rules for questions about a talk (MCIF, appendix 8.2)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from triptych.construction.stages.talk_questions import Rules, TalkQuestion, faults

NONE = Rules({})  # no numbers of questions are asked for


def question(**more: Any) -> TalkQuestion:
    given = {"question": "How many languages does the corpus have?", "answer": "It has eleven languages."}
    return TalkQuestion(**{**given, "type": "A", "origin": "Transcript", "begin": "1:05", "end": "1:12.5", **more})


def reasons(*questions: TalkQuestion, rules: Rules = NONE, video: bool = True) -> list[tuple[int | None, str]]:
    return [(fault.at, fault.reason) for fault in faults(questions, rules, 320.0, video=video)]


def test_questions_that_follow_the_rules_have_no_fault() -> None:
    assert reasons() == []
    assert reasons(question(), question(question="Why is it small?", answer="Because annotation is costly.")) == []
    assert reasons(question(type="NA", answer="", begin=None, end=None)) == []
    assert reasons(question(begin=65, end=72.5), video=False) == []


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"type": "X"}, "unknown-type"),
        ({"type": "a"}, "unknown-type"),
        ({"origin": "Slides"}, "unknown-origin"),
        ({"question": "How many languages"}, "no-question-mark"),
        ({"question": "  "}, "no-question"),
        ({"answer": ""}, "no-answer"),
        ({"answer": "It has. It was. It will be eleven."}, "answer-too-long"),
        ({"begin": None}, "no-time"),
        ({"begin": "soon"}, "time-unreadable"),
        ({"begin": "5:19", "end": "5:21"}, "time-outside"),  # the talk ends at 5:20
        ({"type": "NA"}, "answer-to-unanswerable"),
    ],
)
def test_each_rule_that_a_question_breaks_is_named_with_its_position(more: dict[str, Any], reason: str) -> None:
    assert (1, reason) in reasons(question(question="Who speaks?", answer="The first author."), question(**more))


def test_what_is_seen_needs_a_film() -> None:
    for kind in ("V", "AV"):
        assert reasons(question(type=kind), video=False) == [(0, "no-video")]
        assert reasons(question(type=kind)) == []


def test_a_question_is_asked_once_whatever_its_case_and_marks() -> None:
    again = question(question="how many languages does the corpus have ?")
    assert (1, "repeated-question") in reasons(question(), again)


def test_the_paper_asks_for_numbers_by_type_and_origin() -> None:
    rules = Rules({"pairs": 2, "transcript": 2, "abstract": 1})
    (few,) = faults([question()] * 1, Rules({"pairs": 2}), 320.0, video=True)
    assert few.at is None and few.note == "1 of 2"
    both = [question(), question(question="Why?", answer="Because it is costly.", origin="Abstract")]
    (lacking,) = faults(both, rules, 320.0, video=True)
    assert lacking.note == "1 of 2" and "transcript" in lacking.reason


def test_general_questions_are_those_of_all_talks() -> None:
    rules = Rules({}, ("What are the affiliations of the authors?",))
    assert reasons(question(), rules=rules) == [(None, "general-question-missing")]
    asked = question(question="what are the affiliations of the authors", answer="A university.", origin="General")
    assert (None, "general-question-missing") not in reasons(asked, rules=rules)
    other = question(question="Who are the authors?", answer="Two people.", origin="General")
    assert set(reasons(other, rules=rules)) == {(None, "general-question-missing"), (0, "not-a-general-question")}
    assert reasons(other) == []  # without a list, any


def test_a_question_with_an_unknown_field_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**msgspec.structs.asdict(question()), "level": "easy"}, TalkQuestion)
