"""Tests of `construction/text_checks/numerals.py`: numbers in texts of several languages, as values that can be
compared."""

from __future__ import annotations

import pytest

from triptych.construction.text_checks.numerals import numbers_in


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


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("来了七八个人", {7, 8}),
        ("三五天就好", {3, 5}),
        ("花了两三百块", {200, 300}),
        ("她十七八岁", {17, 18}),
        ("走了一百二三十里", {120, 130}),
        ("八九年的事", {8, 9, 89}),
        ("二〇二三年", {2023}),
        ("三十四个", {34}),
        ("一百二", {120}),
        ("三两好友", {2, 3}),
    ],
)
def test_two_digits_that_follow_each_other_are_an_approximate_number(text: str, numbers: set[int]) -> None:
    assert numbers_in(text, "zh") == numbers


@pytest.mark.parametrize(
    ("source", "line"),
    [("Seven or eight people came.", "来了七八个人。"), ("It cost two or three hundred euros.", "花了两三百欧元。")],
)
def test_a_translation_by_an_approximate_number_has_the_same_numbers(source: str, line: str) -> None:
    assert numbers_in(source, "en") & numbers_in(line, "zh")
