"""Tests of `records/separators.py`: the sign between the cells of a table."""

from __future__ import annotations

import pytest

from triptych.records.separators import separator_of


@pytest.mark.parametrize(
    ("heading", "usual", "separator"),
    [
        ("id,text", ",", ","),
        ("id;text", ",", ";"),
        ("id\ttext", ",", "\t"),
        ("id;text,more", ",", ","),  # the usual one first
        ("id\ttext;more", "\t", "\t"),
        ("id;text", "\t", ";"),
        ('"a,b";c', ",", ";"),
        ("id", "\t", "\t"),
        ("", ",", ","),
    ],
)
def test_the_heading_tells_the_separator(heading: str, usual: str, separator: str) -> None:
    assert separator_of(heading, usual) == separator
