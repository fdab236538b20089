"""Tests of `construction/text_checks/talks/repeats.py`: questions of one talk that ask the same in other words."""

from __future__ import annotations

from triptych.construction.text_checks.talks.repeats import same_answer


def test_answers_in_other_words() -> None:
    assert same_answer("Zwei Studierende.", "2", "de") and not same_answer("Ja.", "Ja.", "de")
