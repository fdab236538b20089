"""The kinds of argument that annotations name: whether a value is of one, and what it is called in a message."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from triptych.errors import SpecError
from triptych.records.arguments import of_python, plain_setting, whole_number

_WORDS = {  # annotation -> what its values are called in messages, and an example where the words don't suffice
    "str": ("a text", ""),
    "Path": ("a path", ""),
    "PathLike": ("a path", ""),
    "int": ("a whole number", ""),
    "float": ("a number", ""),
    "bool": ("True or False", ""),
    "Callable": ("a function", ""),
    "Benchmark": ("a Benchmark", ""),
    "JudgePlan": ("judges of plan_judges", 'judges=plan_judges(["openai/NAME"])'),
    "Plan": ("a plan that `plan` returned", "run_plan(plan(BENCHMARK, MODEL))"),
    "RunFolder": ("a RunFolder", "from triptych.store.folder import RunFolder; RunFolder.open(PATH)"),
    "RunOptions": ("RunOptions", "from triptych.running.loop import RunOptions; RunOptions(…)"),
    "WantedRun": ("a WantedRun", "crossed([BENCHMARK], [MODEL])"),
}
_LISTS = ("Sequence", "Iterable")


def value_of(name: str, value: Any, kind: ast.expr) -> Any:
    """Return a value of the kind that an annotation names. Raises SpecError for any other, with the argument's name."""
    kinds, value = by_head(kind), of_python(value)
    takes_paths = bool({"Path", "PathLike"} & {*kinds})
    if value is None and "None" in kinds:
        return None
    if "Any" in kinds:
        return plain_setting(name, value)
    if isinstance(value, str) and {"str", "Literal"} & {*kinds}:
        if takes_paths and (not value or "\0" in value):
            raise SpecError(f"{name} must be {_expected_words(kind)}", got=repr(value))
        return str(value)
    if takes_paths and isinstance(value, os.PathLike):
        return Path(value)
    if isinstance(value, bool) and "bool" in kinds:
        return value
    if "int" in kinds:
        return whole_number(name, value)
    if "float" in kinds and isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if "Callable" in kinds and callable(value):
        return value
    if "Mapping" in kinds and isinstance(value, Mapping):
        return _dict_of(name, value, *_arguments(kinds["Mapping"]))
    if "tuple" in kinds and isinstance(value, tuple | list) and len(value) == len(_arguments(kinds["tuple"])):
        parts = zip(value, _arguments(kinds["tuple"]), strict=True)
        return tuple(value_of(f"{name}[{i}]", part, of) for i, (part, of) in enumerate(parts))
    if (listed := _list_in(kinds)) is not None and not _is_single_value(value) and not isinstance(value, Mapping):
        return _list_of(name, value, *_arguments(listed))
    if {cls.__name__ for cls in type(value).__mro__} & {*kinds}:
        return value
    raise SpecError(f"{name} must be {_expected_words(kind)}", got=repr(value)[:200], fix=_example(name, value, kind))


def _list_of(name: str, values: Iterable[Any], kind: ast.expr) -> list[Any] | tuple[Any, ...]:
    values = values if isinstance(values, list) else tuple(values)
    if (inner := _list_in(by_head(kind))) is not None and (one := [text for text in values if _is_single_value(text)]):
        words = _plural(*_arguments(inner)).replace("a list", "lists")
        raise SpecError(f"{name} must be {words}", got=repr(one[0]), fix=f"{name}=[{one!r}]")
    checked = [value_of(f"{name}[{number}]", value, kind) for number, value in enumerate(values)]
    return checked if isinstance(values, list) else tuple(checked)


def _dict_of(name: str, values: Mapping[Any, Any], keys: ast.expr, kind: ast.expr) -> dict[Any, Any]:
    for key, value in values.items():
        if _list_in(by_head(kind)) is not None and _is_single_value(value):
            fix = f"{name}={{{key!r}: [{value!r}]}}"
            raise SpecError(f"{name}[{key!r}] must be {_expected_words(kind)}", got=repr(value), fix=fix)
    return {
        value_of(f"a name in {name}", key, keys): value_of(f"{name}[{key!r}]", value, kind)
        for key, value in values.items()
    }


def _is_single_value(value: Any) -> bool:
    return isinstance(value, str | bytes | os.PathLike) or not isinstance(value, Iterable)


def by_head(kind: ast.expr) -> dict[str, ast.expr]:
    """Return the alternatives of an annotation by name: `Path | list[str]` has `Path` and `list`."""
    if isinstance(kind, ast.BinOp):
        return {**by_head(kind.left), **by_head(kind.right)}
    return {ast.unparse(kind.value if isinstance(kind, ast.Subscript) else kind): kind}


def _arguments(kind: ast.expr) -> list[ast.expr]:
    inside = kind.slice if isinstance(kind, ast.Subscript) else ast.Name("str")
    return inside.elts if isinstance(inside, ast.Tuple) else [inside]


def _list_in(kinds: Mapping[str, ast.expr]) -> ast.expr | None:
    return next((kinds[head] for head in _LISTS if head in kinds), None)


def _expected_words(kind: ast.expr) -> str:
    words = [_words(head, one) for head, one in by_head(kind).items() if head != "None"]
    return " or ".join(dict.fromkeys(word for word in words if word))


def _words(head: str, kind: ast.expr) -> str:
    if head in _LISTS:
        return _plural(*_arguments(kind))
    if head == "Mapping":
        inside = _arguments(kind)[1]
        return "a dict of lists" if _list_in(by_head(inside)) is not None else "a dict"
    if head == "tuple":
        return "a pair" if len(_arguments(kind)) == 2 else "a tuple"
    return _WORDS.get("str" if head == "Literal" else head, (head, ""))[0]


def _plural(kind: ast.expr) -> str:
    heads = by_head(kind)
    if _list_in(heads) is not None:
        return "a list of lists"
    named = {"Path": "paths", "PathLike": "paths", "WantedRun": "Runs", "tuple": "pairs"}
    return "a list of " + next((plural for head, plural in named.items() if head in heads), "texts")


def _example(name: str, value: Any, kind: ast.expr) -> str | None:
    kinds = by_head(kind)
    if _list_in(kinds) is not None and "WantedRun" not in ast.unparse(kind) and isinstance(value, str | os.PathLike):
        return f"{name}=[{str(value)!r}]"
    return next((_WORDS[head][1] for head in kinds if _WORDS.get(head, ("", ""))[1]), None)
