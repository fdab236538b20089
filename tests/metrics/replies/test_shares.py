"""Tests of `metrics/replies/shares.py`: replies that give each option a probability."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.metrics.choice import read_letter
from triptych.metrics.replies.shares import shares


@pytest.mark.parametrize(
    ("reply", "choice"),
    [
        ("A 10%, B 70%, C 10%, D 10%", "B"),
        ("A: 0.05\nB: 0.05\nC: 0.05\nD: 0.85", "D"),
        ('{"A": 0.2, "B": 0.5, "C": 0.2, "D": 0.1}', "B"),
        ("Confidence:\nA – 5%\nB – 10%\nC – 80%\nD – 5%", "C"),
        ("A (25%), B (25%), C (25%), D (25%)", None),
        ("A: 40%\nB: 40%\nC: 10%\nD: 10%", None),
        ("A: 2\nB: 3\nC: 4\nD: 5", None),  # not shares of a whole
    ],
)
def test_the_most_probable_option_is_chosen(reply: str, choice: str | None) -> None:
    assert read_letter(reply, "ABCD", ["happy", "sad", "angry", "neutral"]) == choice


def test_numbers_that_are_the_options_are_no_shares() -> None:
    assert read_letter("A: 10\nB: 20\nC: 30\nD: 40", "ABCD", ["10", "20", "30", "40"]) is None


@given(st.lists(st.integers(1, 100), min_size=2, max_size=5))
def test_shares_add_up_to_one(weights: list[int]) -> None:
    total = sum(weights)
    text = ", ".join(f"{label}: {weight / total:.4f}" for label, weight in zip("ABCDE", weights, strict=False))
    found = shares(text, "ABCDE")
    assert found is not None
    assert sum(found) == pytest.approx(1, abs=0.01)
