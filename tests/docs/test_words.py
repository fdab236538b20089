"""Prose that docs/writing.md advises against: no room has more of it than docs/making/words_allowed.toml says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.making import words

identifiers = words.identifiers


def test_no_room_has_more_findings_than_it_may() -> None:
    lines = words.over(list(words.findings()))
    assert not lines, "\n".join(["see docs/writing.md", *lines])


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ('"""All is told.\n\nMore is told here."""', [1, 3]),
        ("told = 1  # the file is no package", [1]),
        ('f"{told} of {told[0]}: as {n}"', []),
        ("x = 'told'", []),
        ('"""The field `told` is kept."""', []),
        ('"""There is no file, and there are no rows."""', []),
    ],
)
def test_comments_and_strings_of_python_are_read(source: str, lines: list[int], tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(source + "\n", encoding="utf-8")
    assert [line for line, _, _ in words.matches(path, words.rules()[0])] == lines


def test_code_in_a_page_is_left_out(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("It is told.\n\n```\ntold\n```\n\n`told` <!-- told -->\ntold\n", encoding="utf-8")
    ((start, text),) = words.prose(page)
    assert [n for n, line in enumerate(text.splitlines(), start) if "told" in line] == [1, 8]


def test_identifiers_are_named_for_what_they_hold() -> None:
    lines = [str(one) for one in identifiers.findings()]
    assert not lines, "\n".join(["rename these, or see docs/making/names.toml", *lines])


def test_allowed_names_exist_and_have_reasons() -> None:
    assert identifiers.unused_reasons() == []
    assert all(len(reason) > 10 for reason in identifiers.reasons().values())


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("def rows(place: int) -> None:\n    found = [own for own in range(place)]\n", ["place", "found", "own"]),
        (
            "class Told:\n    asked: int = 0\n\n    def __init__(self) -> None:\n        self._kept = 1\n",
            ["Told", "asked", "_kept"],
        ),
        ("MOST_ROWS = 3\n_LONGEST = 4\nmost_rows = 5\n", ["MOST_ROWS", "_LONGEST"]),
        ("def told_of(replacement: str, known_names: str) -> str:\n    return replacement\n", ["told_of"]),
        (
            "def f() -> None:\n    with open('x') as found, open('y') as file:\n        (lost, n), *kept = (1, 2), 3\n",
            ["found", "lost", "kept"],
        ),
        ("def f() -> None:\n    try:\n        pass\n    except OSError as said:\n        raise said\n", ["said"]),
    ],
)
def test_names_are_found_wherever_they_are_defined(source: str, named: list[str], tmp_path: Path) -> None:
    path = identifiers.ROOT / "src/triptych" / "not_there.py"
    defined = [one for one in identifiers.defined_in(source, path) if identifiers.word_of(one.name)]
    assert [one.name for one in defined] == named


def test_functions_are_not_named_by_one_word_that_is_no_noun_or_verb() -> None:
    source = """
def _whose() -> None:
    def apart() -> None: ...

class Reply:
    def of(self) -> None: ...
    def __or__(self, other: object) -> None: ...
    def normalized(self) -> None: ...

def _plain_text() -> None:
    only = 1
"""
    path = identifiers.ROOT / "src/triptych" / "not_there.py"
    defined = [one for one in identifiers.defined_in(source, path) if identifiers.function_word(one)]
    assert [one.name for one in defined] == ["_whose", "apart", "of"]


def test_a_refused_function_says_what_its_name_is() -> None:
    name = identifiers.Name("src/triptych/reply.py", 3, "function", "Reply", "_whose", "whose")
    assert str(name) == (
        "src/triptych/reply.py:3: function _whose in Reply -> "
        "a noun, or a verb with its object, in place of a mere pronoun"
    )
