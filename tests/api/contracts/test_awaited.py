"""Tests of `api/contracts/awaited.py`: functions that can be awaited, whatever they are made of, and others."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any

import pytest

from triptych.api.contracts.awaited import returns_awaitable


async def later(*arguments: object) -> int:
    return len(arguments)


def logged(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*arguments: object) -> Any:
        return function(*arguments)

    return wrapper


class Called:
    async def __call__(self, *arguments: object) -> int:
        return 0


class Mine:
    """Methods that can be awaited, and some that can't."""

    by_object, by_partial, decorated = Called(), functools.partial(later, 1), logged(later)
    wrong_lambda = lambda self: 1  # noqa: E731

    async def one(self) -> int:
        return 1

    def annotated(self) -> Awaitable[int]:
        return later()

    def a_coroutine(self) -> Coroutine[Any, Any, int]:
        return later()

    def plain(self):  # type: ignore[no-untyped-def]
        return 1

    def without_annotation(self):  # type: ignore[no-untyped-def]
        return later()

    def annotated_otherwise(self) -> int:
        return 1

    async def generator(self) -> AsyncIterator[int]:
        yield 1


RIGHT = ("one", "annotated", "a_coroutine", "by_object", "by_partial", "decorated")
WRONG = ("plain", "without_annotation", "annotated_otherwise", "generator", "wrong_lambda")


@pytest.mark.parametrize(("name", "expected"), [*((name, True) for name in RIGHT), *((name, False) for name in WRONG)])
def test_what_can_be_awaited(name: str, expected: bool) -> None:
    assert returns_awaitable(getattr(Mine(), name)) is expected


def test_a_builtin_function_can_not_be_awaited() -> None:
    assert not returns_awaitable(len)
