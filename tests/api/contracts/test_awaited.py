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
    """Methods that pass on, and some that don't."""

    flag = True
    by_object, by_partial, decorated = Called(), functools.partial(later, 1), logged(later)
    by_lambda = lambda self: later(self)  # noqa: E731
    wrong_lambda = lambda self: 1  # noqa: E731

    async def one(self) -> int:
        return 1

    def passes_on(self):  # type: ignore[no-untyped-def]
        return self.one()

    def in_a_thread(self):  # type: ignore[no-untyped-def]
        import asyncio

        def work():  # type: ignore[no-untyped-def]
            return 1

        return asyncio.to_thread(work)

    def one_of_two(self):  # type: ignore[no-untyped-def]
        if self.flag:
            return later(1)
        return self.one()

    def annotated(self) -> Awaitable[int]:
        return later()

    def a_coroutine(self) -> Coroutine[Any, Any, int]:
        return later()

    def plain(self):  # type: ignore[no-untyped-def]
        return 1

    def nothing(self):  # type: ignore[no-untyped-def]
        later(1)  # type: ignore[unused-coroutine]

    def sometimes(self):  # type: ignore[no-untyped-def]
        if self.flag:
            return later(1)
        return None

    def itself(self):  # type: ignore[no-untyped-def]
        return self.itself()  # type: ignore[no-untyped-call]

    async def generator(self) -> AsyncIterator[int]:
        yield 1


RIGHT = ("one", "passes_on", "in_a_thread", "one_of_two", "annotated", "a_coroutine")
WRONG = ("plain", "nothing", "sometimes", "itself", "generator", "wrong_lambda")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *((name, True) for name in (*RIGHT, "by_object", "by_partial", "decorated", "by_lambda")),
        *((name, False) for name in WRONG),
    ],
)
def test_what_can_be_awaited(name: str, expected: bool) -> None:
    mine = Mine()
    assert returns_awaitable(getattr(mine, name), mine) is expected


def test_a_function_without_source_is_none() -> None:
    assert not returns_awaitable(len)
    assert not returns_awaitable(eval("lambda request: later(request)"))  # noqa: S307
