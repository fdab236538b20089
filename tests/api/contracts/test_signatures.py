"""Tests of `api/contracts/signatures.py`."""

from __future__ import annotations

from types import SimpleNamespace

from triptych.api.contracts.signatures import message_of, plainly_takes, takes, texts
from triptych.errors import SpecError


async def later(one: int) -> None: ...


def test_what_a_function_takes() -> None:
    owner = SimpleNamespace(two=lambda a, b: None, later=later, number=3)
    assert list(takes(owner, "two", 2, "two(a, b)")) == []
    assert list(takes(owner, "two", 1, "two(a)")) == ["two(a) can't be called with 1 arguments"]
    assert list(takes(owner, "number", 1, "number(a)")) == ["there is no function number(a)"]
    assert list(plainly_takes(owner, "later", 1, "later(one)")) == [
        "later(one) is async; expected a function that returns its result"
    ]


def test_errors_and_values_in_words() -> None:
    assert message_of(KeyError("marks")) == "KeyError: 'marks'"
    assert message_of(SpecError("no such thing", got="x")).startswith("no such thing")
    assert list(texts(SimpleNamespace(a="x", b=" ", c=3), ("a", "b", "c"), "m: ")) == [
        "m: b is empty",
        "m: c is int; expected a text",
    ]
