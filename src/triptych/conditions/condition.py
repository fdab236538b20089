"""Conditions: changes applied to Items before they are asked. Each module lists its own in `CONDITIONS`."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

from triptych.errors import DataError, SpecError, TriptychError, nearest
from triptych.prompts.template import PromptSpec
from triptych.records import Item, ResponseStatus
from triptych.records.plug_ins import broken_plug_ins, load_plug_ins, shown, why_not


class Condition(Protocol):
    """A pure function of Items: the same Item always gives the same result; id, task, facets and Instance are kept.

        name     as on the command line, including arguments: `blind`
        summary  one line for people

    `apply` raises NotApplicable for an Item that the Condition can't be applied to; its Response is then `skipped`,
    with the reason. Additional abilities: see `Expanding`, `ChangesPrompt`, `BringsFiles`, and
    `triptych.conditions.readings`. If a Condition has a true attribute `needs_hashes`, the media of its Items' stems
    have content hashes.
    """

    @property
    def name(self) -> str:
        """The name as on the command line and in journals."""

    @property
    def summary(self) -> str:
        """A summary for people, in one line."""

    def apply(self, item: Item) -> Item:
        """Return the Item under this Condition."""


@runtime_checkable
class Expanding(Protocol):
    """A Condition that makes several Items from one. Each has its own id and Unit; all share the Instance."""

    def variants(self, item: Item) -> tuple[Item, ...]:
        """Return the Items, at least one. Raises NotApplicable."""


@runtime_checkable
class ChangesPrompt(Protocol):
    """A Condition that changes how Items are asked, not their content."""

    def change_prompt(self, prompt: PromptSpec) -> PromptSpec:
        """Return the template under this Condition."""


@runtime_checkable
class BringsFiles(Protocol):
    """A Condition whose media changes need files from outside the data folder."""

    @property
    def files(self) -> Mapping[str, Path]:
        """Return SHA-256 -> path of the file."""


class NotApplicable(DataError):
    """A Condition can't be applied to an Item; `status` becomes the status of its Response, `kind` that of its
    error.
    """

    status: ResponseStatus = "skipped"
    kind = "condition"


class Argument(NamedTuple):
    """An argument of a Condition. `default`: None if the argument is required; for `seed`, the default is the Run's
    seed.
    """

    name: str
    help: str
    default: str | None = None
    kind: type = str
    choices: tuple[str, ...] = ()
    least: float = float("-inf")
    most: float = float("inf")
    opens: bool = False  # it names a file or folder that is opened


Make = Callable[[Mapping[str, str], int], Condition]


class Offer(NamedTuple):
    """An entry of a module's `CONDITIONS`. `arguments`: None if `make` parses the arguments itself.

    `make` receives the given arguments (all known, of the right type and in range) and the Run's seed.
    """

    summary: str
    make: Make
    arguments: tuple[Argument, ...] | None = None


class AvailableCondition(NamedTuple):
    """An available Condition: its summary, a function to make it (arguments, seed), and the package it comes from."""

    summary: str
    make: Make
    origin: str
    arguments: tuple[Argument, ...] | None = None


def known_conditions() -> dict[str, AvailableCondition]:
    """Return all Conditions by name. Of two with one name the first counts, so that no package can replace a built-in
    one."""
    conditions: dict[str, AvailableCondition] = {}
    for name, available in _all_conditions():
        conditions.setdefault(name, available)
    return conditions


def find_condition(wanted: str, *, seed: int = 0, files: bool = True) -> Condition:
    """Return the Condition for `NAME`, `NAME:key=value,…` or `NAME:value` (its first argument).

    `seed` is for Conditions that draw random numbers. `files`: whether the Condition may open the files that it names;
    not allowed for names from a Run's manifest, which can come from anybody. Raises SpecError, which names the nearest
    known Condition.
    """
    name, _, rest = wanted.partition(":")
    conditions = known_conditions()
    if name not in conditions:
        raise SpecError(f"unknown condition {name!r}", fix=nearest(name, conditions))
    offered = conditions[name].arguments
    arguments: dict[str, str] = {}
    for pair in filter(None, rest.split(",")):
        key, equals, value = pair.partition("=")
        if not equals and offered and not arguments:
            key, value = offered[0].name, pair
        elif not equals:
            raise SpecError(f"condition {name!r}: can't parse {pair!r}", expected="NAME:key=value", got=wanted)
        key = key.strip()
        if key in arguments:
            raise SpecError(f"condition {name!r}: {key} is given twice", got=wanted, fix=f"give {key} one value")
        arguments[key] = value.strip()
    if offered is not None:
        _check(name, offered, arguments)
    if not files and arguments and (offered is None or any(a.opens and a.name in arguments for a in offered)):
        raise SpecError(
            f"condition {name!r} names a file, which is opened only when a Run is started", got=wanted[:200]
        )
    return _make_condition(name, conditions[name], arguments, seed)


def _make_condition(name: str, available: AvailableCondition, arguments: Mapping[str, str], seed: int) -> Condition:
    """Return the Condition. Raises SpecError, which names the package, if another package's can't be made or used."""
    if available.origin == "triptych":
        return available.make(arguments, seed)
    where = f"CONDITIONS[{name!r}] of the package {available.origin}"
    fix = f"report it to the authors of {available.origin}; they can use `triptych check-plugin`"
    try:
        made = available.make(arguments, seed)
    except TriptychError:
        raise
    except (Exception, SystemExit) as error:
        raise SpecError(f"the Condition {name!r} can't be made", got=why_not(error), where=where, fix=fix) from error
    if (fault := condition_fault(name, made)) is not None:
        raise SpecError(f"make of the Condition {name!r} {fault}", where=where, fix=fix)
    return made


def condition_fault(name: str, made: object) -> str | None:
    """Return what keeps the object that `make` returned from being used as the Condition `name`; None if nothing does.

    Example:
        >>> condition_fault("shout", None)
        'returns None; expected a Condition: an object with name, summary and apply(item)'
    """
    apply = getattr(made, "apply", None)
    if not callable(apply) and not callable(getattr(made, "variants", None)):
        return f"returns {shown(made)}; expected a Condition: an object with name, summary and apply(item)"
    if inspect.iscoroutinefunction(apply):
        return "returns a Condition whose apply is async; expected a function that returns the changed Item"
    called = getattr(made, "name", None)
    if not isinstance(called, str) or called.partition(":")[0] != name:
        return f"returns a Condition with the name {called!r}; expected {name!r} or {name + ':ARGUMENTS'!r}"
    return None


def spelled(name: str, arguments: Mapping[str, str]) -> str:
    """Return the Condition's name with its given arguments, as in journals."""
    text = ",".join(f"{key}={value}" for key, value in sorted(arguments.items()))
    return f"{name}:{text}" if text else name


def usage(name: str, arguments: Iterable[Argument]) -> str:
    """Return the syntax: `snr:db=NUMBER[,noise=…][,seed=…]`."""
    argument_list = tuple(arguments)
    must = ",".join(f"{a.name}={_value(a)}" for a in argument_list if a.default is None)
    may = ",".join(f"{a.name}={_value(a)}" for a in argument_list if a.default is not None)
    if not must:
        return f"{name}[:{may}]" if may else name
    return f"{name}:{must}[,{may}]" if may else f"{name}:{must}"


def _check(name: str, offered: tuple[Argument, ...], arguments: Mapping[str, str]) -> None:
    """Raise SpecError for an argument that is unknown, missing, or has an invalid value."""
    if arguments and not offered:
        raise SpecError(f"condition {name!r} takes no arguments", got=", ".join(arguments), expected=name)
    arguments_by_name = {argument.name: argument for argument in offered}
    for key, value in arguments.items():
        if key not in arguments_by_name:
            raise SpecError(
                f"condition {name!r} has no argument {key!r}",
                expected=usage(name, offered),
                fix=nearest(key, arguments_by_name),
            )
        _check_value(name, arguments_by_name[key], value)
    for argument in offered:
        if argument.default is None and argument.name not in arguments:
            raise SpecError(f"condition {name!r} requires {argument.name!r}", expected=usage(name, offered))


def _check_value(name: str, argument: Argument, value: str) -> None:
    where = f"--condition {name}:{argument.name}={value}"
    if argument.choices and value not in argument.choices:
        raise SpecError(
            f"{argument.name} can't be {value!r}",
            expected=" | ".join(argument.choices),
            where=where,
            fix=nearest(value, argument.choices),
        )
    if argument.kind is str:
        return
    try:
        number = argument.kind(value)
    except ValueError:
        raise SpecError(
            f"{argument.name} is not {'an integer' if argument.kind is int else 'a number'}", got=value, where=where
        ) from None
    if not argument.least <= number <= argument.most:  # NaN fails both
        raise SpecError(
            f"{argument.name} is out of range",
            expected=f"{argument.least:g} to {argument.most:g}",
            got=value,
            where=where,
        )


def fault_of_default(argument: Argument) -> str | None:
    """Return why an argument's own default would be refused; None if it is one that could be given. The default of
    `seed` says in words that it is the Run's.

    Example:
        >>> fault_of_default(Argument("db", "signal-to-noise ratio", default="99", kind=int, least=0, most=30))
        'db is out of range; expected 0 to 30; got 99'
    """
    if argument.default is None or argument.name == "seed":
        return None
    try:
        _check_value("", argument, argument.default)
    except SpecError as error:
        expected = f"; expected {error.expected}" if error.expected else ""
        return f"{error.problem}{expected}; got {argument.default}"
    return None


def _value(argument: Argument) -> str:
    if argument.choices:
        return "|".join(argument.choices)
    return {int: "N", float: "NUMBER"}.get(argument.kind, "…")


@cache
def _built_in() -> tuple[tuple[str, AvailableCondition], ...]:
    """Return the built-in Conditions, which don't change while a process runs."""
    package = import_module("triptych.conditions")
    names = [f"triptych.conditions.{info.name}" for info in pkgutil.iter_modules(package.__path__)]
    return tuple(entry for name in names for entry in _conditions_in(import_module(name), "triptych"))


def _all_conditions() -> Iterator[tuple[str, AvailableCondition]]:
    yield from _built_in()
    for module, origin in load_plug_ins("triptych.conditions", _offered):
        yield from _conditions_in(module, origin)


def broken_conditions() -> dict[str, str]:
    """Return plug-ins that can't be used: the name of the entry point -> where it comes from, and the reason."""
    return broken_plug_ins("triptych.conditions", _offered)


def _offered(module: object) -> list[tuple[str, AvailableCondition]]:
    if not hasattr(module, "CONDITIONS"):
        raise TypeError("CONDITIONS is missing")
    return list(_conditions_in(module, ""))


def _conditions_in(module: object, origin: str) -> Iterator[tuple[str, AvailableCondition]]:
    for name, entry in getattr(module, "CONDITIONS", {}).items():
        offer = Offer(*entry)
        yield name, AvailableCondition(offer.summary, offer.make, origin, offer.arguments)
