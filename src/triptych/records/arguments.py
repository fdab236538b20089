"""Values that Python programs pass: whole numbers, scalars of NumPy, and settings as JSON has them."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping
from datetime import date, time
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


def of_python(value: Any) -> Any:
    """Return a scalar of NumPy as the number, bool or text of Python that it is; anything else as it is.

    Example:
        >>> import numpy as np
        >>> of_python(np.float32(0.5)), of_python(np.bool_(True)), of_python("a")
        (0.5, True, 'a')
    """
    is_scalar = type(value).__module__.split(".")[0] == "numpy" and getattr(value, "shape", None) == ()
    return value.item() if is_scalar else value


def plain_setting(name: str, value: Any) -> Any:
    """Return a setting as JSON and TOML can have it: scalars of NumPy as Python's, paths as texts, tuples as lists.

    Raises SpecError for anything else.

    Example:
        >>> from pathlib import Path
        >>> plain_setting("settings", {"weights": Path("model"), "stop": ("a", "b")})
        {'weights': 'model', 'stop': ['a', 'b']}
    """
    value = of_python(value)
    if value is None or isinstance(value, str | bool | int | float | date | time):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        if wrong := [key for key in value if not isinstance(key, str)]:
            raise SpecError(f"a name in {name} must be a text", got=repr(wrong[0])[:200])
        return {str(key): plain_setting(f"{name}[{key!r}]", one) for key, one in value.items()}
    if isinstance(value, list | tuple) or type(value).__module__ == "numpy":
        return [plain_setting(f"{name}[{number}]", one) for number, one in enumerate(value)]
    raise SpecError(f"{name} must be a text, a number, True or False, a list or a dict", got=repr(value)[:200])
