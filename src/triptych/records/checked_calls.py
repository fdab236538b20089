"""Calls of the Python interface, checked by the annotations of the functions' parameters.

Type checkers refuse most wrong calls, but notebooks have none. A function decorated with `checked_arguments` gets paths
as `Path` or text, lists that can be read more than once, and Python's own numbers; anything else raises SpecError with
the argument's name before the function begins.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Collection
from contextvars import ContextVar
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

from triptych.errors import SpecError as SpecError
from triptych.errors import TriptychError, nearest
from triptych.records.argument_kinds import by_head, value_of

flags_are_named = ContextVar("flags_are_named", default=False)  # by messages: true for the command line
_ARGUMENTS = {  # flags that aren't called as the arguments are
    "judge-repeats": "evaluations",
    "judge-combine": "combine",
    "judge-media": "media",
    "judge": "models",
    "judge-base-url": "base_urls",
    "model-base-url": "base_url",
    "items": "items_file",
    "n": "questions",
}
_QUOTED = r"""(?<!\w)(?:'[^'\n]*'|"[^"\n]*")(?!\w)"""
_FLAG = re.compile(rf"{_QUOTED}|(?<![^\s(])--(?P<flag>[a-z][a-z-]*)(?![^\s,:;.=)]|\.\w)(?P<space> (?=[A-Z0-9]))?")
P = ParamSpec("P")
R = TypeVar("R")


def checked_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function with its arguments checked by their annotations, before anything else is done.

    A path may be anything with a path, such as a Run folder. A generator becomes a list, a scalar of NumPy a number of
    Python. None stands for the default of every argument that has one. Raises SpecError for another type, TypeError for
    an unknown keyword, with the nearest name.

    Example:
        >>> @checked_arguments
        ... def asked(tasks: "Sequence[str]" = (), limit: "int | None" = None):
        ...     return tasks, limit
        >>> asked(task for task in ["main"]), asked(None, 3)
        ((('main',), None), ((), 3))
        >>> asked("main")
        Traceback (most recent call last):
        triptych.errors.SpecError: tasks must be a list of texts
          got: 'main'
          what to do: tasks=['main']
        >>> asked(taks=["main"])
        Traceback (most recent call last):
        TypeError: asked() got an unexpected keyword argument 'taks': did you mean 'tasks'?
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        signature, kinds = _kinds(function)
        if unknown := [name for name in kwargs if name not in kinds and name not in signature.parameters]:
            near = nearest(unknown[0], kinds)
            raise TypeError(f"{function.__name__}() got an unexpected keyword argument {unknown[0]!r}: {near}")
        bound = signature.bind(*args, **kwargs)
        further = next((p.name for p in signature.parameters.values() if p.kind is p.VAR_KEYWORD), "")
        flat = {**bound.arguments, **bound.arguments.get(further, {})}
        flat.pop(further, None)
        sound = {
            name: value_of(name, value, kinds[name]) if name in kinds else value
            for name, value in flat.items()
            if name not in kinds or not _stands_for_the_default(signature, name, value, kinds[name])
        }
        try:
            return function(**sound)  # type: ignore[call-arg]
        except TriptychError as error:
            if not flags_are_named.get():
                _name_arguments(error, kinds)
            raise

    return call


def _name_arguments(error: TriptychError, names: Collection[str]) -> None:
    """Replace the flags of the command line in an error's texts by the arguments. Whole commands, quoted texts and
    `got` are left as they are: they are the caller's.

    Example:
        >>> error = SpecError("--limit must be at least 1", fix="triptych run cmdar --limit 2")
        >>> _name_arguments(error, ["limit"])
        >>> print(error)
        limit must be at least 1
          what to do: triptych run cmdar --limit 2
    """

    def argument(match: re.Match[str]) -> str:
        flag = str(match["flag"])
        same = flag.replace("-", "_")
        name = next((name for name in (same, f"{same}s", _ARGUMENTS.get(flag)) if name in names), None)
        if name is None:  # also of a quoted text
            return match[0]
        return f"{name}=" if match["space"] else name  # before a value, such as LABEL

    def in_python(text: str) -> str:
        return text if "triptych " in text else _FLAG.sub(argument, text)

    message = str(error)
    for part, label in (("problem", ""), ("expected", "expected: "), ("where", "where: "), ("fix", "what to do: ")):
        text = getattr(error, part)
        if not text or (part == "where" and not text.startswith("--")):  # otherwise `where` is a path or an id
            continue
        changed = in_python(text)
        setattr(error, part, changed)
        message = message.replace(f"{label}{text}", f"{label}{changed}", 1)
    error.args = (message,)


def _stands_for_the_default(signature: inspect.Signature, name: str, value: Any, kind: ast.expr) -> bool:
    if value is not None or "None" in by_head(kind):
        return False
    return name not in signature.parameters or signature.parameters[name].default is not inspect.Parameter.empty


@cache
def _kinds(function: Callable[..., Any]) -> tuple[inspect.Signature, dict[str, ast.expr]]:
    """Return the signature, and the annotation of each keyword; those of `**what: Unpack[Arguments]` are its fields."""
    signature = inspect.signature(function)
    texts: dict[str, str] = {}  # of all but `self`
    for name, parameter in signature.parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            fields = (
                inspect.unwrap(function).__globals__[str(parameter.annotation)[len("Unpack[") : -1]].__annotations__
            )
            texts |= {key: getattr(field, "__forward_arg__", field) for key, field in fields.items()}
        elif parameter.annotation is not parameter.empty:
            texts[name] = str(parameter.annotation)
    return signature, {name: ast.parse(text, mode="eval").body for name, text in texts.items()}
