"""Groups of models: those with a property of the catalogue (a family, trained on Chinese, reinforcement learning …)
against the others.

The models are the sample: each model counts once, with its figure over all Units. The groups are not random, so a
difference says what these models have in common, not what the property causes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import comb
from random import Random
from statistics import fmean
from typing import Any

from msgspec import structs

from triptych.analysis.comparing.significance import holm
from triptych.analysis.observed import Observed, headlines, unit_of
from triptych.models.catalogue import CatalogueModel, find_model
from triptych.records import Aggregate, Estimate, Section, table_of

MAX_EXACT_DIVISIONS = 20_000  # ways to divide the models that are all tried; otherwise as many are drawn
MIN_DIVISIONS = 20  # with fewer, no p-value could be below 0.05
EXPLANATION = (
    "Mean figure of the models with a property of the catalogue, and of the other models, each model counted once; the "
    "difference (in points if the figure is a percentage), with a two-sided permutation test over the models (Holm's "
    "method over the properties). "
    "The groups are not random: other properties may cause a difference."
)


def row_of(run: Observed) -> CatalogueModel | None:
    """Return the model of the catalogue that a Run asked; None if the catalogue doesn't have it."""
    for name in (run.run_name, run.model, run.label):
        for known_name in (name, name.partition("/")[2]):
            if known_name and (row := find_model(known_name)) is not None:
                return row
    return None


def groups(runs: Sequence[Observed], *, seed: int = 0) -> Section | None:
    """Return the comparison of groups; None unless a property divides at least three models of the catalogue.

    `runs`: Runs of one benchmark under one Condition and protocol. Of several Runs of one model, the first counts.
    """
    models: dict[str, tuple[CatalogueModel, Observed]] = {}
    for run in runs:
        if (row := row_of(run)) is not None:
            models.setdefault(row.key, (row, run))
    matching_figures = [one for figure in _figures(models.values()) for one in _of_figure(figure, models, seed)]
    if len(models) < 3 or not matching_figures:
        return None
    first = runs[0]
    table = table_of("groups", "Groups of models", matching_figures, row=_group_place, column=lambda e: e.label)
    return Section(
        "groups",
        "Groups of models",
        EXPLANATION,
        benchmark=first.benchmark.name,
        protocol=first.protocol.name,
        estimates=tuple(matching_figures),
        tables=(table,),
    )


def permutation_p(values: Sequence[float], size: int, *, seed: int = 0) -> float | None:
    """Return the two-sided p-value of the difference between the mean of the first `size` values and that of the rest.

    All divisions into groups of these sizes are tried; if there are more than 20,000, as many are drawn. None if there
    are fewer than 20 divisions.

    Example:
        >>> permutation_p([9, 8, 7, 1, 2, 3], 3)
        0.1
    """
    ways, total, count = comb(len(values), size), sum(values), len(values)
    if not 0 < size < count or ways < MIN_DIVISIONS:
        return None

    def gap(difference: float) -> float:
        return abs(difference / size - (total - difference) / (count - size))

    observed = gap(sum(values[:size])) * (1 - 1e-12)
    if ways <= MAX_EXACT_DIVISIONS:
        return sum(gap(sum(chosen)) >= observed for chosen in combinations(values, size)) / ways
    draw = Random(seed)
    hits = sum(gap(sum(draw.sample(values, size))) >= observed for _ in range(MAX_EXACT_DIVISIONS))
    return (hits + 1) / (MAX_EXACT_DIVISIONS + 1)


def _figures(models: Iterable[tuple[CatalogueModel, Observed]]) -> list[tuple[str, str]]:
    """Return (task, metric) of the figures that stand for the whole, in order."""
    shown = [one for _, run in models for one in headlines(run.benchmark, run.aggregates)]
    return list(dict.fromkeys((one.task, one.metric) for one in shown if not one.slice))


def _value(run: Observed, figure: tuple[str, str]) -> float | None:
    aggregates: Iterator[Aggregate] = (
        one for one in run.aggregates if (one.task, one.metric) == figure and not one.slice
    )
    return next((one.value for one in aggregates), None)


def _of_figure(
    figure: tuple[str, str], models: dict[str, tuple[CatalogueModel, Observed]], seed: int
) -> list[Estimate]:
    """Return mean, mean of the others and difference for each property that divides the models."""
    values = [(row, value) for row, run in models.values() if (value := _value(run, figure)) is not None]
    tags = dict.fromkeys(tag for row, _ in values for tag in row.tags)
    estimates_by_group: list[list[Estimate]] = []
    for tag in tags:
        values_with_tag = [value for row, value in values if tag in row.tags]
        rest = [value for row, value in values if tag not in row.tags]
        if not values_with_tag or not rest or len(values) < 3:
            continue
        unit = unit_of(figure[1])
        points, digits = "points" if unit == "%" else unit, 1 if unit else 2
        fields: dict[str, Any] = {
            "task": figure[0],
            "metric": figure[1],
            "slice": {"group": tag, "models": f"{len(values_with_tag)} of {len(values)}"},
            "counted": "models",
            "digits": digits,
        }
        estimates_by_group.append(
            [
                Estimate("mean", fmean(values_with_tag), unit, n=len(values_with_tag), label="with", **fields),
                Estimate("mean.others", fmean(rest), unit, n=len(rest), label="without", **fields),
                Estimate(
                    "difference",
                    fmean(values_with_tag) - fmean(rest),
                    points,
                    n=len(values),
                    label="difference",
                    p_value=permutation_p([*values_with_tag, *rest], len(values_with_tag), seed=seed),
                    test="permutation",
                    **fields,
                ),
            ]
        )
    return [one for estimate in _adjusted(estimates_by_group) for one in estimate]


def _adjusted(estimates_by_group: list[list[Estimate]]) -> list[list[Estimate]]:
    """Return the Estimates with p-values corrected by Holm's method over the properties of a figure."""
    for trio, p in zip(estimates_by_group, holm([trio[2].p_value for trio in estimates_by_group]), strict=True):
        trio[2] = gap = structs.replace(trio[2], p_adjusted=p)
        why = "" if p is not None else "too few models"
        trio.append(structs.replace(gap, measure="p_adjusted", value=p, unit="p", label="p", digits=3, reason=why))
    return estimates_by_group


def _group_place(estimate: Estimate) -> str:
    slice_ = estimate.slice
    return f"{estimate.task} {estimate.metric}: {slice_['group']} ({slice_['models']} models)"
