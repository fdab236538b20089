"""Tests of `records`: surrogates."""

from __future__ import annotations

import json

import pytest

from triptych.records.surrogates import without_halves


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r'"B \ud83d"', "B \ufffd"),
        (r'"\ude00 B"', "\ufffd B"),
        (r'"\ud83d\ud83d\ude00"', "\ufffd😀"),
        (r'"\uD83D\uDE00"', "😀"),
        (r'"\\ud83d"', r"\ud83d"),
        (r'"\\\ud83d"', "\\\ufffd"),
        (r'"\ud83d\n"', "\ufffd\n"),
        (r'"\u00e9 \ud7ff"', "é \ud7ff"),
    ],
)
def test_a_half_of_a_pair_alone_is_replaced(written: str, text: str) -> None:
    assert json.loads(without_halves(written.encode())) == text
