"""Read Runs, or results made elsewhere, and compare or analyse them: what `compare` and `analyse` of the API do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path

from msgspec import structs

from triptych.analysis.analyse import KINDS, analyse_observed
from triptych.analysis.comparing.comparison import Comparison, compare_runs
from triptych.analysis.observed import observe, observe_predictions
from triptych.analysis.raters.ratings import read_ratings
from triptych.benchmarks import load_benchmark
from triptych.errors import SpecError, nearest
from triptych.records import Section
from triptych.running.costs import sums
from triptych.scoring.stored.opened import sound_runs
from triptych.store.folder import RunFolder

_MIN_REPLICATES = 100  # replicates of which an interval can be taken


def compare_stored(
    runs: PathLike[str] | str | Iterable[PathLike[str] | str],
    protocol: str | None,
    *,
    replicates: int,
    seed: int,
    labels: Sequence[str] | None,
    baseline: PathLike[str] | str | None = None,
) -> Comparison:
    """Compare two or more Runs of one benchmark over the questions that they share: see `api.compare`."""
    return _compare_folders(_with_baseline(runs, baseline), protocol, replicates, seed, labels, baseline)


def compare_all_stored(
    runs: PathLike[str] | str | Iterable[PathLike[str] | str],
    protocol: str | None,
    *,
    replicates: int,
    seed: int,
    baseline: PathLike[str] | str | None = None,
) -> tuple[list[Comparison], dict[str, str]]:
    """Compare the Runs of each benchmark: (the comparisons, label of a Run -> why it is not in one): see
    `api.compare_all`."""
    by_name: dict[str, list[RunFolder]] = {}
    for folder in _with_baseline(runs, baseline):
        by_name.setdefault(folder.manifest.benchmark, []).append(folder)
    bases = {folder.manifest.benchmark: folder.path for folder in sound_runs([baseline])} if baseline else {}
    if len(by_name) == 1:
        return [_compare_folders(next(iter(by_name.values())), protocol, replicates, seed, None, baseline)], {}
    comparisons: list[Comparison] = []
    alone: dict[str, str] = {}
    for name, benchmark_runs in by_name.items():
        if len(benchmark_runs) < 2 or (baseline and name not in bases):
            why = f"no other Run of {name}" if len(benchmark_runs) < 2 else f"the baseline has no Run of {name}"
            alone |= {str(folder.path): why for folder in benchmark_runs}
            continue
        comparisons.append(_compare_folders(benchmark_runs, protocol, replicates, seed, None, bases.get(name)))
    if not comparisons:
        raise SpecError(
            "only Runs of one benchmark can be compared",
            got=", ".join(by_name),
            fix="give at least two Runs of one benchmark",
        )
    return comparisons, alone


def _with_baseline(
    runs: PathLike[str] | str | Iterable[PathLike[str] | str], baseline: PathLike[str] | str | None
) -> list[RunFolder]:
    """Return the Runs, with those of the baseline first unless they are among them."""
    folders = sound_runs(runs)
    paths = {folder.path.resolve() for folder in folders}
    more = [] if baseline is None else [f for f in sound_runs([baseline]) if f.path.resolve() not in paths]
    return [*more, *folders]


def _compare_folders(
    folders: Sequence[RunFolder],
    protocol: str | None,
    replicates: int,
    seed: int,
    labels: Sequence[str] | None,
    baseline: PathLike[str] | str | None,
) -> Comparison:
    if len(folders) < 2:
        raise SpecError(
            "a comparison needs at least two Runs", got=len(folders), fix="for one Run: triptych report RUN"
        )
    if replicates < _MIN_REPLICATES:
        raise SpecError("too few replicates for an interval", got=replicates, expected=f"at least {_MIN_REPLICATES}")
    number = None if baseline is None else _baseline_number(folders, baseline)
    comparison = compare_runs(
        observe(folders, protocol, labels), replicates=replicates, seed=_checked(seed), baseline=number
    )
    costs = {str(folder.path): sums(folder.all_responses())["usd"].complete_sum for folder in folders}
    return structs.replace(
        comparison, runs=tuple(structs.replace(run, usd=costs.get(run.place)) for run in comparison.runs)
    )


def _baseline_number(folders: Sequence[RunFolder], baseline: PathLike[str] | str) -> int:
    """Return the number of the baseline among the Runs. Raises SpecError for a folder with several."""
    (run, *more) = sound_runs([baseline])
    if more:
        raise SpecError("--baseline names several Runs", got=str(baseline), expected="one Run of each benchmark")
    return [folder.path.resolve() for folder in folders].index(run.path.resolve())


def analyse_stored(
    target: PathLike[str] | str | Iterable[PathLike[str] | str],
    protocol: str | None,
    kinds: Sequence[str] | None,
    *,
    predictions: Iterable[Path | str],
    data: Path | str | None,
    ratings: Path | str | None,
    seed: int,
) -> list[Section]:
    """Run every analysis that applies to Runs or to results made elsewhere: see `api.analyse`."""
    chosen = KINDS if kinds is None else tuple(kinds)
    for kind in chosen:
        if kind not in KINDS:
            raise SpecError(f"no analysis {kind!r}", expected=", ".join(KINDS), fix=nearest(kind, KINDS))
    if predictions:
        bench, folder = load_benchmark(str(target)), Path(data) if data else None
        runs = [observe_predictions(bench, [Path(path)], folder, protocol) for path in predictions]
    else:
        runs = observe(sound_runs(target), protocol)
    rated = read_ratings(Path(ratings)) if ratings else None
    return analyse_observed(runs, chosen, seed=_checked(seed), ratings=rated)


def _checked(seed: int) -> int:
    if seed < 0:  # NumPy's generators reject negative seeds
        raise SpecError("the seed is negative", got=seed, expected="0 or more")
    return seed
