"""Tests of `metrics/replies/circled.py`: circled letters and numbers in replies."""

from __future__ import annotations

import pytest

from triptych.metrics.choice import read_letter
from triptych.metrics.replies.circled import listed, without_circles

LETTERS = ("ⒶⒷⒸⒹ", "ⓐⓑⓒⓓ", "⒜⒝⒞⒟", "🄐🄑🄒🄓", "🄰🄱🄲🄳", "🅐🅑🅒🅓", "🅰🅱🅲🅳")
NUMBERS = ("①②③④", "⑴⑵⑶⑷", "❶❷❸❹", "➀➁➂➃", "➊➋➌➍", "⓵⓶⓷⓸", "㈠㈡㈢㈣", "㊀㊁㊂㊃")
KEYCAP = ("1️⃣", "2️⃣", "3️⃣", "4️⃣")
TEXTS = ("a dog barks", "a cat meows", "a bird sings", "silence")
STATEMENTS = ("①②", "②③", "①③", "②④")
FORMS = (
    "{0} {1}",
    "{0}{1}",
    "{0}",
    "{0}.",
    "({0})",
    "**{0}**",
    "The answer is {0}.",
    "正解は{0}です",
    "选{0}",
    "{0} A",
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("signs", [*LETTERS, *NUMBERS, KEYCAP])
@pytest.mark.parametrize("position", [0, 2])
def test_a_circled_label_before_words_or_alone_is_the_choice(signs: str, form: str, position: int) -> None:
    reply = form.format(signs[position], TEXTS[position][2:])
    assert read_letter(reply, "ABCD") == "ABCD"[position]
    assert read_letter(reply, "ABCD", TEXTS) == "ABCD"[position]


@pytest.mark.parametrize("signs", [*NUMBERS, KEYCAP])
@pytest.mark.parametrize("position", [0, 2])
def test_a_circled_number_is_the_option_with_that_number(signs: str, position: int) -> None:
    assert read_letter(f"{signs[position]} {TEXTS[position]}", "1234") == "1234"[position]
    assert read_letter(signs[position], "0123") == "0123"[position + 1]


@pytest.mark.parametrize("reply", ["Ⓔ", "⑤", "⑳", "Ⓩ dog", "🅴", "㈩", "9️⃣"])
def test_a_sign_of_no_option_chooses_none(reply: str) -> None:
    assert read_letter(reply, "ABCD", TEXTS) is None


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("①录音里有狗叫；②没有猫。所以选B", "B"),
        ("①首先有狗叫\n②其次有雨声\n因此选C", "C"),
        ("①有狗叫\n②有雨声\n因此无法确定", None),
        ("1️⃣ First, a dog.\n2️⃣ Then rain.\nAnswer: C", "C"),
        ("③ is wrong. ①", "A"),
        ("①和③正确，所以选C", "C"),
        ("选①③", None),
        ("B. 狗叫①", "B"),
        ("C. ①③", "C"),
        ("Ⓐ and Ⓒ", None),
    ],
)
def test_numbers_of_reasons_and_of_statements_are_no_choice(reply: str, chosen: str | None) -> None:
    assert read_letter(reply, "ABCD") == chosen


@pytest.mark.parametrize("signs", [*LETTERS, *NUMBERS])
@pytest.mark.parametrize(
    ("form", "chosen"),
    [
        ("{0} is possible. {1} is possible. {2} and {3} are less so.", None),
        ("{0}: 40%, {1}: 10%, {2}: 40%, {3}: 10%", None),
        ("Dass {0} richtig ist, stimmt nicht.", None),
        ("While {3} might seem plausible because of the thud, the hiss means rain. **Answer: {2}**", "C"),
    ],
)
def test_signs_that_are_weighed_against_each_other_read_as_their_letters(
    signs: str, form: str, chosen: str | None
) -> None:
    assert read_letter(form.format(*signs), "ABCD") == chosen


@pytest.mark.parametrize(
    "reply", ["①③", "选①③", "C①③", "C. ①③", "C（①③）", "①正确②错误③正确④错误，故选C", "①和③正确，选C"]
)
def test_numbers_that_options_have_as_words_are_these_words(reply: str) -> None:
    assert read_letter(reply, "ABCD", STATEMENTS) == "C"
    assert read_letter("①", "ABCD", STATEMENTS) is None
    assert read_letter("🅲", "ABCD", STATEMENTS) == read_letter("(⒞)", "ABCD", STATEMENTS) == "C"


def test_an_option_may_have_its_own_sign_before_its_words() -> None:
    texts = [f"{sign} {text}" for sign, text in zip("①②③④", TEXTS, strict=True)]
    for reply in ("③", "③ a bird sings", "The answer is ③", "3 a bird sings"):
        assert read_letter(reply, "ABCD", texts) == "C"
    keycaps = [f"{sign} {text}" for sign, text in zip(KEYCAP, TEXTS, strict=True)]
    for reply in ("3️⃣ a bird sings", "C 3️⃣ a bird sings", "It is 3️⃣ a bird sings.", "It is 3️⃣ a bird sings, not 1️⃣"):
        assert read_letter(reply, "ABCD", keycaps) == "C"
    assert read_letter("a bird sings", "ABCD", texts) == read_letter("a bird sings", "ABCD", keycaps) == "C"
    assert read_letter("A. 3️⃣ a bird sings", "ABCD", keycaps) is None
    for signs in ("ABCD", LETTERS[0], LETTERS[-1]):
        assert read_letter(", ".join(map(". ".join, zip(signs, keycaps, strict=True))), "ABCD", keycaps) is None
    turned = [texts[2], texts[1], texts[0], texts[3]]
    assert read_letter("③ a bird sings", "ABCD", turned) == "A"
    assert read_letter("③", "ABCD", turned) is None


def test_a_reply_without_signs_stays() -> None:
    assert without_circles("The answer is B.", "ABCD", STATEMENTS, ")") == "The answer is B."


def test_signs_of_a_list_are_labels_unless_the_options_have_them() -> None:
    assert listed("①、③", "ABCD").replace(" ", "") == "A、C"
    assert listed("①③", "ABCD", STATEMENTS) == "①③"
    assert listed("①⑨", "ABCD").replace(" ", "") == "A⑨"
