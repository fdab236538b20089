"""The contract of a `Recipe`. Another package's is checked when it is loaded, so that no build ends in the middle."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from triptych.construction.stage import Stage
from triptych.errors import SpecError
from triptych.records.plug_ins import accepts, shown

_FUNCTIONS = {  # the name -> its arguments
    "start": ("config", "base", "context"),
    "stages": ("config",),
    "write": ("config", "records", "out", "context"),
}
_TYPES = {"base": "Path", "out": "Path", "context": "Context"}  # of arguments
_OPTIONAL = {"about_output": ("config", "out"), "roles_of": ("config",)}


def recipe_faults(recipe: Any) -> Iterator[str]:
    """Yield what is wrong with a Recipe's attributes. Its functions are looked at, not called."""
    for name in ("name", "about"):
        value = getattr(recipe, name)
        if not isinstance(value, str) or not value:
            yield f"{name} is {value!r}; expected a text that isn't empty"
    if not isinstance(recipe.version, int) or isinstance(recipe.version, bool) or recipe.version < 1:
        yield f"version is {recipe.version!r}; expected an integer, from 1"
    if not inspect.isclass(recipe.config) or not issubclass(recipe.config, msgspec.Struct):
        yield f"config is {shown(recipe.config)}; expected a msgspec Struct"
    elif not recipe.config.__struct_config__.forbid_unknown_fields:
        wanted = f"class {recipe.config.__name__}(msgspec.Struct, forbid_unknown_fields=True)"
        yield f"config accepts unknown keys, so a misspelt one changes nothing; expected {wanted}"
    for name, arguments in {**_FUNCTIONS, **_OPTIONAL}.items():
        function = getattr(recipe, name)
        if function is not None or name in _FUNCTIONS:
            yield from _function_faults(name, function, arguments)
    if not isinstance(recipe.roles, Mapping) or not all(
        isinstance(text, str) for pair in recipe.roles.items() for text in pair
    ):
        yield f"roles is {recipe.roles!r}; expected a mapping: role -> what it does"
    if not isinstance(recipe.benchmark, str):
        yield f"benchmark is {recipe.benchmark!r}; expected a name, or an empty text"
    if not _list_of(recipe.merged, Stage):
        yield f"merged is {shown(recipe.merged)}; expected a list of Stage"
    if not _list_of(recipe.examples, Mapping):
        yield f"examples is {shown(recipe.examples)}; expected a list of configurations: ({{…}},)"


def stage_list(made: Any, recipe: str) -> list[Stage]:
    """Return the stages that a recipe's `stages` has made. Raises SpecError if they are not a list of Stage, or two
    have one name."""
    if not isinstance(made, Sequence) or isinstance(made, str):
        problem, got = "stages gives no list", shown(made)
    elif wrong := [each for each in made if not isinstance(each, Stage)]:
        problem, got = "stages gives something else than a Stage", f"{shown(wrong[0])} {wrong[0]!r}"[:200]
    elif doubled := [name for name, count in Counter(stage.name for stage in made).items() if count > 1]:
        problem, got = "two stages have one name; see Stage.named", doubled[0]
    else:
        return list(made)
    raise SpecError(f"the recipe {recipe!r}: {problem}", got=got, expected="a list of Stage: [length, near_duplicates]")


def _function_faults(name: str, function: Any, arguments: Sequence[str]) -> Iterator[str]:
    called = f"{name}({', '.join(arguments)})"
    if not callable(function):
        yield f"{name} is {shown(function)}; expected a function {called}"
        return
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        yield f"{name} is async; expected a function that does its work when it is called"
    if not accepts(function, len(arguments)):
        yield f"{name} can't be called with {len(arguments)} arguments; expected {called}"
    elif wrong := _misplaced(function, arguments):
        yield f"{name} takes {wrong}; expected {called}"


def _misplaced(function: Callable[..., Any], arguments: Sequence[str]) -> str:
    """Return the first parameter whose name or annotation says that it expects another argument than the one it is
    given; empty if none does."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError:  # a function without a signature
        return ""
    for parameter, argument in zip(parameters, arguments, strict=False):
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            return ""
        name = parameter.name.strip("_")
        if name in arguments and name != argument:
            return f"{name} where {argument} is given"
        annotation = parameter.annotation
        words = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
        kind = words.partition("[")[0].rpartition(".")[2]
        if kind in _TYPES.values() and kind != _TYPES.get(argument):
            return f"a {kind} where {argument} is given"
    return ""


def _list_of(value: Any, kind: type) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, kind) for one in value)
