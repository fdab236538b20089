"""Options are found by their words as a pattern of each option would find them, without compiling one."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.metrics.choice import read_letter, read_option
from triptych.metrics.replies.markup import FIRST_MARK
from triptych.metrics.replies.options import _tokens, marked, tokens
from triptych.metrics.replies.words import DENSE

SETS = (
    ["a dog", "the black dog", "dog barking", "ice cream"],
    ["孩子在哭", "狗在叫", "孩子在哭，狗在叫", "正在下雨"],
    ["Straße", "İstanbul", "ſoft", "ΟΔΟΣ"],
    ["日本語 です", "ภาษาไทย ดี", "한국 말", "हिन्दी भाषा"],
    ["is it rain?", "it isn't the rain", "rain, then wind", "x_y z"],
)
GLUE = [
    "",
    " ",
    "-",
    "\n",
    "; ",
    "；",
    "|",
    "_",
    "？",
    "a ",
    "the ",
    "An  ",
    "的",
    "xyz",
    "！！！",
    " " * 8,
    "✓",
    "é",
    "ß",
]


def by_pattern(text: str, options: Sequence[str]) -> str:
    """The same by regular expressions: slow, and plain to see."""
    split = [(tokens(option), n) for n, option in enumerate(options)]
    bare = [(words[words[0] in ("a", "an", "the") :], n) for words, n in split]
    for words, n in sorted(bare, key=lambda pair: -len(pair[0])):
        gap, other = rf"[^\w;；|✗✘×❌✓{DENSE}]{{0,6}}", rf"[^\W_{DENSE}]"
        dense = [bool(re.match(f"[{DENSE}]", word)) for word in (words[0], words[-1])]
        before = "" if dense[0] else rf"(?:(?<![^\W_])(?:a|an|the)\s+)?(?<!{other})"
        written = [re.escape(word).replace("ss", "(?:ss|ß)") for word in words]
        pattern = before + gap.join(written) + ("" if dense[1] else f"(?!{other})")
        text = re.sub(pattern + "[?？]?" * options[n].endswith("?"), f" {chr(FIRST_MARK + n)} ", text, flags=re.I)
    return text


@given(st.sampled_from(SETS), st.data())
def test_the_places_are_those_of_a_pattern(options: list[str], data: st.DataObject) -> None:
    glue = st.sampled_from(GLUE)
    pieces = []
    for option in data.draw(st.lists(st.sampled_from(options), min_size=1, max_size=3)):
        between = data.draw(glue)
        change = data.draw(st.sampled_from([str, str.upper, lambda one, own=between: own.join(tokens(one))]))
        pieces += [data.draw(glue), change(option), data.draw(glue)]
    text = "".join(pieces)
    assert marked(text, options) == by_pattern(text, options)


def test_no_pattern_is_compiled_for_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    options = ["孩子在操场上哭", "the dog barks at a car"]

    def chosen(number: int) -> int | None:
        fresh = [f"{option} {number} 又" for option in options]
        return read_option(f"答案：{fresh[1]}", fresh)

    assert chosen(0) == 1  # compiles the patterns that are the same for all options
    monkeypatch.setattr(re._compiler, "compile", None)  # type: ignore[attr-defined]
    assert [chosen(number) for number in (1, 2, 3)] == [1, 1, 1]


@pytest.mark.parametrize(
    ("reply", "options", "chosen"),
    [
        ("Die Antwort ist weiß.", ["schwarz", "weiß"], 1),
        ("Weiß!", ["schwarz", "weiß"], 1),
        ("Antwort: groß und weiß", ["klein und weiß", "groß und weiß"], 1),
        ("Die Antwort ist Fuß.", ["sauer", "Fuß"], 1),
        ("Es ist die Straße.", ["Strasse", "Fluss"], 0),
        ("Es ist die STRASSE.", ["Straße", "Fluss"], 0),
        ("Es ist die STRAẞE.", ["Straße", "Fluss"], 0),
        ("Die Antwort ist Spaß.", ["Spas", "Ernst"], None),
        ("Die Antwort ist İstanbul.", ["Ankara", "İstanbul"], 1),
    ],
)
def test_letters_that_are_two_without_case(reply: str, options: list[str], chosen: int | None) -> None:
    """`ß` and `ss` are the same letters to a reader; half of a `ß` is not a word of its own."""
    assert read_option(reply, options) == chosen


def test_long_options_are_not_remembered() -> None:
    before = _tokens.cache_info().currsize
    for number in range(3):
        assert tokens(f"{number} " + "rain " * 1000)[1:3] == ("rain", "rain")
    assert _tokens.cache_info().currsize == before


@pytest.mark.parametrize("texts", [("True", "False"), ("Correct", "Incorrect"), ("Right", "Wrong"), ("正确", "错误")])
@pytest.mark.parametrize("form", ["{1} (B)", "{1}（B）", "**{1} (B)**", "Answer: {1} (B)", "The answer is {1} (B)."])
def test_an_everyday_word_before_its_own_label_in_brackets_is_the_option(texts: tuple[str, str], form: str) -> None:
    assert read_letter(form.format(*texts), "AB", texts) == "B"
    assert read_letter(form.format(*texts), "AB", texts[::-1]) is None
    assert read_letter(form.format(*texts), "AB", ("rain", "wind")) is None


@pytest.mark.parametrize(
    ("reply", "index"),
    [("12 km", 0), ("1.2 km", 1), ("It is 12 km.", 0), ("It is 1.2 km.", 1), ("1 2 km", 1), ("120 m", 2)],
)
def test_a_number_is_not_another_with_a_separator(reply: str, index: int) -> None:
    options = ["12 km", "1.2 km", "120 m"]
    assert [n for n in range(3) if chr(FIRST_MARK + n) in marked(reply, options)] == [index]
