"""Consistency inside an Instance: does a model give the same answer however a question is put?

For right-or-wrong scores the rates come from `counts`, and go through the benchmark's own aggregation; for other scores
(F1, WER) the spread over the forms of an Instance is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from triptych.analysis.forms.counts import (
    Counts,
    Rates,
    Sums,
    count,
    rates,
    resampled,
    sums_of,
)
from triptych.analysis.forms.instances import ROTATION, Forms, Group, forms_of, is_scorable, variations
from triptych.analysis.forms.spread import contrast_differences, spreads
from triptych.analysis.observed import Observed, is_binary, unit_of
from triptych.benchmarks.spec import Contrast
from triptych.metrics.metric import metric_name
from triptych.metrics.statistics.intervals import wilson
from triptych.metrics.statistics.limits import figure_interval
from triptych.protocols.protocol import Cell
from triptych.records import Aggregate, Estimate, FigureKey, Section, Table, figure_key, table_of
from triptych.records.estimates import Better
from triptych.scoring.figures.cells import CellName
from triptych.scoring.notes.cost import COSTS

if TYPE_CHECKING:
    from triptych.scoring.figures.cells import Array

_Figures = dict[FigureKey, tuple["Array", set[str]]]  # a figure's values, and the strata behind it

REPLICATES = 1000
THIN = 0.1  # share of Instances below which a note says that a figure rests on few
EXPLANATION = (
    "An Instance is one question put to the model in several forms. Agreement is the share of pairs of forms that "
    "are both right or both wrong. Some agreement arises by chance: a model that answers 9 of 10 questions "
    "correctly agrees with itself in 82% of pairs without any consistency; and a model that always answers B always"
    " agrees with itself if the reference answer has the same letter in all forms. Agreement is therefore also "
    "given beyond chance (0: expected from the accuracies alone, 1: perfect), and beyond habit (the same, against "
    "picking each letter as often as this model does). A flip is a question that is answered correctly in one form "
    "and wrongly in another."
)


def consistency(run: Observed, *, replicates: int = REPLICATES, seed: int = 0) -> list[Section]:
    """One Section for each facet that varies inside this Run's Instances; none where nothing varies."""
    sections = [_section(run, forms_of(run, v), replicates, seed) for v in variations(run)]
    return [section for section in sections if section is not None]


def _section(run: Observed, forms: Forms, replicates: int, seed: int) -> Section | None:
    if not forms.groups:
        return None
    title = f"Consistency by {forms.variation.title}: {run.label}"
    estimates = list(_published(run))
    tables: list[Table] = []
    run_estimates: list[Estimate] = []
    flips: list[Estimate] = []
    binary, other = _by_kind(forms)
    if binary.groups:
        measured = Measured(run, binary, replicates, seed)
        run_estimates += [*measured.complete_instances(), *measured.agreement(), *measured.constant()]
        flips += [*measured.contrasts(), *measured.flips()]
        tables += measured.tables(run_estimates, flips)
    if other.groups:
        apart = [*spreads(run, other, replicates, seed), *contrast_differences(run, other, replicates, seed)]
        tables.append(_spread_table(run, other, apart))
        run_estimates += apart
    tables = [table for table in tables if any(cell.value is not None for row in table.rows for cell in row.cells)]
    sentences = tuple(_sentences(run, run_estimates, flips))
    if not run_estimates:
        sentences = ("No Instance has answers in two forms that could be scored.",)
    notes = tuple(filter(None, [forms.note, *_low_coverage_notes(run_estimates)]))
    listings = tuple(filter(None, (forms.listing(), forms.omissions_listing())))
    return Section(
        f"consistency.{forms.variation.facet}",
        title,
        EXPLANATION,
        sentences,
        (*estimates, *run_estimates, *flips),
        tuple(tables),
        listings,
        notes,
        run.benchmark.name,
        run.protocol.name,
    )


def _by_kind(forms: Forms) -> tuple[Forms, Forms]:
    """The Instances whose Scores are right or wrong, and the others, stratum by stratum; none of a stratum in which no
    Instance has two answers that could be scored."""
    strata: dict[str, list[Group]] = {}
    for group in forms.groups:
        if sum(map(is_scorable, group.scores.values())) > 1:
            strata.setdefault(group.stratum, []).append(group)
    binary = {
        name
        for name, groups_in_stratum in strata.items()
        if is_binary(s for g in groups_in_stratum for s in g.scores.values())
    }
    of_kind = (
        tuple(g for g in forms.groups if g.stratum in strata and (g.stratum in binary) is kind)
        for kind in (True, False)
    )
    first, second = (replace(forms, groups=groups) for groups in of_kind)
    return first, second


def _spread_table(run: Observed, forms: Forms, estimates: Sequence[Estimate]) -> Table:
    return table_of(
        f"spread.{forms.variation.facet}",
        f"Spread by {forms.variation.title}: {run.label}",
        estimates,
        row=lambda e: e.slice.get("of", e.metric),
        column=lambda e: e.label,
        protocol=run.protocol.name,
    )


def _published(run: Observed) -> Iterator[Estimate]:
    """The benchmark's own figures, as published: by one facet or none, and what it derives from them (Std, CMC)."""
    for a in run.aggregates:
        if a.task == run.benchmark.name and len(a.slice) <= 1 and a.metric not in COSTS:
            yield as_estimate(a, run)


def as_estimate(a: Aggregate, run: Observed) -> Estimate:
    """A figure of a Run as an Estimate."""
    label = " ".join([metric_name(a.metric), *a.slice.values()]).replace("_", " ")
    nothing = "nothing was scored" if not a.n else "it can't be computed if a part is 0 or missing"
    reason = "" if a.value is not None else nothing
    return Estimate(
        a.metric,
        a.value,
        unit_of(a.metric),
        n=a.n,
        interval=a.interval,
        coverage=a.coverage,
        task=a.task,
        slice=a.slice,
        protocol=a.protocol,
        metric=a.metric,
        runs=(run.label,),
        counts=a.counts,
        signatures=(a.signature,),
        label=label,
        reason=reason,
    )


@dataclass(frozen=True)
class Measured:
    """The measures of one Run by one facet, with intervals over resampled Instances."""

    run: Observed
    forms: Forms
    replicates: int
    seed: int

    @cached_property
    def counts(self) -> list[Counts]:
        """The counts behind it all."""
        return count(self.forms, self.run)

    @cached_property
    def sums(self) -> list[Sums]:
        """Their sums."""
        return sums_of(self.counts)

    @cached_property
    def resampled_sums(self) -> list[Sums]:
        """Their sums over resampled Instances."""
        return resampled(self.counts, self.replicates, self.seed)

    def complete_instances(self) -> Iterator[Estimate]:
        """Yield the shares with all forms right and none right, and the share expected by chance."""
        number = max((len(c.forms) for c in self.counts), default=0)
        yield from self._rate("all_right", f"All {number} right", "all", "whole", "higher")
        yield from self._rate("all_right.by_luck", "by chance", "by_luck", "whole", "")
        yield from self._rate("none_right", "None right", "none", "whole", "lower")

    def agreement(self) -> Iterator[Estimate]:
        """Agreement in right and wrong, and in what was picked; each also beyond chance."""
        yield from self._rate("agreement", "Agreement", "agreement", "pairs", "higher")
        yield from self._kappa_estimates("agreement.beyond_luck", "beyond chance", "agreement", "agreement.by_luck")
        if any(c.places for c in self.counts):
            yield from self._kappa_estimates(
                "agreement.beyond_habit", "beyond habit", "agreement", "agreement.by_habit"
            )
            yield from self._rate("same_pick", "Same pick", "same_pick", "pairs", "higher")
            yield from self._kappa_estimates(
                "same_pick.beyond_luck", "picks beyond chance", "same_pick", "same_pick.by_luck"
            )

    def constant(self) -> Iterator[Estimate]:
        """What always picking the most frequent place would get right in all forms; nothing where the places move."""
        keys = {
            p: sum(float(s.column_sum("key", p)) for s in self.sums if p in s.counts.places)
            for s in self.sums
            for p in s.counts.places
        }
        total = 0 if self.forms.variation is ROTATION else sum(keys.values())
        if total:
            most_common = max(keys, key=lambda p: (keys[p], p))
            yield self._over_all(
                "constant.all_right",
                100 * keys[most_common] / total,
                "%",
                n=int(total),
                counted="Instances",
                label=f"always {most_common}",
                note="it agrees with itself in every pair",
            )

    def contrasts(self) -> Iterator[Estimate]:
        """Named comparisons, pooled over their pairs of forms: flips both ways, and the difference."""
        for contrast in self.forms.variation.contrasts:
            if pairs := [p for p in contrast.pairs if set(p) <= set(self.forms.values)]:
                yield self._flip(f"flip.{contrast.id}", f"right before, wrong after: {contrast.title}", pairs, contrast)
                back = [(after, before) for before, after in pairs]
                yield self._flip(
                    f"flip_back.{contrast.id}",
                    f"wrong before, right after: {contrast.title}",
                    back,
                    contrast,
                    back=True,
                )
        yield from contrast_differences(self.run, self.forms, self.replicates, self.seed)

    def flips(self) -> Iterator[Estimate]:
        """Every ordered pair of forms: of the questions right in one, how many are wrong in the other."""
        for pair in permutations(self.forms.values, 2):
            yield self._flip("flip", " to ".join(pair), [pair])

    def _flip(
        self,
        measure: str,
        label: str,
        pairs: Sequence[tuple[str, str]],
        contrast: Contrast | None = None,
        *,
        back: bool = False,
    ) -> Estimate:
        top, below = self._flip_sums(self.sums, pairs)
        value = 100 * float(top) / float(below) if below else None
        drawn = self._flip_sums(self.resampled_sums, pairs)
        with np.errstate(invalid="ignore", divide="ignore"):
            freedom = sum(len(c.rows) - 1 for c in self.counts)
            interval = figure_interval(100 * drawn[0] / drawn[1], value, (0.0, 100.0), df=freedom)
        slice_ = {"contrast": contrast.id} if contrast else dict(zip(("right", "wrong"), pairs[0], strict=True))
        return self._over_all(
            measure,
            value,
            "%",
            n=int(below),
            counted="pairs with a right answer",
            interval=interval,
            slice=slice_,
            label=label,
            better="lower",
            reason="" if below else f"nothing was right in {pairs[0][0]}",
            note="of the questions that are right after" if back else "",
        )

    def _flip_sums(self, sums: Sequence[Sums], pairs: Sequence[tuple[str, str]]) -> tuple[Array, Array]:
        """(right in the first and wrong in the second, right in the first) over all pairs."""
        top = below = np.zeros(sums[0].values.shape[:-1])
        for s in sums:
            for first, second in pairs:
                if {first, second} <= set(s.counts.forms):
                    straight = s.counts.forms.index(first) < s.counts.forms.index(second)
                    a, b = (first, second) if straight else (second, first)
                    right = s.column_sum("first" if straight else "second", a, b)
                    top, below = top + right - s.column_sum("both", a, b), below + right
        return np.asarray(top), np.asarray(below)

    def _rate(self, measure: str, label: str, rate: str, base: str, better: Better) -> Iterator[Estimate]:
        points, spread = self._rate_figures(rate)
        for key, (value, strata) in points.items():
            rate_or_none = float(value) if np.isfinite(value) else None
            yield self._estimate(measure, label, key, rate_or_none, spread.get(key), strata, base, "%", better)

    def _kappa_estimates(self, measure: str, label: str, observed: str, chance: str) -> Iterator[Estimate]:
        """(observed - chance) / (1 - chance), of figures in percent."""
        (point, spread), (by_chance, chance_spread) = self._rate_figures(observed), self._rate_figures(chance)
        for key, (value, strata) in point.items():
            kappa, drawn = _kappa(value, by_chance[key][0]), _kappa(spread[key][0], chance_spread[key][0])
            kappa_or_none = float(kappa) if np.isfinite(kappa) else None
            yield self._estimate(measure, label, key, kappa_or_none, (drawn, strata), strata, "pairs", "", "higher")

    def _rate_figures(self, rate: str) -> tuple[_Figures, _Figures]:
        """A rate's figures, and in every replicate; several measures are made of the same rates."""
        if rate not in self._chance_figures:
            self._chance_figures[rate] = (
                self._figures(rates(self.sums, rate)),
                self._figures(rates(self.resampled_sums, rate)),
            )
        return self._chance_figures[rate]

    @cached_property
    def _chance_figures(self) -> dict[str, tuple[_Figures, _Figures]]:
        return {}

    def _estimate(
        self,
        measure: str,
        label: str,
        key: FigureKey,
        value: float | None,
        spread: tuple[Array, set[str]] | None,
        strata: set[str],
        base: str,
        unit: str,
        better: Better,
    ) -> Estimate:
        n, of = self._instances(strata, base)
        bounds = (0.0, 100.0) if unit == "%" else None
        interval = figure_interval(spread[0], value, bounds, df=n - len(strata)) if spread and n > 1 else None
        if base == "whole" and not measure.endswith("by_luck") and len(strata) == 1 and n > 1 and value in (0.0, 100.0):
            low, high = wilson(value / 100 * n, n)  # drawing again from what is all alike shows no spread
            interval = (100 * low, 100 * high)
        why = (
            "no Instance has answers in enough forms"
            if not n
            else "chance alone would give full agreement, or there are no positions to pick"
        )
        return Estimate(
            measure,
            value,
            unit,
            n=n,
            counted="Instances",
            interval=interval,
            coverage=n / of if of else 0.0,
            task=key[0],
            metric=key[1],
            slice=dict(key[2]),
            protocol=self.run.protocol.name,
            runs=(self.run.label,),
            signatures=(self.run.signature,),
            label=label,
            better=better,
            digits=2 if not unit else 1,
            reason="" if value is not None else why,
        )

    def _instances(self, strata: set[str], base: str) -> tuple[int, int]:
        """(Instances that count, all Instances) of some strata."""
        matching_counts = [c for c in self.counts if c.stratum in strata]
        columns = [
            [c.at["whole",]]
            if base == "whole"
            else [n for name, n in c.at.items() if len(name) == 3 and name[0] == "n"]
            for c in matching_counts
        ]
        used = sum(int((c.rows[:, at] > 0).any(axis=1).sum()) for c, at in zip(matching_counts, columns, strict=True))
        return used, sum(len(c.rows) for c in matching_counts)

    def _figures(self, rates: Rates) -> _Figures:
        """Rates by form to the benchmark's own figures, as it aggregates its main metric, with the strata behind each.

        Figures by form are left out, since a pair belongs to two of them; so are those that it derives (Std).
        """
        rate: dict[CellName, tuple[Array, Array]] = {}
        strata: dict[CellName, set[str]] = {}
        for at, (top, below) in rates.items():
            name = self.forms.cells[at]
            rate[name] = (rate[name][0] + top, rate[name][1] + below) if name in rate else (top, below)
            strata.setdefault(name, set()).add(at[0])
        names: list[CellName] = sorted(rate)
        sums = np.stack([np.stack(rate[name], axis=-1) for name in names], axis=-2)
        cells = [Cell(*name) for name in names]
        values: _Figures = {}
        with np.errstate(invalid="ignore", divide="ignore"):
            for f in self.run.protocol.aggregate(cells, sums):
                stratum_names: set[str] = set().union(*(strata[names[n]] for n in f.cells))
                if self._is_over_all(f.task, f.metric, f.slice, cells, stratum_names):
                    values[figure_key(f)] = (np.asarray(f.value), stratum_names)
        fewest = min((len(key[2]) for key in values), default=0)
        small = {key: value for key, value in values.items() if len(key[2]) <= fewest + 2}
        return small or self._by_stratum(rates)

    def _by_stratum(self, rates: Rates) -> _Figures:
        """Pooled over the forms of each kind of Instance, where a benchmark has no figure over all forms."""
        totals: dict[str, tuple[Array, Array]] = {}
        for (stratum, _), (top, below) in rates.items():
            total = totals.get(stratum)
            totals[stratum] = (total[0] + top, total[1] + below) if total else (top, below)
        with np.errstate(invalid="ignore", divide="ignore"):
            return {
                (self.run.benchmark.name, "", (("of", stratum),)): (np.asarray(100 * top / below), {stratum})
                for stratum, (top, below) in totals.items()
            }

    def _is_over_all(
        self, task: str, metric: str, slice_: Mapping[str, str], cells: Sequence[Cell], strata_of_units: set[str]
    ) -> bool:
        """Whether a figure is over all forms, and of the metric itself."""
        by_form = {self.forms.variation.facet, self.forms.variation.content} & slice_.keys()
        tasks = {self.forms.cells[at][0] for at in self.forms.cells if at[0] in strata_of_units}
        one_form = task != self.run.benchmark.name and len(tasks) > 1
        return not by_form and not one_form and metric in {cell.metric for cell in cells}

    @cached_property
    def _over_all(self) -> partial[Estimate]:
        """An Estimate over all Instances."""
        used, of = self._instances({c.stratum for c in self.counts}, "pairs")
        return partial(
            Estimate,
            task=self.run.benchmark.name,
            protocol=self.run.protocol.name,
            runs=(self.run.label,),
            signatures=(self.run.signature,),
            coverage=used / of if of else 0.0,
        )

    def tables(self, estimates: Sequence[Estimate], flips: Sequence[Estimate]) -> Iterator[Table]:
        """Measures by family and subtask; flips from form to form."""
        name = self.forms.variation.facet
        yield table_of(
            f"consistency.{name}",
            f"Consistency by {self.forms.variation.title}: {self.run.label}",
            (e for e in estimates if e.measure != "constant.all_right"),
            row=_row,
            column=lambda e: e.label,
            protocol=self.run.protocol.name,
        )
        title = f"Right in one form (rows), wrong in the other (columns), %: {self.run.label}"
        yield table_of(
            f"flips.{name}",
            title,
            (e for e in flips if e.measure == "flip"),
            row=lambda e: e.slice["right"],
            column=lambda e: e.slice["wrong"],
            columns=self.forms.values,
            protocol=self.run.protocol.name,
        )


def _row(e: Estimate) -> str:
    return " / ".join(e.slice.values()) or e.task


def _kappa(observed: Array, chance: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        path = (observed - chance) / (100.0 - chance)
    return np.asarray(np.where(chance > 100.0 - 1e-9, np.nan, path))


def _sentences(run: Observed, estimates: Sequence[Estimate], flips: Sequence[Estimate]) -> Iterator[str]:
    """The whole benchmark, or each of its Tasks where they have no figure together; then the named changes."""
    run_estimates = [e for e in estimates if e.measure == "all_right"]
    fewest = min((len(e.slice) for e in run_estimates), default=0)
    constant = next((e for e in estimates if e.measure == "constant.all_right"), None)
    for overall in (e for e in run_estimates if len(e.slice) == fewest):
        like = {e.measure: e for e in estimates if (e.task, e.slice) == (overall.task, overall.slice)}
        where = f"{_row(overall)}: " if overall.task != run.benchmark.name or overall.slice else ""
        yield from _describe_run(run, where, overall, like, constant)
    apart = [
        e for e in estimates if e.value is not None and (e.measure == "spread" or e.measure.startswith("difference."))
    ]
    yield from map(_describe_spread, apart)
    for e in flips:
        if e.measure.startswith("flip.") and e.value is not None:
            title = e.label.partition(": ")[2]
            yield f"With {title}, {e.value:.1f}% of the right answers become wrong{_range(e)} (n = {e.n:,})."


def _describe_spread(e: Estimate) -> str:
    """Describe the spread over the forms of an Instance, or the effect of a named change, for scores other than right
    and wrong."""
    unit = f" {e.unit}" if e.unit else ""
    n = f"(n = {e.n:,} {e.counted})"
    if e.measure == "spread":
        return f"{e.slice['of']}: the forms of an Instance are {e.value:.{e.digits}f}{unit} apart{_range(e)} {n}."
    better = "; lower is better" if e.better == "lower" else ""
    return f"With {e.label}, {e.metric} changes by {e.value:+.{e.digits}f}{unit}{_range(e)} {n}{better}."


def _low_coverage_notes(estimates: Sequence[Estimate]) -> Iterator[str]:
    """Note rates over complete Instances that cover only few of the Instances."""
    thin = [
        e for e in estimates if e.measure == "all_right" and e.n and (e.coverage or 0.0) < THIN and len(e.slice) > 1
    ]
    if thin:
        text = ", ".join(f"{_row(e)} ({e.n:,}, {100 * (e.coverage or 0):.1f}%)" for e in thin)
        yield f"few Instances have an answer in every form: {text}; `all right` says little about the others"


def _describe_run(
    run: Observed, where: str, overall: Estimate, like: Mapping[str, Estimate], constant: Estimate | None
) -> Iterator[str]:
    if overall.value is not None:
        luck = like.get("all_right.by_luck")
        beside = [f"{luck.value:.1f}% are expected by chance"] if luck and luck.value is not None else []
        chosen = like.get("agreement.beyond_habit")  # without a value there is nothing to choose from
        beside += (
            [f"{constant.label} {constant.value:.1f}%"] if constant and chosen and chosen.value is not None else []
        )
        share = f"{overall.value:.1f}% of the Instances{_range(overall)} (n = {overall.n:,})"
        yield f"{where}{run.label} is right in every form of {'; '.join([share, *beside])}."
    if (agree := like.get("agreement")) and agree.value is not None:
        names = (("agreement.beyond_luck", "beyond chance"), ("agreement.beyond_habit", "beyond habit"))
        beyond = [f"{e.value:.2f} {words}" for name, words in names if (e := like.get(name)) and e.value is not None]
        text = f": {', '.join(beyond)}" if beyond else ""
        yield f"{where}Two forms of an Instance agree in right and wrong in {agree.value:.1f}%{_range(agree)}{text}."


def _range(e: Estimate) -> str:
    if e.interval is None:
        return ""
    low, high = (f"{bound:.{e.digits}f}" for bound in e.interval)
    return f" (95% interval {low}{' to ' if e.interval[0] < 0 else '–'}{high})"
