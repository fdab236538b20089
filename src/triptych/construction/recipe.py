"""Recipe: an ordered list of stages with a start (raw material to Records) and an end (Records to a benchmark)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from triptych.construction.engine.context import Context
from triptych.construction.recipe_contract import recipe_faults, stage_list
from triptych.construction.record import Maker, Outcome, Record, failed, no_json
from triptych.construction.release.card import About
from triptych.construction.stage import Stage
from triptych.errors import MediaError, SpecError, nearest
from triptych.importing import importing
from triptych.records.plug_ins import origin_of, points, shown, why_not

GROUP = "triptych.recipes"
_BUILT_IN = Path(__file__).parent / "recipes"


class Start(msgspec.Struct, frozen=True):
    """A Record of the raw material, with the maker of each field (its source and span).

    unusable  `dropped` or `failed` if the record can't go on, such as one with a missing file; the others go on
    """

    record: Record
    makers: dict[str, Maker] = {}
    unusable: Outcome | None = None


def without_file(error: MediaError) -> Outcome:
    """Return the outcome of a record with a file that is missing or can't be read; the next build tries again."""
    name = error.got or Path(str(error.where or "")).name
    return failed("unreadable-file", f"{error.problem}: {name}; put the file there, or change the row")


@dataclass(frozen=True)
class Recipe:
    """How a benchmark is made.

    name     as on the command line; version: an integer that is raised if the output may differ
    config   the type of its configuration file: a msgspec Struct that forbids unknown fields
    start    raw material -> Records; receives the configuration, the folder of its relative paths, and the Context
    stages   the steps, in order, from the configuration
    write    the Records that came through -> files below the folder `out`
    roles    models that the configuration must name: role -> what it does
    benchmark  the benchmark in whose format `write` writes; empty: the one with the recipe's name, if there is one
    about_output  the content of the data card and metadata, from the configuration and the finished folder
    roles_of  further roles that a configuration names for itself; all of them are makers
    merged    stages that look for duplicates again when builds are merged; empty: its builds can't be merged
    parted_by  the field of raw material that names the part of the benchmark it belongs to (`subtask`): a part that has
              raw material and no record left is reported; empty: none
    examples  configurations that together use every stage, for lists of stages; they name no files that exist
    """

    name: str
    version: int
    about: str
    config: type[msgspec.Struct]
    start: Callable[[Any, Path, Context], Iterator[Start]]
    stages: Callable[[Any], Sequence[Stage]]
    write: Callable[[Any, Sequence[Record], Path, Context], None]
    roles: dict[str, str]
    about_output: Callable[[Any, Path], About] | None = None
    benchmark: str = ""
    roles_of: Callable[[Any], Mapping[str, str]] | None = None
    merged: Sequence[Stage] = ()
    parted_by: str = ""
    examples: Sequence[Mapping[str, Any]] = ()

    def makers(self, config: Any) -> tuple[str, ...]:
        """Return the roles that write questions: `maker`, and those that a configuration names for itself."""
        return ("maker", *(self.roles_of(config) if self.roles_of else ()))

    def stages_for(self, config: Any) -> list[Stage]:
        """Return the stages for a configuration. Raises SpecError if `stages` doesn't give a list of Stage."""
        return stage_list(self.stages(config), self.name)

    def starts(self, config: Any, base: Path, context: Context) -> Iterator[Start]:
        """Yield the raw material. Raises SpecError if `start` gives something else, or a value that JSON lacks."""
        starts = self.start(config, base, context)
        for start in starts if isinstance(starts, Iterable) else [starts]:
            if not isinstance(start, Start):
                problem = f"start of the recipe {self.name!r} gives no Start"
                raise SpecError(problem, got=shown(start), expected="yield Start(…)")
            if wrong := no_json(start.record.fields):
                raise SpecError(
                    f"start of the recipe {self.name!r} gave {wrong}",
                    where=start.record.id,
                    expected="values of JSON: text, number, true, false, list, table",
                )
            yield start

    def every_stage(self) -> list[Stage]:
        """Return the stages of all `examples`, each name once, in their order."""
        made: dict[str, Stage] = {}
        for example in self.examples:
            for stage in self.stages_for(msgspec.convert(dict(example), self.config)):
                made.setdefault(stage.name, stage)
        return list(made.values())

    @property
    def format(self) -> str:
        """The benchmark in whose format the recipe writes."""
        return self.benchmark or self.name


def known_recipes() -> dict[str, tuple[str, str]]:
    """Return every recipe: name -> (module, origin). A recipe of another package can't take a built-in name."""
    built_in = {
        path.stem: (f"triptych.construction.recipes.{path.stem}", "triptych")
        for path in sorted(_BUILT_IN.glob("[a-z]*.py"))
    }
    others = {p.name: (p.value, origin_of(p)) for p in points(GROUP)}
    return others | built_in


def broken_recipes() -> dict[str, str]:
    """Return recipes that can't be used: the name -> where it comes from, and the reason."""
    broken = {}
    for name, (_, origin) in known_recipes().items():
        try:
            load_recipe(name)
        except SpecError as error:
            broken[name] = f"{origin}: {error.got or error.problem}"
    return broken


def _without_benchmark(recipe: Recipe) -> Iterator[str]:
    """Yield that the benchmark in whose format a recipe writes can't be used, so that nothing checks its output."""
    from triptych.benchmarks.registry import broken_benchmarks, is_benchmark

    name = recipe.benchmark
    if name and isinstance(name, str) and not is_benchmark(name):
        broken = broken_benchmarks().get(name)
        yield f"the benchmark {name!r} can't be loaded: {broken}" if broken else f"no benchmark {name!r}"


def load_recipe(name: str) -> Recipe:
    """Return the recipe of that name, the `RECIPE` of its module. Raises SpecError."""
    recipes = known_recipes()
    if name not in recipes:
        raise SpecError(f"no recipe {name!r}", fix=nearest(name, recipes), expected=", ".join(recipes) or "a recipe")
    module, origin = recipes[name]
    try:
        with importing(module, origin):
            recipe = import_module(module).RECIPE
    except (Exception, SystemExit) as error:  # another package's code may raise anything
        raise SpecError(
            f"the recipe {name!r} can't be loaded", where=f"{module} of {origin}", got=why_not(error)
        ) from error
    if not isinstance(recipe, Recipe):
        raise SpecError(f"the recipe {name!r} is not a Recipe", where=f"{module}.RECIPE", got=type(recipe).__name__)
    if origin != "triptych" and (faults := [*recipe_faults(recipe), *_without_benchmark(recipe)]):
        raise SpecError(
            f"the recipe {name!r} breaks its contract: {'; '.join(faults)}",
            where=f"{module}.RECIPE of {origin}",
            fix=f"report it to the authors of {origin}; they can use `triptych check-plugin`",
        )
    return recipe
