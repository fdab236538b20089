"""Tests of `metrics/replies/signs.py`: a reply as a string of signs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.metrics.replies.markup import ANSWER, BOLD, ENCLOSED, FIRST_MARK
from triptych.metrics.replies.signs import _TOKEN, Signs, _Reader, signs


def labelled(read: Signs) -> str:
    """The labels in their order, in lower case where the sign is that of a word or a small letter."""
    letters = {at: "ABCD"[index] for at, index in sorted(read.labels.items())}
    return "".join(letter if read.text[at] == "L" else letter.lower() for at, letter in letters.items())


@pytest.mark.parametrize(
    ("text", "expected", "labels"),
    [
        ("The answer is B.", "eN=L.", "B"),
        ("答案是B", "N=L", "B"),
        ("not A, but B", "XL,bL", "AB"),
        ("A and C fit", "L&LG", "AC"),
        ("1. 3,5", "d.d", ""),
        ("fish\n\nswim", "w¶w", ""),
        ("fish\nswim", "w\nw", ""),
        ("# B", "#L", "B"),
        ("B ✓", "LG", "B"),
        ("B ✗", "LW", "B"),
        ("？！，；：（", "?!,;:", ""),
        ("", "", ""),
    ],
)
def test_each_token_is_a_sign(text: str, expected: str, labels: str) -> None:
    read = signs(text, "ABCD")
    assert read.text == expected and labelled(read) == labels


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("A dog barks.", "a"),  # an article
        ("A is right", "A"),
        ("C major", "c"),  # a key of music
        ("C 是对的", "C"),
        ("B = 3", "b"),  # a variable
        ("I choose D because", "D"),
        ("b", "b"),
    ],
)
def test_a_letter_is_a_label_or_a_word(text: str, label: str) -> None:
    assert labelled(signs(text, "ABCD")) == label


def test_marks_of_the_reply_are_signs_of_their_own() -> None:
    read = signs(f"{ANSWER} B{ENCLOSED}", "ABCD")
    assert read.text == "@L°" and labelled(read) == "B" and read.words == frozenset()
    bold = signs(f"b{BOLD}", "ABCD")
    assert bold.text == "L°" and bold.words == {0}
    option = signs(f"It is {chr(FIRST_MARK + 2)}.", ())
    assert option.text.endswith("L°.") and list(option.labels.values()) == [2]
    assert option.words == {option.text.index("L")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A. No, B", "L.k,L"),  # a correction is set off
        ("No dog barks", "www"),
        ("It isn't B", "X"),
        ("It needn't be B", "X"),
        ("Non è B", "X"),
    ],
)
def test_negations_and_corrections(text: str, expected: str) -> None:
    assert expected in signs(text, "ABCD").text


def test_a_reply_in_small_letters_is_known_as_such() -> None:
    assert signs("the answer is b", "ABCD").small and not signs("The answer is b", "ABCD").small
    assert signs("", "ABCD").small


@given(st.text(max_size=120))
def test_every_label_stands_at_a_sign_of_the_reply(text: str) -> None:
    read = signs(text, "ABCD")
    assert all(0 <= at < len(read.text) and read.text[at] in "Llw" for at in read.labels)
    assert read.words <= read.labels.keys()
    assert signs(text, "ABCD") == read


WORDS = """
the answer is final no No wait actually A b c I a dog 's C's n't 12 12. 12, = dass , 其实 是 不 因 为 说 ( : 。 ✓ B +
"""


@given(st.lists(st.sampled_from(WORDS.split()), max_size=12), st.sampled_from([" ", "", "\n"]))
def test_a_token_that_needs_no_look_around_has_the_sign_that_looking_gives(words: list[str], between: str) -> None:
    text = between.join(words)
    quick = signs(text, "ABCD")
    reader = _Reader(
        [(m.lastgroup or "", m[0]) for m in _TOKEN.finditer(text)], {label: n for n, label in enumerate("ABCD")}
    )
    at = 0
    while at < len(reader._words):
        at += reader._append_sign(at)
    assert quick.text == "".join(reader._signs) and quick.labels == reader._label_at
