"""Tests of `benchmarks/_questions/cells.py`: names and cells of a question file."""

from __future__ import annotations

from typing import Any

import pytest

from triptych.benchmarks._questions.cells import flat, is_empty, keys_of, parse_cell, words


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Question", "question"),
        ("video ID", "video_id"),
        ("videoID", "video_id"),
        ("Choice-A", "choice_a"),
        ("correctOption", "correct_option"),
        ("  GT Answer (letter)  ", "gt_answer_letter"),
        ("option_1", "option_1"),
        (3, "3"),
        ("", ""),
    ],
)
def test_spellings_of_column_names(name: object, key: str) -> None:
    assert flat(name) == key


def test_names_that_are_alike_are_one_key() -> None:
    assert keys_of(["Answer", "answer ", "ANSWER", "Answer-Key"]) == {"answer", "answer_key"}


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ('["a", "b"]', ["a", "b"]),
        ("['a', \"it's\"]", ["a", "it's"]),
        (' {"A": "x", "B": null} ', {"A": "x", "B": None}),
        ("('a', 'b')", "('a', 'b')"),
        ("[not a list", "[not a list"),
        ("[see figure 2]", "[see figure 2]"),
        ("{x}", "{x}"),
        ("[__import__('os').getcwd()]", "[__import__('os').getcwd()]"),
        ("", ""),
        (7, 7),
        (["a"], ["a"]),
    ],
)
def test_lists_and_dictionaries_written_as_text(cell: Any, value: Any) -> None:
    assert parse_cell(cell) == value


def test_deep_and_long_texts_stay_texts() -> None:
    for text in ("[" * 20_000 + "]" * 20_000, "[" + "1," * 40_000 + "1]"):
        assert parse_cell(text) == text


@pytest.mark.parametrize("cell", [None, "", "  \n", [], {}])
def test_empty_cells(cell: Any) -> None:
    assert is_empty(cell)


@pytest.mark.parametrize(("cell", "text"), [(3.0, "3"), (3.5, "3.5"), (0, "0"), (" a ", "a"), (True, "True")])
def test_cells_as_text(cell: Any, text: str) -> None:
    assert not is_empty(cell)
    assert words(cell) == text
