"""Stages: named, versioned steps that declare which fields they read and which they write.

    class Length(Parameters, frozen=True):
        most: Annotated[int, Meta(ge=1, description="greatest number of characters")] = 200

    @stage("length", version=1, reads=["text"], writes=["characters"], parameters=Length)
    def length(values: Values, context: Context[Length]) -> Outcome:
        n = len(values["text"])
        return kept(characters=n) if n <= context.parameters.most else dropped("too-long", f"{n} characters")

A stage sees only the values that it declares, so that a record's key covers everything its outcome depends on.
`each` stages decide record by record, `whole` stages see all records at once (duplicates, balance, splits), `ask`
stages ask models, and `people` stages wait for people's results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from triptych.construction.asking.questions import Ask, People
from triptych.construction.engine.context import Context, P, Values
from triptych.construction.parameters import Parameters, as_parameters, changed
from triptych.construction.record import Outcome, no_json
from triptych.errors import SpecError
from triptych.records.plug_ins import owner_of, shown

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


@dataclass(frozen=True)
class Stage:
    """One step of a recipe.

    name        unique in its recipe; part of every key
    where       fields and their values: the stage applies only to records with these, and counts only them
    version     an integer that is raised whenever the code could decide differently; part of every key
    reads       fields that a record must have; a name that ends in `?` is optional
    writes      fields that the stage may set
    parameters  its settings, a Struct, changed by the recipe's configuration; part of every key
    costly      results are journaled one by one, so that a killed build doesn't repeat them
    """

    name: str
    version: int
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    run: Callable[..., Any]
    kind: Kind = "each"
    parameters: Parameters = field(default_factory=Parameters)
    costly: bool = False
    about: str = ""
    where: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    asks: Ask | None = None
    tasks: People | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.version, int) or self.version < 1:
            raise SpecError(f"stage {self.name!r}: versions count from 1", got=self.version)
        if not self.name.replace("-", "").replace("_", "").isalnum():
            raise SpecError("a stage's name may contain letters, digits, - and _", got=self.name)
        if self.kind not in get_args(Kind):
            raise SpecError(f"stage {self.name!r}: no kind {self.kind!r}", expected=", ".join(get_args(Kind)))

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The fields that a record must have."""
        return tuple(name for name in self.reads if not name.endswith("?"))

    @cached_property
    def optional(self) -> tuple[str, ...]:
        """The fields that a record may lack."""
        return tuple(name[:-1] for name in self.reads if name.endswith("?"))

    def with_(self, **parameters: Any) -> Stage:
        """Return the stage with other parameters.

        Raises SpecError for an unknown one, or a value of another type or out of range.
        """
        from dataclasses import replace

        return replace(self, parameters=changed(self.name, self.parameters, parameters))

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
        """Return the outcome. Raises SpecError if it isn't one, writes an undeclared field or a value that JSON
        lacks, or has no reason."""
        if not isinstance(outcome, Outcome):
            raise SpecError(
                f"stage {self.name!r} returned {shown(outcome)}{self._origin()}",
                where=id,
                expected="an Outcome: kept(…), dropped(…)",
            )
        written = {*outcome.fields, *(name for child in outcome.children for name in child.fields)}
        if wrong := sorted(written - set(self.writes)):
            raise SpecError(
                f"stage {self.name!r} writes {wrong[0]!r}, which it doesn't declare",
                where=id,
                expected=f"one of: {', '.join(self.writes) or 'nothing'}",
            )
        for fields in (outcome.fields, *(child.fields for child in outcome.children)):
            if not_json := no_json(fields):
                raise SpecError(
                    f"stage {self.name!r} wrote {not_json}{self._origin()}",
                    where=id,
                    expected="values of JSON: text, number, true, false, list, table",
                )
        if outcome.decision != "kept" and not outcome.reason:
            raise SpecError(f"stage {self.name!r} decided {outcome.decision!r} without a reason", where=id)
        if outcome.children and outcome.decision not in ("kept", "revised"):
            raise SpecError(f"stage {self.name!r} split a record and {outcome.decision} it", where=id)
        suffixes = [child.suffix for child in outcome.children]
        if len(set(suffixes)) < len(suffixes):
            raise SpecError(f"stage {self.name!r} split a record into two with the same suffix", where=id)
        return outcome

    def _origin(self) -> str:
        """Return the package of a stage's function for a message; empty for Triptych's own."""
        owner = owner_of(getattr(self.run, "__module__", None) or "")
        return f" (a stage of the package {owner})" if owner else ""


def stage(
    name: str,
    *,
    version: int,
    reads: Sequence[str] = (),
    writes: Sequence[str] = (),
    kind: Literal["each", "whole"] = "each",
    costly: bool = False,
    parameters: type[P] | None = None,
    **defaults: Any,
) -> Callable[[Callable[[Any, Context[P]], Any]], Stage]:
    """Turn a function into a stage; `parameters` is the type of its settings.

    `defaults` are settings of which only the defaults are declared; their types are those of the defaults.
    """
    typed = as_parameters(name, parameters, defaults)

    def make(function: Callable[[Any, Context[P]], Any]) -> Stage:
        about = (function.__doc__ or "").strip().split("\n")[0]
        return Stage(name, version, tuple(reads), tuple(writes), function, kind, typed, costly, about)

    return make
