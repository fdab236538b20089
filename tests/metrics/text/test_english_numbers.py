"""Tests of `metrics/text/english_numbers.py`."""

from __future__ import annotations

import pytest

from triptych.metrics.text.english_numbers import numbers_in_digits


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("twenty five", "25"),
        ("two hundred and three", "203"),
        ("three thousand four hundred and twenty one", "3421"),
        ("double oh seven", "007"),
        ("minus twenty", "-20"),
        ("$2 and ¢7", "$2.07"),
        ("three and a half", "3.5"),
        ("the twenty first", "the 21st"),
        ("nine ninth nineth", "9 ninth 9th"),
        ("one", "one"),
        ("version 1.2.3 million", "version one.2.3 1000000"),
        ("fish and chips", "fish and chips"),
        ("", ""),
    ],
)
def test_numbers_by_hand(text: str, expected: str) -> None:
    assert numbers_in_digits(text) == expected
