"""Tests of `metrics/replies/verdicts.py`: lists that give each option its verdict."""

from __future__ import annotations

import pytest

from triptych.metrics.choice import read_letter
from triptych.metrics.replies.signs import signs
from triptych.metrics.replies.verdicts import verdicts

TEXTS = ("happy", "sad", "angry", "neutral")


@pytest.mark.parametrize(
    ("reply", "choice"),
    [
        ("A ✗ B ✗ C ✓ D ✗", "C"),
        ("✗ A ✗ B ✓ C ✗ D", "C"),
        ("❌ A. happy\n✅ B. sad\n❌ C. angry\n❌ D. neutral", "B"),
        ("A : faux\nB : faux\nC : vrai\nD : faux", "C"),
        ("A: false\nB: true\nC: false\nD: false", "B"),
        ("A ✅ B ✅ C ❌ D ❌", None),
        ("A ❌ B ❌ C ❌ D ❌", None),
        ("A ✗ B ✗", None),
        ("A: yes\nB: yes\nC: no\nD: yes", None),
        ("A: true\nB: false\nC: true\nD: true\n\nThe answer is B.", None),
    ],
)
def test_the_only_option_with_a_good_verdict_is_chosen(reply: str, choice: str | None) -> None:
    assert read_letter(reply, "ABCD", TEXTS) == choice


def test_an_option_that_occurs_twice_makes_no_list() -> None:
    assert list(verdicts(signs("A ✗ B ✗ A ✓", "ABC"))) == []


def test_an_item_with_the_words_of_another_option_makes_no_list() -> None:
    assert list(verdicts(signs("A. \ue001 ✗\nB. \ue000 ✓", "AB"))) == []
    assert [denied for *_, denied in verdicts(signs("A. \ue000 ✗\nB. \ue001 ✓", "AB"))] == [True, False]
