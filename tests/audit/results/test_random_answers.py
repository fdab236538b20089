"""Tests of `audit/results/random_answers.py`."""

from __future__ import annotations

import pytest

from triptych.audit.results.random_answers import reads_nothing


@pytest.mark.parametrize(
    ("reply", "spaced", "texts", "nothing"),
    [
        ("(B)", False, True, False),
        ("B", False, True, False),
        ("B. a dog", False, True, False),
        ("the dog", False, True, True),
        ("I am sure that it is a dog", False, True, False),
        ("I am sure that it is a dog", True, False, True),
        ("", False, True, True),
        ("HTML is", False, True, True),
        ("it is plan B then", True, False, False),
        ("NASA did", False, True, False),  # "A " inside a word counts for the tasks that need no space before it
        ("NASA did", True, False, True),
    ],
)
def test_when_the_parsers_read_nothing(reply: str, spaced: bool, texts: bool, nothing: bool) -> None:
    """Worked out by hand from the steps of the five tasks' parsers."""
    options = {"A": "cat", "B": "dog", "C": "bird", "D": "fish"}
    assert reads_nothing(reply, options, spaced=spaced, texts=texts) is nothing
