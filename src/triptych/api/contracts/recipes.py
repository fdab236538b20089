"""Recipes of a package: `RECIPE`, its functions, and the stages of its examples."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from triptych.api.contracts.signatures import NOTE, message_of
from triptych.api.contracts.stages import parameter_faults
from triptych.benchmarks import broken_benchmarks, known_benchmarks
from triptych.construction.engine.context import Context
from triptych.construction.engine.media import MediaStore
from triptych.construction.parameters import Parameters
from triptych.construction.recipe import Recipe, known_recipes
from triptych.construction.recipe_contract import recipe_faults
from triptych.errors import TriptychError, nearest
from triptych.records.plug_ins import origin_of, shown


def check(point: EntryPoint, module: ModuleType, model: str) -> Iterator[str]:
    """Yield the faults of a module of the group `triptych.recipes`."""
    recipe = getattr(module, "RECIPE", None)
    if not isinstance(recipe, Recipe):
        got = "is missing" if recipe is None else f"is {shown(recipe)}, which is not a Recipe"
        yield f"RECIPE {got}; expected RECIPE = Recipe(name=…, …)"
        return
    if known_recipes()[point.name][1] != origin_of(point):
        yield f"the name {point.name!r} belongs to a built-in recipe; this one can't be used"
    if recipe.name != point.name:
        yield f"RECIPE.name is {recipe.name!r}; the entry point is {point.name!r}"
    faults = [f"RECIPE: {fault}" for fault in recipe_faults(recipe)]
    yield from faults
    name = recipe.benchmark
    if name in broken_benchmarks():
        yield f"{NOTE}RECIPE: the benchmark {name!r} can't be loaded, so nothing checks the output: see its own faults"
    elif name and isinstance(name, str) and name not in known_benchmarks():
        near = nearest(name, known_benchmarks())
        yield f"RECIPE: benchmark is {name!r}, which doesn't exist, so nothing checks the output; {near}"
    if not faults:
        yield from _examples(recipe)


def _examples(recipe: Recipe) -> Iterator[str]:
    if not recipe.examples:
        yield f"{NOTE}RECIPE has no examples, so its stages were not looked at, and no list of stages shows them"
    for number, example in enumerate(recipe.examples):
        where = f"RECIPE.examples[{number}]"
        try:
            config = msgspec.convert(dict(example), recipe.config)
            stages = recipe.stages_for(config)
        except msgspec.ValidationError as error:
            yield f"{where}: the configuration isn't valid: {' '.join(str(error).split())}"
            continue
        except (Exception, SystemExit) as error:  # noqa: BLE001 - another package's code can raise anything
            yield f"{where}: {' '.join(message_of(error).split())}"
            continue
        if not stages:
            yield f"{where}: stages gives none, so the records would be written as they come"
        for stage in stages:
            yield from parameter_faults(stage)
        yield from _start(recipe, config, where)


def _start(recipe: Recipe, config: Any, where: str) -> Iterator[str]:
    """Yield that `start` gives nothing that can be iterated. The files that an example names don't exist, so that it
    mostly raises an error, which is right."""
    if inspect.isgeneratorfunction(recipe.start):
        return
    with tempfile.TemporaryDirectory(prefix="triptych-check-") as folder:
        base = Path(folder)
        context: Context[Any] = Context(Parameters(), MediaStore(base / "media"), 0, base)
        try:
            starts = recipe.start(config, base, context)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - there are no such files
            if not isinstance(error, TriptychError | OSError):
                yield f"{NOTE}{where}: start fails without the files that are named: {message_of(error)}"
            return
    if not isinstance(starts, Iterable):
        yield f"start returns {shown(starts)}; expected Starts: yield Start(…)"
