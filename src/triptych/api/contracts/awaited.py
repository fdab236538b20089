"""Whether what a function returns can be awaited, found out without a call: a plug-in may do real work in it."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, get_origin, get_type_hints


def returns_awaitable(function: Callable[..., Any], owner: object = None) -> bool:
    """Return whether a function is `async`, or a plain one that passes on what an `async` one returns.

    Its annotation says so, or each `return` of its source is a call of a coroutine function. `owner`: the object that
    its first argument is, if it is a method.

    >>> async def later(): ...
    >>> returns_awaitable(later), returns_awaitable(len)
    (True, False)
    """
    return _is_async(function) or _passes_on(function, owner)


def _is_async(function: Callable[..., Any]) -> bool:
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


def _passes_on(function: Callable[..., Any], owner: object) -> bool:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        names = inspect.getclosurevars(inspect.unwrap(function))
    except (OSError, TypeError, SyntaxError, ValueError):  # there is no source, or can't be read by itself
        return False
    written = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)]
    if not written or (isinstance(written[0], ast.Lambda) and len(written) > 1):  # which of them is it?
        return False
    by_name: dict[str, Any] = {**names.builtins, **names.globals, **names.nonlocals, **_imported(written[0])}
    if owner is not None and (arguments := written[0].args.args):
        by_name[arguments[0].arg] = owner
    returned = [written[0].body] if isinstance(written[0], ast.Lambda) else list(_returned(written[0].body))
    return bool(returned) and all(_is_awaitable(value, by_name) for value in returned)


def _returned(body: list[ast.stmt]) -> Iterator[ast.expr | None]:
    """Yield what a function's own `return` statements return, not those of functions inside it."""
    waiting: list[ast.AST] = list(body)
    for node in waiting:
        if isinstance(node, ast.Return):
            yield node.value
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


def _imported(function: ast.AST) -> dict[str, Any]:
    """Return the modules that a function imports by `import NAME`, if they have been imported."""
    names = [one for node in ast.walk(function) if isinstance(node, ast.Import) for one in node.names]
    return {one.asname or one.name: sys.modules.get(one.name) for one in names}


def _is_awaitable(value: ast.expr | None, by_name: Mapping[str, Any]) -> bool:
    if not isinstance(value, ast.Call):
        return False
    path: list[str] = []
    called = value.func
    while isinstance(called, ast.Attribute):
        path.append(called.attr)
        called = called.value
    if not isinstance(called, ast.Name) or called.id not in by_name:
        return False
    target = by_name[called.id]
    for name in reversed(path):
        target = getattr(target, name, None)
    return callable(target) and _is_async(target)
