"""Stages: named, versioned steps that declare which fields they read and which they write.

    @stage("length", version=1, reads=["text"], writes=["characters"])
    def length(values, context):
        n = len(values["text"])
        return kept(characters=n) if n <= context.parameters["most"] else dropped("too-long", f"{n} characters")

A stage sees only the values that it declares, so that a record's key covers everything its outcome depends on.
`each` stages decide record by record, `whole` stages see all records at once (duplicates, balance, splits), `ask`
stages ask models, and `people` stages wait for people's results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from triptych.construction.asking.questions import Ask, People
from triptych.construction.engine.context import Context, Values
from triptych.construction.record import Outcome
from triptych.errors import SpecError

Kind = Literal["each", "whole", "ask", "people"]


def named_weights(context: Context, name: str) -> Path:
    """Return the file or folder in a stage's parameter `weights`. Raises SpecError if it or `sha256` is empty."""
    wanted = context.parameters
    if not wanted["weights"] or not wanted["sha256"]:
        raise SpecError(
            f"{name}: no weights are named",
            expected="`weights` (a path) and `sha256`",
            fix=f"add both to [stages.{name}] in the configuration",
        )
    return context.base / str(wanted["weights"])


Each = Callable[[Values, Context], Outcome]
DecideAll = Callable[[Sequence[Values], Context], Sequence[Outcome]]


@dataclass(frozen=True)
class Stage:
    """One step of a recipe.

    name        unique in its recipe; part of every key
    where       fields and their values: the stage applies only to records with these, and counts only them
    version     an integer that is raised whenever the code could decide differently; part of every key
    reads       fields that a record must have; a name that ends in `?` is optional
    writes      fields that the stage may set
    parameters  its settings, from the recipe's configuration; part of every key
    costly      results are journaled one by one, so that a killed build doesn't repeat them
    """

    name: str
    version: int
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    run: Callable[..., Any]
    kind: Kind = "each"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    costly: bool = False
    about: str = ""
    where: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    asks: Ask | None = None
    tasks: People | None = None

    def __post_init__(self) -> None:
        if self.version < 1:
            raise SpecError(f"stage {self.name!r}: versions count from 1", got=self.version)
        if not self.name.replace("-", "").replace("_", "").isalnum():
            raise SpecError("a stage's name may contain letters, digits, - and _", got=self.name)

    @property
    def required(self) -> tuple[str, ...]:
        """The fields that a record must have."""
        return tuple(name for name in self.reads if not name.endswith("?"))

    @property
    def optional(self) -> tuple[str, ...]:
        """The fields that a record may lack."""
        return tuple(name[:-1] for name in self.reads if name.endswith("?"))

    def with_(self, **parameters: Any) -> Stage:
        """Return the stage with other parameters. Raises SpecError for an unknown one or a value of another type."""
        from dataclasses import replace

        from triptych.errors import nearest

        for name in parameters:
            if name not in self.parameters:
                raise SpecError(f"stage {self.name!r} has no parameter {name!r}", fix=nearest(name, self.parameters))
            if not _alike(parameters[name], self.parameters[name]):
                raise SpecError(
                    f"stage {self.name!r}: the parameter {name!r} has the wrong type",
                    got=repr(parameters[name])[:80],
                    expected=f"a value such as {self.parameters[name]!r}",
                )
        return replace(self, parameters={**self.parameters, **parameters})

    def only(self, **where: Sequence[Any]) -> Stage:
        """Return the stage limited to records whose fields have one of these values: `only(task=["su", "sr"])`."""
        from dataclasses import replace

        return replace(self, where={name: tuple(values) for name, values in where.items()})

    def concerns(self, fields: Mapping[str, Any]) -> bool:
        """Return whether the stage applies to a record with these fields."""
        return all(fields.get(name) in values for name, values in self.where.items())

    def named(self, name: str) -> Stage:
        """Return the stage under another name, since a recipe may use a stage twice."""
        from dataclasses import replace

        return replace(self, name=name)

    def checked(self, outcome: Outcome, id: str) -> Outcome:
        """Return the outcome. Raises SpecError if it writes an undeclared field or lacks a reason."""
        written = {*outcome.fields, *(name for child in outcome.children for name in child.fields)}
        if wrong := sorted(written - set(self.writes)):
            raise SpecError(
                f"stage {self.name!r} writes {wrong[0]!r}, which it doesn't declare",
                where=id,
                expected=f"one of: {', '.join(self.writes) or 'nothing'}",
            )
        if outcome.decision != "kept" and not outcome.reason:
            raise SpecError(f"stage {self.name!r} decided {outcome.decision!r} without a reason", where=id)
        if outcome.children and outcome.decision not in ("kept", "revised"):
            raise SpecError(f"stage {self.name!r} split a record and {outcome.decision} it", where=id)
        suffixes = [child.suffix for child in outcome.children]
        if len(set(suffixes)) < len(suffixes):
            raise SpecError(f"stage {self.name!r} split a record into two with the same suffix", where=id)
        return outcome


def _alike(value: object, default: object) -> bool:
    """Return whether a parameter has the type of its default: number, text, list (of the same type), table."""
    for kind in (bool, int | float, str, Mapping):
        if isinstance(default, kind):
            return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    if isinstance(default, Sequence):
        known = next(iter(default), None)
        return (
            isinstance(value, Sequence)
            and not isinstance(value, str)
            and (known is None or all(_alike(each, known) for each in value))
        )
    return True


def stage(
    name: str,
    *,
    version: int,
    reads: Sequence[str] = (),
    writes: Sequence[str] = (),
    kind: Literal["each", "whole"] = "each",
    costly: bool = False,
    **parameters: Any,
) -> Callable[[Callable[..., Any]], Stage]:
    """Turn a function into a stage; `parameters` are its settings and their defaults."""

    def make(function: Callable[..., Any]) -> Stage:
        about = (function.__doc__ or "").strip().split("\n")[0]
        return Stage(name, version, tuple(reads), tuple(writes), function, kind, parameters, costly, about)

    return make
