"""Tests of `benchmarks/_questions/answers.py`: the ways in which an answer can be read."""

from __future__ import annotations

import unicodedata
from decimal import Decimal
from typing import Any

import pytest

from triptych.benchmarks._questions.answers import (
    named_twice,
    number_of,
    readings,
    references_in,
    scale_of,
    second_of,
    span_of,
)

ANIMALS = ["a dog", "a cat", "a bird", "no animal"]


@pytest.mark.parametrize(
    ("cell", "way", "places"),
    [
        ("B", "letter", (1,)),
        ("(b)", "letter", (1,)),
        ("Ｄ．", "letter", (3,)),
        ("C. a bird", "letter", (2,)),
        ("A Cat", "text", (1,)),
        ("  a   bird ", "text", (2,)),
        (2, "index0", (2,)),
        ("2", "index1", (1,)),
        (3.0, "index0", (3,)),
        ("A, C", "letters", (0, 2)),
        ("BD", "letters", (1, 3)),
        ("Ａ，Ｃ", "letters", (0, 2)),
        ("A、C", "letters", (0, 2)),
        ("A和C", "letters", (0, 2)),
        ("①③", "letters", (0, 2)),
        ("①、③", "letters", (0, 2)),
        ('["A", "D"]', "letters", (0, 3)),
        (["a cat", "a dog"], "texts", (0, 1)),
        (["B"], "letter", (1,)),
    ],
)
def test_what_an_answer_names(cell: Any, way: str, places: tuple[int, ...]) -> None:
    assert readings(cell, ANIMALS)[way] == places


@pytest.mark.parametrize("cell", ["E", "a fish", 4, -1, "", None, True, {"A": 1}, "AA", ["A", "Z"], [], "B. a dog?"])
def test_what_names_no_option(cell: Any) -> None:
    assert set(readings(cell, ANIMALS)) <= ({"index1"} if cell == 4 else set())


def test_options_that_are_letters_or_numbers_are_ambiguous() -> None:
    assert readings("A", ["B", "A", "D", "C"])["letter"] != readings("A", ["B", "A", "D", "C"])["text"]
    assert readings("2", ["1", "2", "3"]) == {"text": (1,), "index0": (2,), "index1": (1,), "texts": (1,)}
    assert "text" not in readings("a dog", ["a dog", "A dog"])


@pytest.mark.parametrize(
    ("cell", "span"),
    [
        ([1, 2.5], (1, 2.5)),
        ("[[1, 2]]", (1, 2)),
        ({"start": 3, "end": 4}, (3, 4)),
        ("01:00 - 01:30", (60, 90)),
        ([5, 3], None),
        ([-1, 3], None),
        ([1], None),
        ("1-3", None),
        ([True, 2], None),
    ],
)
def test_spans_of_time(cell: Any, span: tuple[float, float] | None) -> None:
    assert span_of(cell) == span


@pytest.mark.parametrize(
    ("cell", "second"),
    [
        (3, 3.0),
        ("30 sec", 30.0),
        ("03:28", 208.0),
        ("1:02:03.5", 3723.5),
        ("", None),
        ("-3", None),
        (True, None),
        ([3], None),
        (1e12, None),
    ],
)
def test_times(cell: Any, second: float | None) -> None:
    assert second_of(cell) == second


def test_scales_and_numbers() -> None:
    assert [scale_of(text) for text in ("1-5", "0 to 100", "-3–3", "5-1", "1", "")] == [
        (1, 5),
        (0, 100),
        (-3, 3),
        None,
        None,
        None,
    ]
    assert [number_of(text) for text in ("1,200.5", " -3 ", "1,20", "1e3", "")] == [
        Decimal("1200.5"),
        -3,
        Decimal("1.20"),
        None,
        None,
    ]


def test_texts_are_compared_composed_and_without_marks_of_direction() -> None:
    options = ["café", "كلب\u200f", "\u202bقطة\u202c"]
    assert readings(unicodedata.normalize("NFD", "café"), options)["text"] == (0,)
    assert readings("كلب", options)["text"] == (1,)
    assert readings("قطة\u200e", options)["text"] == (2,)
    assert "text" not in readings("كلب", ["كلب", "كلب\u200f"])  # which of them isn't said


@pytest.mark.parametrize(
    ("cell", "letter"),
    [(["C", "C"], "C"), (["a dog", "A"], "A"), ("BB", "B"), ("A, C", ""), (["A", "B"], ""), ("a dog", ""), (None, "")],
)
def test_an_option_that_is_named_twice(cell: Any, letter: str) -> None:
    assert named_twice(cell, ANIMALS) == letter
    assert not letter or not set(readings(cell, ANIMALS)) & {"letters", "texts"}


@pytest.mark.parametrize(
    ("cell", "references"),
    [
        ({"text": ["x", "y", "x"], "answer_start": [1, 2, 3]}, ["x", "y"]),
        ('{"text": ["x"], "answer_start": [1]}', ["x"]),
        ([{"text": "x", "answer_start": 1}, {"text": "y", "answer_start": 4}], ["x", "y"]),
        ({"text": [], "answer_start": []}, []),
        ({"text": "x"}, {"text": "x"}),
        (["x", "y"], ["x", "y"]),
        ([], []),
        (None, None),
        ("x", "x"),
    ],
)
def test_answers_in_the_form_of_squad(cell: Any, references: Any) -> None:
    assert references_in(cell) == references
