"""Arguments of the Python interface that a type checker would refuse: other types, and one text in place of a list."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
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


def refuse_text(**arguments: Iterable[Any] | None) -> None:
    """Raise SpecError for an argument that is one text where several are expected: Python would take its characters;
    also for one path, and for anything else that isn't a list.

    Example:
        >>> refuse_text(conditions=["blind"], tasks=())
        >>> refuse_text(conditions="blind")
        Traceback (most recent call last):
        triptych.errors.SpecError: conditions must be a list of texts
          got: 'blind'
          what to do: conditions=['blind']
    """
    for name, value in arguments.items():
        if value is not None and (isinstance(value, str) or not isinstance(value, Iterable)):
            raise SpecError(f"{name} must be a list of texts", got=repr(value), fix=f"{name}=[{value!r}]")


def refuse_text_in(name: str, lists: Mapping[str, Iterable[str]] | None) -> None:
    """Raise SpecError for a dict of lists that isn't a dict, or one of whose values is one text.

    Example:
        >>> refuse_text_in("filters", {"category": ["SR"]})
        >>> refuse_text_in("filters", {"category": "SR"})
        Traceback (most recent call last):
        triptych.errors.SpecError: filters['category'] must be a list of texts
          got: 'SR'
          what to do: filters={'category': ['SR']}
    """
    refuse_other(name, lists, Mapping, "a dict of lists")
    for key, value in (lists or {}).items():
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise SpecError(
                f"{name}[{key!r}] must be a list of texts", got=repr(value), fix=f"{name}={{{key!r}: [{value!r}]}}"
            )


def refuse_other(name: str, value: Any, types: type | tuple[type, ...], meant: str, fix: str = "") -> None:
    """Raise SpecError for an argument that is neither None nor of one of these types; `meant` says which in words.

    Example:
        >>> refuse_other("settings", {"letter": "B"}, Mapping, "a dict")
        >>> refuse_other("settings", ["letter=B"], Mapping, "a dict", fix="settings={'letter': 'B'}")
        Traceback (most recent call last):
        triptych.errors.SpecError: settings must be a dict
          got: ['letter=B']
          what to do: settings={'letter': 'B'}
    """
    if value is not None and not isinstance(value, types):
        raise SpecError(f"{name} must be {meant}", got=repr(value)[:200], fix=fix or None)
