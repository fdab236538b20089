"""The annotation guideline of MCIF, each rule broken by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.construction.single_stage import decide, decide_all
from triptych.construction.record import Outcome
from triptych.construction.stages.annotation import guideline, question_form, seconds_of_day, sentences

QUESTION = {
    "type": "AV",
    "origin": "Abstract",
    "begin": "0:10",
    "end": "0:20",
    "seconds": 60.0,
    "video": "media/v",
    "texts": {"en": ["What is counted?", "Birds. By their calls."], "de": ["Was wird gezählt?", "Vögel."]},
}
NONE = {"en": "Not answerable.", "de": "Nicht zu beantworten."}


def formed(**changes: Any) -> Outcome:
    return decide(question_form, {**QUESTION, **changes}, no_answer=NONE)


def test_a_question_that_follows_the_guideline_is_kept_with_its_time_in_seconds() -> None:
    outcome = formed()
    assert outcome.decision == "kept" and outcome.fields == {"begin": 10.0, "end": 20.0}
    assert formed(type="av", origin="abstract").fields["type"] == "AV"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"type": "B"}, "unknown-type"),
        ({"type": None}, "unknown-type"),
        ({"origin": "Paper"}, "unknown-origin"),
        ({"video": None}, "no-video"),
        ({"video": None, "type": "V"}, "no-video"),
        ({"texts": {"de": ["Was?", "Das."]}}, "no-question"),
        ({"texts": {"en": ["", "That."]}}, "no-question"),
        ({"texts": {"en": ["What?", ""]}}, "no-answer"),
        ({"texts": {"en": ["What?", "That."], "de": ["Was?", ""]}}, "no-answer"),
        ({"texts": {"en": ["What?", "One. Two. Three."]}}, "answer-too-long"),
        ({"texts": {"en": ["What?", "One."], "de": ["Was?", "Eins. Zwei! Drei."]}}, "answer-too-long"),
        ({"texts": {"en": ["What?", "That."], "zh": ["什么？", "一。二。三。"]}}, "answer-too-long"),
        ({"begin": ""}, "no-time"),
        ({"end": None}, "no-time"),
        ({"begin": "soon"}, "time-unreadable"),
        ({"begin": "-3"}, "time-unreadable"),
        ({"begin": "0:61"}, "time-unreadable"),
        ({"end": "1:01"}, "time-outside"),
        ({"begin": "20", "end": "10"}, "time-outside"),
        ({"begin": "10", "end": "10"}, "time-outside"),
        ({"type": "NA"}, "answer-to-unanswerable"),
    ],
)
def test_each_fault_has_a_reason(changes: dict[str, Any], reason: str) -> None:
    outcome = formed(**changes)
    assert (outcome.decision, outcome.reason) == ("dropped", reason) and (outcome.note or reason == "no-video")


def test_what_cannot_be_answered_needs_no_time_and_gets_the_one_answer_of_its_language() -> None:
    texts = {"en": ["How many layers?", ""], "de": ["Wie viele Schichten?", "nicht zu beantworten"]}
    outcome = formed(type="NA", begin="", end="", texts=texts, video=None)
    assert outcome.decision == "kept"
    assert outcome.fields["texts"] == {lang: [texts[lang][0], NONE[lang]] for lang in texts}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("Yes", 1),
        ("It is 3.5 percent, i.e. more than e.g. BLEU by Smith et al. in Fig. 2.", 1),
        ("J. R. Smith gave it. Dr. Keller did not.", 2),
        ("No. It is 5.", 2),
        ('He said "Stop!" Then he went on… And ended?', 3),
        ("百分之九。它更好！“是吗？”好。", 4),
        ("Version 1.0.2 of www.example.org is used.", 1),
    ],
)
def test_sentences_are_counted_by_their_ends(text: str, count: int) -> None:
    assert sentences(text) == count


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ("75", 75),
        ("75.5", 75.5),
        ("75,5", 75.5),
        ("1:15", 75),
        ("0:01:15.5", 75.5),
        ("1:00:00", 3600),
        (12, 12),
        ("", None),
        (None, None),
        ("1:60", None),
        ("1:2:3:4", None),
        ("1e3", None),
        ("nan", None),
        (True, None),
        (float("nan"), None),
        ("-1", None),
        ("１２", 12),
    ],
)
def test_times(given: Any, seconds: float | None) -> None:
    assert seconds_of_day(given) == seconds


LABELS = [
    *(("General", kind) for kind in ("AV", "AV", "V")),
    *(("Abstract", kind) for kind in ("AV", "AV", "A")),
    *(("Transcript", kind) for kind in ("AV", "A", "V", "NA")),
]


def talk(name: str, labels: Sequence[tuple[str, str]] = LABELS, **more: Any) -> list[dict[str, Any]]:
    """A talk's records: the talk, and its questions; general questions have the same words in all talks."""
    rows: list[dict[str, Any]] = [{"element": "talk", "talk": name, **more}]
    for number, (origin, kind) in enumerate(labels):
        words = f"What is {number}?" if origin == "General" else f"What is {number} in {name}?"
        texts = {"en": [words, "That."]}
        rows.append({"element": "question", "talk": name, "type": kind, "origin": origin, "texts": texts, **more})
    return rows


def reasons(outcomes: Sequence[Outcome]) -> set[str]:
    return {outcome.reason for outcome in outcomes}


def test_a_talk_with_the_papers_distribution_is_kept() -> None:
    assert reasons(decide_all(guideline, [*talk("a"), *talk("b")])) == {""}
    assert decide_all(guideline, []) == []


def changed(at: int, to: tuple[str, str]) -> list[tuple[str, str]]:
    return [to if place == at else label for place, label in enumerate(LABELS)]


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        (LABELS[:8] + LABELS[9:], "too-few-questions"),
        (changed(0, ("Abstract", "AV")), "too-few-general"),
        (changed(3, ("Transcript", "AV")), "too-few-abstract"),
        (changed(6, ("Abstract", "AV")), "too-few-transcript"),
        (changed(5, ("Abstract", "NA")), "too-few-audio"),
        (changed(3, ("Abstract", "A")), "too-few-audio-video"),
        (changed(8, ("Transcript", "A")), "too-few-video"),
        (changed(9, ("Transcript", "A")), "too-few-unanswerable"),
    ],
)
def test_each_rule_has_a_reason_and_the_whole_talk_goes(labels: list[tuple[str, str]], reason: str) -> None:
    own = talk("a", labels)
    outcomes = decide_all(guideline, [*own, *talk("b"), *talk("c")])
    assert reasons(outcomes[: len(own)]) == {reason} and reasons(outcomes[len(own) :]) == {""}


def test_general_questions_are_the_same_for_all_talks_but_for_case_and_marks() -> None:
    odd = talk("c")
    odd[1]["texts"] = {"en": ["Who speaks?", "She."]}
    same = talk("b")
    same[1]["texts"] = {"en": ["what is 0", "That."]}
    outcomes = decide_all(guideline, [*odd, *talk("a"), *same])
    assert reasons(outcomes[: len(odd)]) == {"general-questions-differ"} and reasons(outcomes[len(odd) :]) == {""}
    assert reasons(decide_all(guideline, [*odd, *talk("a"), *same], same_general=False)) == {""}


def test_all_that_is_wrong_with_a_talk_is_in_the_note() -> None:
    outcome = decide_all(guideline, talk("a", []))[0]
    assert outcome.reason == "too-few-questions" and outcome.note.count(";") == 7


def test_a_talk_for_its_summary_alone_has_no_questions() -> None:
    assert reasons(decide_all(guideline, talk("a", [], summary_only=True))) == {""}
    assert reasons(decide_all(guideline, talk("a", LABELS[:1], summary_only=True))) == {"questions-of-a-summary"}
