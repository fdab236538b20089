"""Several benchmarks, models and Conditions as one list of Runs, planned and checked before anything is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from triptych.benchmarks import Benchmark, own_questions
from triptych.benchmarks.registry import is_benchmark
from triptych.errors import DataError, SpecError, TriptychError, nearest
from triptych.experiment.execution import check_plan
from triptych.experiment.judging import JudgePlan
from triptych.experiment.plan import Plan
from triptych.experiment.planning import PlanArguments, SharedArguments, plan
from triptych.experiment.series import Step
from triptych.models.registry import known_settings
from triptych.records.checked_calls import checked_arguments

if TYPE_CHECKING:
    from triptych.running.loop import RunOptions


@dataclass(frozen=True)
class WantedRun:
    """A Run that is wanted: a model on a benchmark.

    Attributes:
        benchmark: Benchmark, `BENCH/TASK`, the path of questions of your own, or a loaded Benchmark.
        model: The model, as `ADAPTER/NAME`.
        what: Further arguments of `plan`: tasks, conditions, data …

    Example:
        >>> WantedRun("cmdar", "baseline/random", {"conditions": ["blind"]}).conditions
        ('blind',)
    """

    benchmark: str | Benchmark
    model: str
    what: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise SpecError for an argument that `plan` doesn't have."""
        names = PlanArguments.__annotations__
        if unknown := [name for name in self.what if name not in names]:
            raise SpecError(f"a Run has no argument {unknown[0]!r}", fix=nearest(unknown[0], names))

    @property
    def conditions(self) -> tuple[str, ...]:
        """The Conditions, in the order in which they are applied."""
        return tuple(self.what.get("conditions", ()))

    @property
    def called(self) -> str:
        """The Run in words, for errors."""
        name = self.benchmark if isinstance(self.benchmark, str) else self.benchmark.name
        return f"{name}, {self.model}" + (f", {' '.join(self.conditions)}" if self.conditions else "")


@checked_arguments
def crossed(
    benchmarks: Iterable[str | Path | Benchmark],
    models: Iterable[str],
    *,
    conditions: Iterable[Sequence[str]] = ((),),
    **what: Unpack[SharedArguments],
) -> list[WantedRun]:
    """Return a Run of every model on every benchmark under every list of Conditions, in this order of nesting.

    Args:
        benchmarks: Benchmarks, `BENCH/TASK`, or paths of questions of your own.
        models: Models, as `ADAPTER/NAME`.
        conditions: Lists of Conditions: each list makes a Run, in which they are applied in their order. The empty list
            is the Run without any.
        what: Further arguments of `plan`, the same for all Runs.

    Returns:
        The Runs, for `run_many` and `estimate_many`.

    Raises:
        SpecError: If a text is given where a list is expected.

    Example:
        >>> wanted = crossed(["cmdar", "mcga"], ["baseline/random"], conditions=[(), ("blind",)], limit=5)
        >>> [(one.benchmark, one.conditions) for one in wanted]
        [('cmdar', ()), ('cmdar', ('blind',)), ('mcga', ()), ('mcga', ('blind',))]
    """
    names = [str(bench) if isinstance(bench, Path) else bench for bench in benchmarks]
    every = product(names, models, [tuple(condition) for condition in conditions])
    return [WantedRun(bench, model, {**what, "conditions": settings}) for bench, model, settings in every]


def group_benchmarks(words: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the benchmarks that arguments name, each with its further Tasks.

    A word without a benchmark is a Task of the benchmark before it; so is a further Task of a benchmark that was named.

    Example:
        >>> grouped(["xmodbench/linguistic", "cmdar", "xmodbench/perception"])
        [('xmodbench/linguistic', ('xmodbench/perception',)), ('cmdar', ())]
    """
    settings_by_name: dict[str, tuple[str, list[str]]] = {}
    last = ""
    for word in words:
        name = word if _is_question_file(word) else word.partition("/")[0]
        if name in settings_by_name:
            if word == settings_by_name[name][0] or word == name:
                raise SpecError(f"{word} is given twice", got=" ".join(words), fix=f"give {word} once")
            settings_by_name[name][1].append(word)
        elif settings_by_name and not _is_benchmark(word):
            settings_by_name[last][1].append(word)
        else:
            settings_by_name[name], last = (word, []), name
    return [(word, tuple(tasks)) for word, tasks in settings_by_name.values()]


def _is_question_file(word: str) -> bool:
    name = word.partition("/")[0]
    return not is_benchmark(name) and own_questions(word) is not None


def _is_benchmark(word: str) -> bool:
    return is_benchmark(word.partition("/")[0]) or own_questions(word) is not None


def own_data(bench: str | Benchmark, data: Path | str | None) -> Path | None:
    """Return a benchmark's folder in the folder of all data, named as the benchmark is; None for the usual data.

    Raises DataError if the benchmark has none there and no other data either.
    """
    if data is None:
        return None
    name = bench.name if isinstance(bench, Benchmark) else bench.partition("/")[0]
    if (path := Path(data) / name).is_dir():
        return path
    if isinstance(bench, Benchmark) and bench.home is not None:
        return None
    fix = f"name it {name}, or give each benchmark's folder in a plan (triptych.toml)"
    raise DataError(f"the data folder has no folder of {name}", where=data, expected=str(path), fix=fix)


def fit_settings(model: str, settings: Mapping[str, Any], base_url: str | None) -> dict[str, Any]:
    """Return the settings and the endpoint of a model; without the endpoint if its adapter asks none."""
    accepted = known_settings(model)
    adapter = model.partition("/")[0]
    asks = "base_url" in accepted or adapter not in ("baseline", "replay", "local", "hf", "worker")
    return {"settings": dict(settings), "base_url": base_url if asks else None}


def made_ready(
    wanted: Sequence[WantedRun], *, out: Path | str | None, options: RunOptions, judges: JudgePlan | None
) -> list[Step]:
    """Return the Runs planned and checked: folders, Requests, media, judges. Nothing is asked.

    `out`: the folder of all Runs, instead of `runs`. Raises SpecError if two are the same Run, and the errors of `plan`
    with the Run that they are about.
    """
    steps: dict[Path, Step] = {}
    for run in wanted:
        try:
            ready = plan(run.benchmark, run.model, **run.what)
            path = _folder_of(ready, out)
            if path in steps:
                fix = "leave one out, or give one of them a name"
                raise SpecError("the same Run is planned twice", got=run.called, fix=fix)
            planned = check_plan(ready, path)
            run_judges = judges if any(task.rubrics for task in ready.tasks) else None
            if run_judges:
                run_judges.check(ready, path, same_model=options.same_model)
        except TriptychError as error:
            if len(wanted) > 1 and run.called not in str(error):
                error.args = (f"{run.called}: {error}",)
            raise
        steps[path] = Step(label_of_plan(ready), path, planned, ready, run_judges)
    if not steps:
        raise SpecError("no Run is planned", expected="at least one benchmark and one model")
    return list(steps.values())


def label_of_plan(ready: Plan) -> str:
    """Return the label of a planned Run: benchmark, model, Conditions."""
    manifest = ready.manifest
    conditions = f" ({manifest.condition})" if manifest.condition else ""
    return f"{ready.benchmark.name}: {manifest.called}{conditions}"


def _folder_of(ready: Plan, out: Path | str | None) -> Path:
    usual = ready.default_folder()
    return usual if out is None else Path(out) / usual.relative_to("runs")
