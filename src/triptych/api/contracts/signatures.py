"""Another package's functions and errors in words: how they can be called, and which line an error comes from."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from triptych.errors import TriptychError
from triptych.records.plug_ins import accepts, line_of, shown, why_not

NOTE = "note: "  # a line that begins with it is not a fault


def takes(owner: object, name: str, arguments: int, shown: str) -> Iterator[str]:
    """Yield that an object has no function of a name, or that it can't be called with so many arguments."""
    function = getattr(owner, name, None)
    if not callable(function):
        yield f"there is no function {shown}"
    elif not accepts(function, arguments):
        yield f"{shown} can't be called with {arguments} arguments"


def plainly_takes(owner: object, name: str, arguments: int, shown: str) -> Iterator[str]:
    """Yield the faults of `takes`, and that a function is async where its result is used at once."""
    yield from takes(owner, name, arguments, shown)
    function = getattr(owner, name, None)
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        yield f"{shown} is async; expected a function that returns its result"


def message_of(error: BaseException) -> str:
    """Return an error of another package's code in words, with the line of that package which it comes from."""
    words = str(error) if isinstance(error, TriptychError) else why_not(error)
    line = line_of(error)
    return f"{words} ({line})" if line else words


def texts(owner: object, names: tuple[str, ...], about: str = "") -> Iterator[str]:
    """Yield the attributes that are not a text, or an empty one, or one of several lines."""
    for name in names:
        value = getattr(owner, name, None)
        if not isinstance(value, str):
            yield f"{about}{name} is {shown(value)}; expected a text"
        elif not value.strip():
            yield f"{about}{name} is empty"
        elif len(value.splitlines()) > 1:
            yield f"{about}{name} has several lines; expected one, for lists and tables"
