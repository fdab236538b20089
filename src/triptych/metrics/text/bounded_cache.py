"""A cache of results for texts whose memory is bounded: few long texts are kept, and many short ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

LONG = 20_000  # characters of all texts of a call
CACHED_CALLS = 4

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def remembered(many: int) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Return a decorator like `functools.lru_cache`, for functions of texts.

    A model that runs into a loop gives thousands of long replies, and a cache that keeps them all would fill the
    memory. Therefore only the last 4 results for more than 20,000 characters are kept.

    Args:
        many: Number of results kept for shorter texts.

    Example:
        >>> @remembered(many=100)
        ... def words_of(text: str) -> int:
        ...     return len(text.split())
        >>> words_of("two words")
        2
    """

    def decorate(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        of_short, of_long = lru_cache(maxsize=many)(function), lru_cache(maxsize=CACHED_CALLS)(function)

        @wraps(function)
        def call(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
            long = sum(len(value) for value in args if isinstance(value, str)) > LONG
            return of_long(*args, **kwargs) if long else of_short(*args, **kwargs)  # type: ignore[arg-type]

        return call

    return decorate
