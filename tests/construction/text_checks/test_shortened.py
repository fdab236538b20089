"""Texts of 20,000 equal characters: every check of texts reads them shortened, and decides as about the short text."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import triptych.construction
from triptych.construction.people.reviews import person_key
from triptych.construction.recipes.mcs_bench import chinese_marks
from triptych.construction.text_checks.classical.translations import other_date
from triptych.construction.text_checks.makers.chatter import chatter_fault
from triptych.construction.text_checks.makers.refusals import declines
from triptych.construction.text_checks.options.quantities import with_plain_quantities
from triptych.construction.text_checks.shortened import (
    MAX_REPEATS,
    MIN_LENGTH,
    reads_shortened,
    shortened,
    with_plain_spaces,
)
from triptych.construction.text_checks.translation.clock import clock_times

# What arrives: pages without their markup, tables padded with spaces, models that repeat a token until their limit
UNITS = (
    *(
        " ",
        "\n",
        "\u3000",
        "\u00a0",
        " \n",
        "\t",
        "a",
        "A ",
        "1",
        "1 ",
        "1.",
        "一",
        "的",
        "我",
        "哈哈",
        "请",
        "ha",
        "the ",
    ),
    *(
        "(",
        "（",
        "[",
        "<",
        "{",
        "“",
        '"',
        "'",
        ")",
        "】",
        ".",
        "…",
        "。",
        ",",
        "，",
        ":",
        "-",
        "_",
        "*",
        "#",
        "|",
        "\\",
    ),
    *("&", "=", "\u0301", "e\u0301", "😀", "①", "A. ", "答案", "I ", "? ", "http://", "\\n", "[1]", "1:", "( ", "a."),
)
LENGTH = 20_000
TEXTS = ("str", "Sequence[str]")
# Takes ids, which it compares as they are; `script_of` and the like return a word that is no fault
NO_CHECKS = {"faults_of_ids"}


def _checks() -> Iterator[tuple[str, Callable[..., Any], list[str]]]:
    """The public functions of construction that return a fault of texts, with the types of what they require."""
    for module in pkgutil.walk_packages(triptych.construction.__path__, "triptych.construction."):
        for name, function in sorted(vars(importlib.import_module(module.name)).items()):
            if not inspect.isfunction(function) or function.__module__ != module.name or name.startswith("_"):
                continue
            required = [
                str(each.annotation)
                for each in inspect.signature(function).parameters.values()
                if each.default is each.empty
            ]
            returned = str(function.__annotations__.get("return"))
            is_fault = "Fault" in returned or returned.startswith("tuple[str, str] |")
            if is_fault and required and set(required) <= {*TEXTS, "int", "float"} and name not in NO_CHECKS:
                yield f"{module.name}.{name}", function, required


CHECKS = list(_checks())


def test_every_check_of_texts_reads_them_shortened() -> None:
    assert len(CHECKS) > 40
    as_they_are = [name for name, check, _ in CHECKS if not hasattr(check, "__wrapped__")]
    assert not as_they_are, "add `@reads_shortened` (triptych.construction.text_checks.shortened) to these"


def test_a_run_of_any_length_is_shortened_to_the_same_text() -> None:
    for unit in UNITS:
        text, longer = (f"Ein Satz{unit * number}und noch einer" for number in (LENGTH, 3 * LENGTH))
        assert shortened(text) == shortened(longer), repr(unit)
        assert len(shortened(text)) < (MAX_REPEATS + 2) * 8 + 40


def test_texts_of_material_are_read_as_they_are() -> None:
    laughing, numerals = "哈哈哈哈哈，他笑了。" * 150, "一二三四五六七八九十百千" * 100
    for text in (" " * 900, laughing, numerals, "a.b.c " * MAX_REPEATS + "He left early. " * 60):
        assert shortened(text) == text


@pytest.mark.parametrize(("name", "check", "required"), CHECKS, ids=[name for name, _, _ in CHECKS])
def test_a_long_run_is_decided_like_a_short_one(name: str, check: Callable[..., Any], required: list[str]) -> None:
    for unit in UNITS[:: 7 if "Sequence[str]" in required else 3]:
        long, short = unit * LENGTH, unit * MAX_REPEATS
        assert _reason(check, required, f"He said {long} so.") == _reason(check, required, f"He said {short} so."), unit


@pytest.mark.parametrize(("name", "check", "required"), CHECKS, ids=[name for name, _, _ in CHECKS])
def test_a_run_that_is_read_as_it_is_takes_no_longer(name: str, check: Callable[..., Any], required: list[str]) -> None:
    """An expression that tries every division of a run into parts would take minutes for each of these texts."""
    for unit in ("\n", "A", "(", "啊"):
        text = unit * (MIN_LENGTH - 50)
        assert shortened(text) == text
        _reason(check, required, text)
        _reason(check, required, f"Er sagt{text}nichts")


def _reason(check: Callable[..., Any], required: list[str], text: str) -> list[str]:
    names = list(inspect.signature(check).parameters)
    arguments: list[Any] = []
    for name, kind in zip(names, required, strict=False):
        value: Any = "en" if name == "language" else 3 if kind in ("int", "float") else text
        several = [text, "a bell"] if name == "pair" else [text, "a bell", "a dog"]
        arguments.append(several if kind == "Sequence[str]" else value)
    made = check(*arguments)
    faults = list(made) if inspect.isgenerator(made) else [made]
    return [fault if isinstance(fault, str) else fault[0] for fault in faults if fault]


def test_functions_that_rewrite_a_text_read_it_once() -> None:
    assert person_key("x" + " " * LENGTH + "(x") == "x" + " " * LENGTH + "(x"
    assert with_plain_quantities("1" * LENGTH) == "1" * LENGTH
    assert with_plain_quantities("1小时30分") == "5400秒"
    assert chinese_marks("王" + "\u3000" * LENGTH + ",曰") == "王，曰"
    assert other_date("一" * LENGTH + "二三十", "two years") is None


def test_checks_read_ordinary_spaces_in_place_of_fixed_and_narrow_ones() -> None:
    check = reads_shortened(lambda text, options: (text, options))
    assert check("zu\u00a0Fuß", ["30\u202f%", "a\u2009b", None, "c"]) == ("zu Fuß", ["30 %", "a b", None, "c"])
    assert with_plain_spaces("voilÃ\u00a0") == "voilÃ\u00a0", "what a wrong decoding leaves stays"


@pytest.mark.parametrize("space", [" ", "\u00a0", "\u202f"])
def test_lists_of_words_know_their_words_with_any_space(space: str) -> None:
    def spaced(text: str) -> str:
        return text.replace(" ", space)

    assert declines(spaced("I cannot answer this question about the audio."))
    assert clock_times(spaced("alle sette e mezza"), "it") == {450}
    assert chatter_fault(spaced("Sure! Here is the question you asked for: what is heard?")) is not None
