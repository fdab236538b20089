"""Read Runs, or results made elsewhere, and compare or analyse them: what `compare` and `analyse` of the API do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from triptych.analysis.analyse import KINDS, analyse_observed
from triptych.analysis.comparing.comparison import Comparison, compare_runs
from triptych.analysis.observed import observe, observe_predictions
from triptych.analysis.raters.ratings import read_ratings
from triptych.benchmarks import load_benchmark
from triptych.errors import SpecError, nearest
from triptych.records import Section
from triptych.scoring.opened import sound_runs

_FEWEST = 100  # replicates of which an interval can be taken


def compare_stored(
    runs: Sequence[Path | str], protocol: str | None, *, replicates: int, seed: int, labels: Sequence[str] | None
) -> Comparison:
    """Compare two or more Runs of one benchmark over the questions that they share: see `api.compare`."""
    folders = sound_runs(runs)
    if len(folders) < 2:
        raise SpecError(
            "a comparison needs at least two Runs", got=len(folders), fix="for one Run: triptych report RUN"
        )
    if replicates < _FEWEST:
        raise SpecError("too few replicates for an interval", got=replicates, expected=f"at least {_FEWEST}")
    return compare_runs(observe(folders, protocol, labels), replicates=replicates, seed=_checked(seed))


def analyse_stored(
    target: Path | str | Sequence[Path | str],
    protocol: str | None,
    kinds: Sequence[str] | None,
    *,
    predictions: Sequence[Path | str],
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
        bench, place = load_benchmark(str(target)), Path(data) if data else None
        runs = [observe_predictions(bench, [Path(path)], place, protocol) for path in predictions]
    else:
        runs = observe(sound_runs([target] if isinstance(target, Path | str) else target), protocol)
    rated = read_ratings(Path(ratings)) if ratings else None
    return analyse_observed(runs, chosen, seed=_checked(seed), ratings=rated)


def _checked(seed: int) -> int:
    if seed < 0:  # NumPy's generators reject negative seeds
        raise SpecError("the seed is negative", got=seed, expected="0 or more")
    return seed
