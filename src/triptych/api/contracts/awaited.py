"""Whether what a function returns can be awaited, found out without a call: a plug-in may do real work in it."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any, get_origin, get_type_hints


def returns_awaitable(function: Callable[..., Any]) -> bool:
    """Return whether a function is `async`, or its annotation says that what it returns can be awaited.

    >>> async def later(): ...
    >>> returns_awaitable(later), returns_awaitable(len)
    (True, False)
    """
    if inspect.isasyncgenfunction(function):
        return False
    call = type(function).__call__  # of an object that is called like a function
    # unwrap: a decorator's plain function around an async one
    if any(inspect.iscoroutinefunction(one) for one in (function, call, inspect.unwrap(function))):
        return True
    try:
        returned = get_type_hints(function).get("return")
    except Exception:  # noqa: BLE001 - there are none, or they can't be evaluated
        return False
    returned = get_origin(returned) or returned
    return inspect.isclass(returned) and issubclass(returned, Awaitable)
