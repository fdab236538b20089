"""Tests of `construction/numerals.py`: numbers in texts of several languages, as values that can be compared."""

from __future__ import annotations

import pytest

from triptych.construction.numerals import numbers_in


@pytest.mark.parametrize(
    ("language", "text", "numbers"),
    [
        ("en", "twenty-two of two hundred and three questions, 1,000 times", {22, 203, 1000}),
        ("de", "zweiundzwanzig von zweihundertdrei Fragen, 1.000 Mal", {22, 203, 1000}),
        ("it", "ventidue di duecentotre domande, 1.000 volte", {22, 203, 1000}),
        ("zh", "二百零三个问题中的二十二个，1000次", {22, 203, 1000}),
        ("en", "three hundred thousand plants, sixty-two percent", {300_000, 62}),
        ("de", "dreihunderttausend Pflanzen, zweiundsechzig Prozent", {300_000, 62}),
        ("it", "trecentomila piante, sessantadue per cento", {300_000, 62}),
        ("zh", "三十万株植物，百分之六十二", {300_000, 62}),
        ("en", "one of them", set()),
        ("it", "sei tu", set()),
    ],
)
def test_numbers_in_words_have_one_value_in_all_languages(language: str, text: str, numbers: set[int]) -> None:
    assert numbers_in(text, language) == numbers
