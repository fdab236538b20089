"""Replies and questions of a million characters of one kind: a model that runs into a loop sends such.

No time is asserted. Reading that looks through the rest of the text from every character on would take hours here.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.benchmarks.mcga.rows import options as mcga_options
from triptych.benchmarks.mcif.xml_files import _attributes
from triptych.benchmarks.mcs_bench.rows import options as mcs_options
from triptych.conditions.reasons import read_answer
from triptych.construction.stages.annotation import _BOUNDARY
from triptych.judges.parsers import _ASCII_BRACKET
from triptych.metrics.choice import read_letter
from triptych.metrics.replies.thinking import split_thinking
from triptych.metrics.text.normalise import basic, english
from triptych.metrics.text.resegmentation import TooManyWords, resegment
from triptych.models.local.choices import _ABOUT_LETTERS, _beginning_of
from triptych.prompts.lettered import find_lettered
from triptych.secrets import scrub

LONG = 1_000_000


@pytest.mark.parametrize("sign", ["<", "[", "("])
def test_open_brackets(sign: str) -> None:
    assert basic(sign * LONG).strip() == ""
    assert read_letter(sign * (LONG // 10)) is None


def test_blanks() -> None:
    assert english("a" + " " * LONG + "b") == "a b"
    assert find_lettered("A. x B. y" + " " * LONG + "z", ("A", "B")) is not None
    assert _ABOUT_LETTERS.sub("", " " * LONG) == " " * LONG


@pytest.mark.parametrize("options", [mcga_options, mcs_options])
def test_blanks_behind_the_last_option(options: Callable[[str], dict[str, str]]) -> None:
    assert options("A、x B、y" + " " * LONG + "z")["A"] == "x"
    assert options("A、x B、y" + "\n" * LONG + "答案：") == {"A": "x", "B": "y"}


@pytest.mark.parametrize("words", ["answer is", "答案", "Option", "say", "A", "so", "match a", "definitely"])
@pytest.mark.parametrize("blanks", [" ", "\n", " \n", "\t"])
def test_blanks_behind_a_verdict(words: str, blanks: str) -> None:
    assert read_letter(words + blanks * LONG + "x") == read_letter(words + blanks * 10 + "x")
    assert read_letter(f"The answer is{blanks * LONG}B") == "B"


@given(st.lists(st.sampled_from(["The answer is", "not", "A", "B.", "\n", "or", " ", "because", ":"]), max_size=6))
def test_how_long_a_run_of_blanks_is_makes_no_difference(words: list[str]) -> None:
    assert len({read_letter((" " * number).join(words)) for number in (40, 45, 90)}) == 1


def test_a_judges_digits_and_blanks() -> None:
    assert _ASCII_BRACKET.search("[" + "1" * LONG) is None
    assert _ASCII_BRACKET.findall("[5/10] [4./5] [.5/1] [3.5/5]") == ["5", "4.", "3.5"]


def test_sentences_that_end_in_marks_alone() -> None:
    assert len(list(_BOUNDARY.finditer("a!?… b." + "." * LONG + " c。。”d"))) == 3


def test_shortest_beginning_among_blanks() -> None:
    assert _beginning_of("a" + "\n" * LONG, ["a b"]) == "a" + "\n" * LONG + "\n"


def test_heads_of_tokens() -> None:
    assert scrub("eyJ-" * (LONG // 4)) == "eyJ-" * (LONG // 4)
    assert scrub("x-eyJhbGciOiJI.eyJzdWIiOiIx.c2ln") == "x-eyJ***"


def test_a_talk_that_cannot_be_cut_is_refused_before_memory_is_taken() -> None:
    with pytest.raises(TooManyWords, match="too long"):
        resegment("a " * (LONG // 2), ["a b c"] * 1000)


def test_json_that_never_ends() -> None:
    assert read_answer('"answer":[' * (LONG // 10)) is None
    assert read_answer("\n" * LONG + '```json\n{"answer": "C"}\n```' + "\n" * LONG) == ("C", None)


def test_attributes_that_never_come() -> None:
    assert _attributes("a" * LONG) == {}


def test_thoughts_that_never_end() -> None:
    assert split_thinking("<think>" * (LONG // 100))[0] == ""
