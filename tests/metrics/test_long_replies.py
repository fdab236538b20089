"""Replies and questions of a million characters of one kind: a model that runs into a loop sends such.

No time is asserted. Reading that looks through the rest of the text from every character on would take hours here.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triptych.benchmarks.mcga.rows import options as mcga_options
from triptych.benchmarks.mcif.xml_files import _attributes
from triptych.benchmarks.mcs_bench.rows import options as mcs_options
from triptych.conditions.reasons import read_answer
from triptych.metrics.choice import read_letter
from triptych.metrics.normalise import basic, english
from triptych.metrics.thinking import split_thinking
from triptych.models.local.choices import _ABOUT_LETTERS
from triptych.prompts.lettered import find_lettered

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


def test_json_that_never_ends() -> None:
    assert read_answer('"answer":[' * (LONG // 10)) is None
    assert read_answer("\n" * LONG + '```json\n{"answer": "C"}\n```' + "\n" * LONG) == ("C", None)


def test_attributes_that_never_come() -> None:
    assert _attributes("a" * LONG) == {}


def test_thoughts_that_never_end() -> None:
    assert split_thinking("<think>" * (LONG // 100))[0] == ""
