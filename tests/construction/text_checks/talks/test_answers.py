"""Tests of `construction/text_checks/talks/answers.py`."""

from __future__ import annotations

import pytest

from triptych.construction.text_checks.talks.answers import talk_answer_fault


def test_none_answers_how_many() -> None:
    assert talk_answer_fault("有多少次误报？", "没有。", "zh") is None
    assert talk_answer_fault("谁造的？", "没有。", "zh") is not None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What does the model not do?", "It does not explain its answers."),
        ("Why can't the length be fixed?", "The value is not known at run time."),
        ("What is a limitation of the system?", "It does not address tonal languages."),
        ("How many people came to the second meeting?", "Nobody."),
        ("How much memory is used?", "The whole memory."),
        ("How much did it improve?", "It did not improve."),
    ],
)
def test_an_answer_may_say_what_is_not_so(question: str, answer: str) -> None:
    assert talk_answer_fault(question, answer, "en") is None


def test_an_answer_that_the_talk_lacks_one_is_a_fault_whatever_is_asked() -> None:
    for question in ("Who built it?", "Why did it fail?", "What is a limitation?"):
        for answer in ("The talk does not say.", "The speaker did not mention it.", "Unanswerable."):
            fault = talk_answer_fault(question, answer, "en")
            assert fault is not None and fault[0] == "no-answer", (question, answer)


@pytest.mark.parametrize(
    ("language", "question", "answer", "reason"),
    [
        ("en", "Does it need a network?", "nan", "no-answer"),
        ("en", "Who built the cameras?", "The talk does not say.", "no-answer"),
        ("de", "Wer hat die Kameras gebaut?", "Das sagt der Vortrag nicht.", "no-answer"),
        ("it", "Chi ha costruito le telecamere?", "La presentazione non lo dice.", "no-answer"),
        ("zh", "相机是谁制造的？", "演讲中没有提到。", "no-answer"),
        ("en", "How many lamps got new bulbs?", "Yes.", "answer-of-another-question"),
        ("de", "Wie viele Lampen bekamen neue Birnen?", "Ja.", "answer-of-another-question"),
        ("zh", "多少盏路灯换了灯泡？", "是的。", "answer-of-another-question"),
        ("en", "How many lamps got new bulbs?", "On Zenodo.", "answer-of-another-question"),
        ("en", "Does it need a network?", "No, none.", None),
        ("en", "How many students counted?", "Two.", None),
        ("en", "Why does it fail?", "Because the model has not seen the words that are known.", None),
        ("zh", "网络有没有影响？", "没有。", None),
    ],
)
def test_an_answer_answers_its_question(language: str, question: str, answer: str, reason: str | None) -> None:
    fault = talk_answer_fault(question, answer, language)
    assert (fault and fault[0]) == reason
