"""Tests of `audit/anyone/view.py`: names and odds in words."""

from __future__ import annotations

import pytest

from triptych.audit.anyone.view import list_in_words, odds_in_words


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([], ""),
        (["A"], "A"),
        (["A", "B"], "A and B"),
        (["A", "B", "C"], "A, B and C"),
        (["T1|A", "T1|B"], "A and B"),
        (list("ABCDEFG"), "A, B, C, D, E and 2 more"),
    ],
)
def test_lists_in_words(names: list[str], words: str) -> None:
    assert list_in_words(names) == words


@pytest.mark.parametrize(
    ("odds", "words"),
    [
        (0.9, "by chance alone"),
        (0.5, "by chance alone"),
        (0.25, "about 1 in 4"),
        (0.05, "less than 1 in 10"),
        (0.0005, "less than 1 in 1,000"),
        (0.0, "less than 1 in 1,000,000,000"),
    ],
)
def test_odds_in_words_never_claim_more_than_they_are(odds: float, words: str) -> None:
    assert odds_in_words(odds) == words
