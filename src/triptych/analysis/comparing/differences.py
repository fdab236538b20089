"""The difference of two Runs over the questions that they share, with its tests, and the ranks that follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import nan, sqrt

import msgspec
import numpy as np
from msgspec import structs

from triptych.analysis.comparing.figure_values import FigureValues
from triptych.analysis.comparing.grounds import Ground, Units
from triptych.analysis.comparing.joint import Joint
from triptych.analysis.comparing.significance import detectable, holm, mcnemar, wilcoxon
from triptych.analysis.observed import Observed, better_of, headlines, unit_of
from triptych.metrics.agreement import paired_t
from triptych.records import Estimate, FigureKey, Listing, figure_key
from triptych.records.estimates import Better

LISTED = 20
PLANNED = (100, 250, 500, 1000, 2000, 5000, 10_000)
LEVEL = 0.05
_VISIBLE = 0.05  # what rounds to 0.0: where no answers differ, nothing was learnt about how small a difference is found


class Rank(msgspec.Struct, frozen=True):
    """A Run's place on a figure: from `best` to `worst`, since Runs that do not differ significantly have no order."""

    run: str
    figure: str
    value: float
    best: int
    worst: int

    @property
    def places(self) -> str:
        """`2`, or `2 to 4`."""
        return f"{self.best}" if self.best == self.worst else f"{self.best} to {self.worst}"


@dataclass(frozen=True)
class PairDifference:
    """A pair's difference on a headline figure. `values`: the two scores over the shared questions; `counts`: who got
    more questions right, in words; `counts_disagree`: the counts point the other way than the figure."""

    estimate: Estimate
    pair: tuple[int, int]
    values: tuple[float, float]
    counts: str
    counts_disagree: bool
    more: tuple[Estimate, ...]
    listings: tuple[Listing, ...]


def differences_of(ground: Ground, listed: bool, parts: bool) -> tuple[list[PairDifference], list[Estimate]]:
    """Return the differences of headline figures, and (`parts`) those of all other figures."""
    runs, joint = ground.runs, ground.joint
    keys = [key for key in headline_keys(runs) if key in joint.values]
    pair_differences: list[PairDifference] = []
    rest: list[Estimate] = []
    for pair, pair_pairs in ground.pairs.items():
        p_values = joint.permutation(*pair_pairs, None if parts else keys)
        for key in keys:
            difference = _difference(runs, joint, ground.units, key, pair_pairs, p_values.get(key))
            counted = _Counted(runs, ground.figure_values, key, pair_pairs)
            values = float(joint.values[key][pair_pairs[0]]), float(joint.values[key][pair_pairs[1]])
            more = (*_plan(difference, joint, key, pair_pairs), *counted.estimates(difference))
            listings = (*counted.listings(), *_planned(difference, joint, key, pair_pairs)) if listed else ()
            pair_differences.append(
                PairDifference(
                    difference,
                    pair,
                    values,
                    counted.words(),
                    counted.points_elsewhere(difference.value or 0.0),
                    more,
                    listings,
                )
            )
        others = [key for key in joint.values if key not in keys] if parts else []
        rest += [_difference(runs, joint, ground.units, key, pair_pairs, p_values.get(key)) for key in others]
    return pair_differences, rest


def adjust_p_values(pair_differences: Sequence[PairDifference], *, several: bool) -> list[PairDifference]:
    """Return the differences, in the order of pairs and figures, with p-values adjusted over the pairs of a figure."""
    figures = list(dict.fromkeys(figure_key(one.estimate) for one in pair_differences))
    ordered = sorted(pair_differences, key=lambda one: (one.pair, figures.index(figure_key(one.estimate))))
    if not several:
        return ordered
    p_values: dict[int, float | None] = {}
    for key in figures:
        differences = [one for one in ordered if figure_key(one.estimate) == key]
        p_values |= dict(zip(map(id, differences), holm([one.estimate.p_value for one in differences]), strict=True))
    return [replace(one, estimate=structs.replace(one.estimate, p_adjusted=p_values[id(one)])) for one in ordered]


def headline_keys(runs: Sequence[Observed]) -> list[FigureKey]:
    matching_runs = [key for run in runs for key in map(figure_key, headlines(run.benchmark, run.aggregates))]
    return list(dict.fromkeys(matching_runs))


def _difference(
    runs: Sequence[Observed], joint: Joint, units: Units, key: FigureKey, pair: tuple[int, int], p: float | None
) -> Estimate:
    first, second = pair
    n, coverage = units.compared_units(key)
    values = joint.values[key]
    value = float(values[first]) - float(values[second])
    defined = value == value
    error = _error(joint, key, pair) if defined else None
    interval = joint.interval(key, first, second) if defined else None
    why = "" if defined else "a Run has no value of this figure over the shared questions"
    if defined and interval is None:
        why = "no interval: " + (
            "one Instance gives no estimate of the variance" if joint.instances < 2 else "no spread"
        )
    return Estimate(
        "difference",
        value if defined else None,
        "points" if unit_of(key[1]) == "%" else unit_of(key[1]),
        n=n,
        interval=interval,
        p_value=p if defined else None,
        test="permutation by Instance",
        task=key[0],
        metric=key[1],
        slice=dict(key[2]),
        protocol=joint.protocol.name,
        runs=(runs[first].label, runs[second].label),
        values=(float(values[first]), float(values[second])) if defined else (),
        signatures=(runs[first].signature, runs[second].signature),
        coverage=coverage,
        label=figure_words(key),
        better=_direction_of(key[1]),
        reason=why,
        note=f"smallest detectable difference (80% power): {detectable(error):.1f}" if error else "",
    )


def _plan(estimate: Estimate, joint: Joint, key: FigureKey, pair: tuple[int, int]) -> Iterator[Estimate]:
    """The smallest true difference that these questions would show with probability 0.8, at the level of 0.05."""
    if estimate.value is not None and (error := _error(joint, key, pair)):
        label, note = "smallest detectable difference (80% power)", "2.80 standard errors of the difference"
        yield structs.replace(
            estimate,
            measure="detectable",
            value=detectable(error),
            values=(),
            interval=None,
            p_value=None,
            p_adjusted=None,
            test="",
            label=label,
            better="",
            note=note,
        )


def _planned(estimate: Estimate, joint: Joint, key: FigureKey, pair: tuple[int, int]) -> Iterator[Listing]:
    """The same for other numbers of questions of this kind: the standard error falls with their square root."""
    if estimate.value is not None and estimate.n and (error := _error(joint, key, pair)):
        rows = tuple((f"{n:,}", f"{detectable(error * sqrt(estimate.n / n)):.1f}") for n in PLANNED)
        unit = f", {estimate.unit}" if estimate.unit else ""
        yield Listing(
            f"detectable.{estimate.label}",
            f"Number of questions needed: {estimate.label}",
            ("Questions", f"Smallest difference detected with 80% power{unit}"),
            rows,
        )


def _error(joint: Joint, key: FigureKey, pair: tuple[int, int]) -> float | None:
    """The standard error of the difference; None where it is too small to tell what difference would be found."""
    error = joint.error(key, *pair)
    return error if error is not None and detectable(error) >= _VISIBLE else None


def _direction_of(metric: str) -> Better:
    return "lower" if better_of(metric) == "lower" else "higher"


def figure_words(key: FigureKey) -> str:
    """A figure as people call it: `xmodbench acc, family spatial`."""
    task, metric, slice_ = key
    return ", ".join([f"{task} {metric}", *(f"{name} {value}" for name, value in slice_)])


def is_significant(estimate: Estimate) -> bool:
    p = estimate.p_adjusted if estimate.p_adjusted is not None else estimate.p_value
    return p is not None and p < LEVEL


class _Counted:
    """The shared questions behind one figure, one by one: who got which right, and the tests on that."""

    def __init__(
        self, runs: Sequence[Observed], cell_units: FigureValues, key: FigureKey, pair: tuple[int, int]
    ) -> None:
        self.runs, self._cell_units, self._first = [runs[number] for number in pair], cell_units, pair[0]
        first, second = (cell_units.values_of(number, key) for number in pair)
        self.binary = first.binary and second.binary
        sign = -1.0 if better_of(key[1]) == "lower" else 1.0
        differences = sign * (first.values[first.units] - second.values[first.units])
        in_both = ~np.isnan(differences)
        self.units, self.differences = first.units[in_both], differences[in_both]
        self.only = tuple(self.units[self.differences * side > 0] for side in (1, -1))

    def by_instance(self) -> list[float]:
        """The mean difference of each Instance."""
        return self._cell_units.means(self._first, self.units, self.differences)

    def words(self) -> str:
        """`41 questions only A got right, 23 only B`."""
        first, second = (len(units) for units in self.only)
        noun = "question" if first == 1 else "questions"
        if self.binary:
            return f"{first:,} {noun} only {self.runs[0].label} got right, {second:,} only {self.runs[1].label}"
        return f"{self.runs[0].label} did better on {first:,} {noun}, {self.runs[1].label} on {second:,}"

    def points_elsewhere(self, difference: float) -> bool:
        """Whether the one that is behind on the figure got more questions right."""
        first, second = (len(units) for units in self.only)
        return self.binary and difference * (first - second) < 0

    def estimates(self, of: Estimate) -> Iterator[Estimate]:
        """How many each alone got right, and the classical tests: McNemar over Units, t and Wilcoxon over Instances."""
        make = partial(
            Estimate,
            task=of.task,
            metric=of.metric,
            slice=of.slice,
            runs=of.runs,
            protocol=of.protocol,
            signatures=of.signatures,
            coverage=of.coverage,
        )
        n, means = len(self.differences), self.by_instance()
        for name, units in zip(("only_first", "only_second"), self.only, strict=True):
            yield make(name, float(len(units)), "questions", n=n, digits=0, label=f"only {_side(of, name)}")
        if self.binary:
            estimate = mcnemar(*(len(values) for values in self.only))
            note = (
                "" if len(means) == n else "assumes that questions of one Instance are independent, which they are not"
            )
            why = "" if estimate else "there is no question that only one of the two got right"
            yield make(
                "mcnemar.exact",
                float(estimate.disagreeing) if estimate else None,
                "questions",
                n=n,
                p_value=estimate and estimate.exact_p,
                test="McNemar, exact",
                note=note,
                reason=why,
            )
            yield make(
                "mcnemar.chi2",
                estimate and estimate.chi2,
                "",
                n=n,
                p_value=estimate and estimate.chi2_p,
                test="McNemar, chi-square with continuity correction",
                note=note,
                reason=why,
            )
        t = paired_t(means, [0.0] * len(means))
        why = "" if t else "fewer than two Instances, or all differ by the same amount"
        yield make(
            "paired_t",
            t and t.t,
            "",
            n=len(means),
            counted="Instances",
            p_value=t and t.p,
            test="paired t over Instances",
            reason=why,
        )
        w = wilcoxon(means)
        yield make(
            "wilcoxon",
            w and w.statistic,
            "",
            n=len(means),
            counted="Instances",
            p_value=w and w.p,
            test="Wilcoxon signed-rank over Instances",
            reason="" if w else "no Instance differs",
        )

    def listings(self) -> Iterator[Listing]:
        """The questions that one alone got right, the first of them."""
        for side, units in enumerate(self.only):
            if len(units) and self.binary:
                label, instances = self.runs[side].label, self._cell_units.instances[self._first]
                names = sorted(self._cell_units.units[number] for number in units.tolist())[:LISTED]
                rows = tuple((unit, instances[unit]) for unit in names)
                yield Listing(f"only.{side + 1}", f"Only {label} got right", ("Unit", "Instance"), rows, len(units))


def _side(of: Estimate, name: str) -> str:
    return of.runs[0] if name == "only_first" else of.runs[1]


def all_ranks(runs: Sequence[Observed], pair_differences: Sequence[PairDifference]) -> Iterator[Rank]:
    """Yield the ranks on each headline figure, with each Run's score: over the shared questions if they are the same in
    all pairs, otherwise over its own."""
    for key in dict.fromkeys(figure_key(one.estimate) for one in pair_differences):
        differences = [one for one in pair_differences if figure_key(one.estimate) == key]
        same = len({one.estimate.n for one in differences}) == 1
        values = {n: value for one in differences for n, value in zip(one.pair, one.values, strict=True)}
        if not same:
            figures = [{figure_key(a): a.value for a in run.aggregates} for run in runs]
            values = {n: nan if (value := figures[n].get(key)) is None else value for n in values}
        yield from _ranks(runs, key, values, {one.pair: one.estimate for one in differences})


def _ranks(
    runs: Sequence[Observed],
    key: FigureKey,
    values: Mapping[int, float],
    pairs: Mapping[tuple[int, int], Estimate],
) -> Iterator[Rank]:
    """Return ranks. Best: 1 + the number of significantly better Runs; worst: all Runs minus the significantly worse
    ones."""
    sign = -1.0 if better_of(key[1]) == "lower" else 1.0
    order = sorted(values, key=lambda n: -sign * values[n] if values[n] == values[n] else float("inf"))
    for row in order:
        if values[row] != values[row]:
            continue
        surely = [
            sign * (one.value or 0.0) * (1 if pair[0] == row else -1)
            for pair, one in pairs.items()
            if row in pair and (1.0 if one.p_adjusted is None else one.p_adjusted) < LEVEL
        ]
        better, worse = sum(d < 0 for d in surely), sum(d > 0 for d in surely)
        yield Rank(runs[row].label, figure_words(key), values[row], better + 1, len(runs) - worse)
