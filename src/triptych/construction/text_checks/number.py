"""The number of the shared checks of texts, which is part of the keys of all stages that use one of them.

Checks of texts are in many modules, and stages of all recipes use them, also those that read what models and people
wrote. `NUMBER` is raised when a check may decide differently about a text: then every stage that reaches a check
decides again in builds that exist. Which stages these are is read from their code, so that none can be forgotten.
Replies and people's results stay as they are: only the decisions about them are made again.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from importlib import import_module
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from triptych.construction.stage import Stage

NUMBER = 5
_ROOM = "triptych.construction."
# The package with the checks of texts, and with what these rest on
CHECKS = f"{_ROOM}text_checks."
# Parts of the room through which no check is reached: what runs stages, and what declares them
_CARRIERS = (*(_ROOM + name for name in ("engine", "release", "report", "parameters", "record")), __name__)


def number_for(stage: Stage) -> int:
    """Return `NUMBER` for a stage that uses a shared check of texts, and 0 for another one."""
    return NUMBER if uses_checks(stage) else 0


def uses_checks(stage: Stage) -> bool:
    """Return whether the code of a stage reaches a check of this package: by names, closures, or imports within it."""
    return any(_reaches(each) for each in (stage.run, *_functions(stage.asks), *_functions(stage.tasks)))


def _functions(value: object) -> Iterator[Any]:
    """The functions among the fields of a stage's question to models or people."""
    yield from (each for each in vars(value).values() if callable(each)) if value is not None else ()


def _reaches(value: Any) -> bool:
    try:
        return _reaches_check(value)
    except TypeError:  # an object that can't be hashed
        return bool(_reaches_check.__wrapped__(value))


@lru_cache(maxsize=4_096)
def _reaches_check(value: Any) -> bool:
    home = value.__module__ if callable(value) and hasattr(value, "__module__") else type(value).__module__
    package = str(home).partition(".")[0]
    seen, waiting = set[int](), [value]
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        module = str(getattr(each, "__module__", "") or "")
        if module.startswith(_CARRIERS):
            continue
        if module.startswith(CHECKS) and callable(each):
            return True
        if module.startswith((_ROOM, f"{package}.")) or module == home or isinstance(each, partial):
            waiting += _referred_values(each)
    return False


def _referred_values(value: Any) -> Iterator[Any]:
    """Yield the values that a function, a class or a partial call of one refers to."""
    if isinstance(value, partial):
        yield from (value.func, *value.args, *value.keywords.values())
    elif isinstance(value, MethodType):
        yield from (value.__func__, value.__self__)
    elif isinstance(value, FunctionType):
        yield from _of_code(value.__code__, value.__globals__)
        for cell in value.__closure__ or ():
            try:
                yield from _flatten(cell.cell_contents)
            except ValueError:  # a name that has no value yet
                continue
        yield from value.__defaults__ or ()
        if hasattr(value, "__wrapped__"):
            yield value.__wrapped__
    elif inspect.isclass(value):
        yield from (each for each in vars(value).values() if callable(each))
    elif callable(value):
        yield type(value)
        yield from _flatten(getattr(value, "__dict__", {}))


def _flatten(value: Any) -> Iterator[Any]:
    """A value, or those in a list, tuple or mapping."""
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _flatten(each)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _flatten(each)
    else:
        yield value


def _of_code(code: CodeType, names: Mapping[str, Any]) -> Iterator[Any]:
    """The values of the names of a code object, and of the codes within it."""
    modules = [import_module(name) for name in code.co_names if name.startswith(_ROOM) or name in sys.modules]
    for name in code.co_names:
        if name in names:
            value = names[name]
            modules += [value] if isinstance(value, ModuleType) else []
            yield from _flatten(value)
    for module in modules:
        if module.__name__.startswith(_ROOM):
            yield from (vars(module)[name] for name in code.co_names if name in vars(module))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _of_code(constant, names)
