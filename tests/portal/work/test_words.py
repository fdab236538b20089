"""Tests of `portal/work/words.py`: words that are paid, in texts of several scripts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.portal.work.words import words_in, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("—— … 《》 _ ___", 0),
        ("床前明月光，疑是地上霜。", 10),
        ("𠀋㐀豈", 3),  # extensions A and B, and a compatibility ideograph
        ("用Python写3行code", 6),
        ("Don't well-known o’clock", 3),
        ("snake_case", 2),  # an underscore is no letter
        ("3.14 1,000", 4),
        ("Über größe naïve Ελλάδα Привет", 5),
        ("مرحبا بالعالم", 2),
        ("12th-century\u00a0house\u3000here", 3),
    ],
)
def test_words_are_counted_as_by_hand(text: str, words: int) -> None:
    assert words_in(text) == words


TEXTS = st.text(alphabet="aZ9é床𠀋ب'’-_ ,。\n", max_size=20)


@given(TEXTS, TEXTS)
def test_two_texts_apart_have_the_words_of_both(first: str, second: str) -> None:
    assert words_in(f"{first}\n{second}") == words_in(first) + words_in(second)


@given(st.lists(st.sampled_from("床前明月光疑是地上霜"), max_size=30), st.sampled_from(["", "，", " ", "\n"]))
def test_each_ideograph_is_a_word_whatever_is_between(characters: list[str], between: str) -> None:
    assert words_in(between.join(characters)) == len(characters)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"shows": {"text": "one two", "source": "three"}}, 2),  # the text is what is read
        ({"shows": {"source": ["one two", None, 7, "三"]}}, 3),
        ({"shows": {"text": {"en": "one"}}}, 0),
        ({"shows": ["one"]}, 0),
        ({"text": "one"}, 0),
        (None, 0),
        ("one two", 0),
        ([{"shows": {"text": "one"}}], 0),
    ],
)
def test_a_body_of_any_form_has_a_number_of_words(body: Any, words: int) -> None:
    assert words_of(body) == words
