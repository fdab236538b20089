"""Stages of a package: each has a name of its own, fields, a function that is tried, and parameters with meanings."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from types import ModuleType

from triptych.api.contracts.signatures import NOTE
from triptych.api.stage_trial import stage_trial
from triptych.construction.parameters import Parameters, changed, declared_loosely, fields_of
from triptych.construction.stage import Stage
from triptych.construction.stages import known_stages
from triptych.errors import TriptychError
from triptych.records.plug_ins import shown


def check(point: EntryPoint, module: ModuleType, model: str) -> Iterator[str]:
    """Yield the faults of a module of the group `triptych.stages`."""
    built_in = {name for name, (_, origin) in known_stages().items() if origin == "triptych"}
    stages = [value for value in vars(module).values() if isinstance(value, Stage)]
    if not stages:
        yield "the module has no Stage at its top level"
    names = [stage.name for stage in stages]
    yield from (f"two stages are named {name!r}" for name in sorted({n for n in names if names.count(n) > 1}))
    for stage in stages:
        if stage.name in built_in:
            yield f"{stage.name}: Triptych has a stage with this name; choose another one"
        if not callable(stage.run):
            yield f"{stage.name}: run is not a function"
        if not stage.writes and not stage.reads:
            yield f"{stage.name}: it declares neither reads nor writes, so no record would ever reach its key"
        if doubled := [name for name in stage.reads if stage.reads.count(name) > 1]:
            yield f"{stage.name}: reads has {doubled[0]!r} twice"
        if not stage.about and not stage.run.__doc__:
            yield f"{NOTE}{stage.name}: it has no docstring, so `triptych list stages` can't say what it does"
        yield from stage_trial(stage)
        yield from parameter_faults(stage)


def parameter_faults(stage: Stage) -> Iterator[str]:
    """Yield the faults of a stage's parameters: names that a prompt can't distinguish from fields, defaults that the
    stage itself would refuse, and fields of a Struct without a meaning."""
    if not isinstance(stage.parameters, Parameters):
        yield f"{stage.name}: parameters is {shown(stage.parameters)}; expected a subclass of Parameters"
        return
    if not type(stage.parameters).__struct_config__.frozen:
        yield f"{stage.name}: {shown(stage.parameters)} can be changed; declare it as (Parameters, frozen=True)"
    for field in fields_of(stage.parameters):
        name = f"{stage.name}: the parameter {field.name!r}"
        if stage.asks and field.name in (*stage.required, *stage.optional):
            yield f"{name} has the name of a field that the stage reads, so its prompt can show only one of them"
        if not field.meaning and not declared_loosely(stage.parameters):
            yield f'{name} has no meaning; declare it as Annotated[…, Meta(description="…")]'
        try:
            changed(stage.name, stage.parameters, {field.name: field.default})
        except TriptychError as error:
            yield f"{name} has a default that its own type or range refuses: {error.got} ({error.expected})"
