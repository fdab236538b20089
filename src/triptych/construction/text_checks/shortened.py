"""Texts whose runs of repeated characters are shortened, so that a check takes a time in proportion to their length.

Many checks look for a mark that a space, a bracket or a digit precedes; in a text that is 20,000 of these, each one is
a beginning, from which the rest of the text is read. No fault depends on whether a run has 40 characters or 20,000.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

MIN_LENGTH = 1_000  # characters; texts below it are read as they are
MAX_REPEATS = 40  # times that one to eight characters may follow themselves
# A fixed or narrow space, except behind what only a wrong decoding leaves (`Ã` and a fixed space for `à`)
_FIXED_SPACE = re.compile("(?<![ÂÃ])[\u00a0\u2002-\u200a\u202f\u205f]")
_RUN = re.compile(rf"(.{{1,8}}?)\1{{{MAX_REPEATS},}}", re.DOTALL)


def shortened(text: str) -> str:
    """Return a long text in which one to eight characters follow themselves `MAX_REPEATS` times at most.

    >>> len(shortened("a" + " " * 20_000 + "b")), shortened("ha" * 20)  == "ha" * 20
    (42, True)
    """
    return text if len(text) < MIN_LENGTH else _RUN.sub(lambda match: match[1] * MAX_REPEATS, text)


def with_plain_spaces(text: str) -> str:
    """Return a text with ordinary spaces in place of fixed and narrow ones, which word lists don't have.

    >>> with_plain_spaces("zu\\u00a0Fuß, 30\\u202f%")
    'zu Fuß, 30 %'
    """
    return text if text.isascii() else _FIXED_SPACE.sub(" ", text)


def reads_shortened(check: Callable[P, T]) -> Callable[P, T]:
    """Make a check of texts read them as `shortened` and `with_plain_spaces` return them.

    These are its arguments that are texts, or lists of texts.
    """

    @wraps(check)
    def on_shortened(*args: P.args, **kwargs: P.kwargs) -> T:
        return check(*map(_shorten_value, args), **{name: _shorten_value(value) for name, value in kwargs.items()})

    return on_shortened


def _shorten_value(value: Any) -> Any:
    if isinstance(value, str):
        return shortened(with_plain_spaces(value))
    if isinstance(value, list | tuple) and any(isinstance(each, str) and not _is_simple(each) for each in value):
        return type(value)(_shorten_value(each) if isinstance(each, str) else each for each in value)
    return value


def _is_simple(text: str) -> bool:
    return len(text) < MIN_LENGTH and text.isascii()
