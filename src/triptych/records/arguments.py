"""Arguments of the Python interface that a type checker would refuse: whole numbers, and lists in place of one text."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from triptych.errors import SpecError


def whole_number(name: str, value: Any) -> int | None:
    """Return a whole number as an `int`, also one of NumPy; None stays None.

    Raises SpecError for anything else, such as 2.5, True or "3".

    Example:
        >>> whole_number("limit", 3), whole_number("limit", None)
        (3, None)
    """
    if value is None:
        return None
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)
    except TypeError:
        raise SpecError(f"{name} must be a whole number", got=repr(value)) from None


def refuse_text(**arguments: Iterable[str] | None) -> None:
    """Raise SpecError for an argument that is one text where several are expected: Python would take its characters.

    Example:
        >>> refuse_text(conditions=["blind"], tasks=())
        >>> refuse_text(conditions="blind")
        Traceback (most recent call last):
        triptych.errors.SpecError: conditions must be a list of texts
          got: 'blind'
          what to do: conditions=['blind']
    """
    for name, value in arguments.items():
        if isinstance(value, str):
            raise SpecError(f"{name} must be a list of texts", got=repr(value), fix=f"{name}=[{value!r}]")
