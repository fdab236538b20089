"""The spread over the forms of an Instance, for scores of any kind; and paired differences between two forms."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from triptych.analysis.forms.instances import Forms, Group, is_scorable
from triptych.analysis.observed import Observed, better_of, unit_of
from triptych.metrics.statistics.intervals import bootstrap_sums
from triptych.metrics.statistics.limits import figure_interval
from triptych.records import Estimate
from triptych.records.estimates import Better

if TYPE_CHECKING:
    from triptych.scoring.figures.cells import Array, Index


def values_of(group: Group) -> dict[str, float]:
    """The value of each form that has an answer."""
    return {v: s.numerator / s.denominator for v, s in group.scores.items() if is_scorable(s)}


def spreads(run: Observed, forms: Forms, replicates: int, seed: int) -> Iterator[Estimate]:
    """By stratum: the mean over Instances of the mean, the worst and the spread (highest - lowest) of their forms."""
    for stratum in sorted({g.stratum for g in forms.groups}):
        matching_groups = [g for g in forms.groups if g.stratum == stratum]
        metric = next(iter(matching_groups[0].scores.values())).metric
        worst: Callable[..., float] = max if better_of(metric) == "lower" else min
        measures: tuple[tuple[str, str, Callable[[list[float]], float], Better], ...] = (
            ("mean", "Mean of the forms", lambda v: sum(v) / len(v), _direction_of(metric)),
            ("worst", "Worst form", worst, _direction_of(metric)),
            ("spread", "Spread of the forms", lambda v: max(v) - min(v), "lower"),
        )
        for measure, label, compute, better in measures:
            spread_values = [
                (g.instance, compute(list(v.values()))) for g in matching_groups if len(v := values_of(g)) > 1
            ]
            yield mean_estimate(
                run,
                measure,
                label,
                metric,
                spread_values,
                {"of": stratum},
                len(matching_groups),
                replicates,
                seed,
                better,
            )


def contrast_differences(run: Observed, forms: Forms, replicates: int, seed: int) -> Iterator[Estimate]:
    """Yield the effect of each named change: the mean over Instances of after - before, by metric."""
    if not forms.variation.contrasts:
        return
    by_metric: dict[str, list[tuple[Group, dict[str, float]]]] = {
        s.metric: [] for g in forms.groups for s in g.scores.values()
    }
    for group in forms.groups:
        by_metric[next(iter(group.scores.values())).metric].append((group, values_of(group)))
    for contrast in forms.variation.contrasts:
        for metric, groups in sorted(by_metric.items()):
            differences, pairs = [], 0
            for group, values in groups:
                for before, after in contrast.pairs:
                    pairs += before in group.scores and after in group.scores
                    if before in values and after in values:
                        differences.append((group.instance, values[after] - values[before]))
            if pairs:
                yield mean_estimate(
                    run,
                    f"difference.{contrast.id}",
                    contrast.title,
                    metric,
                    differences,
                    {"contrast": contrast.id},
                    pairs,
                    replicates,
                    seed,
                    _direction_of(metric),
                )


def mean_estimate(
    run: Observed,
    measure: str,
    label: str,
    metric: str,
    values: Sequence[tuple[str, float]],
    slice_: dict[str, str],
    of: int,
    replicates: int,
    seed: int,
    better: Better,
) -> Estimate:
    """A mean of (Instance, value) pairs, in the metric's unit, with an interval over resampled Instances."""
    scale, unit = (100.0, "points") if unit_of(metric) == "%" else (1.0, "")
    interval = mean_interval(values, replicates, seed, measure) if values else None
    return Estimate(
        measure,
        scale * sum(v for _, v in values) / len(values) if values else None,
        unit,
        n=len(values),
        counted="pairs of forms" if "difference" in measure else "Instances",
        interval=(scale * interval[0], scale * interval[1]) if interval else None,
        coverage=len(values) / of if of else 0.0,
        task=run.benchmark.name,
        metric=metric,
        slice=slice_,
        protocol=run.protocol.name,
        runs=(run.label,),
        signatures=(run.signature,),
        label=label,
        better=better,
        digits=1 if scale > 1 else 2,
        reason="" if values else "no Instance has an answer in both forms",
    )


def mean_interval(
    instance_values: Sequence[tuple[str, float]], replicates: int, seed: int, name: str = ""
) -> tuple[float, float] | None:
    """The 95% interval of a mean, clustered by Instance; None for a single one, or no spread."""
    instances = dict.fromkeys(instance for instance, _ in instance_values)
    numbers = {instance: number for number, instance in enumerate(instances)}
    clusters = np.array([numbers[instance] for instance, _ in instance_values], dtype=np.intp)
    values = np.array([value for _, value in instance_values])
    return clustered_interval(clusters, values, sum(values.tolist()) / len(instance_values), replicates, seed, name)


def clustered_interval(
    clusters: Index,
    values: Array,
    mean: float,
    replicates: int,
    seed: int,
    name: str = "",
    bounds: tuple[float, float] | None = None,
) -> tuple[float, float] | None:
    """Return the 95% interval of the mean of `values`, clustered by numbers (from 0).

    `bounds`: the smallest and largest possible value. None for a single cluster, or if the mean does not vary.
    """
    counted = np.bincount(clusters)
    rows = np.stack([np.bincount(clusters, values), counted.astype(np.float64)], axis=-1)[counted > 0]
    if len(rows) < 2:
        return None
    drawn = bootstrap_sums(rows, replicates, np.random.default_rng([seed, zlib.crc32(name.encode())]))
    return figure_interval(drawn[:, 0] / drawn[:, 1], mean, bounds, df=len(rows) - 1)


def _direction_of(metric: str) -> Better:
    return "lower" if better_of(metric) == "lower" else "higher"
