"""Runs against each other over the questions that they share: differences, tests, and a sentence for people."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import nan, sqrt

import msgspec
import numpy as np
from msgspec import structs

from triptych.analysis.comparing.figure_values import FigureValues
from triptych.analysis.comparing.grounds import Ground, Units, grounds
from triptych.analysis.comparing.joint import REPLICATES, Joint
from triptych.analysis.comparing.pairwise import matrices
from triptych.analysis.comparing.scope import answered_in, comparable, scope_words
from triptych.analysis.comparing.shared import NOT_THE_SAME, Shared, share
from triptych.analysis.comparing.significance import detectable, holm, mcnemar, wilcoxon
from triptych.analysis.observed import Observed, better_of, headlines, unit_of
from triptych.metrics.agreement import paired_t
from triptych.records import Estimate, FigureKey, Listing, Section, figure_key
from triptych.records.estimates import Better
from triptych.scoring.figures.cells import Kind

LISTED = 20
MAX_RUNS_IN_PROSE = 4  # Runs: above, a matrix has the pairs instead of a sentence each
MOST_PAIRS = 6  # pairs without a shared question that are named
PLANNED = (100, 250, 500, 1000, 2000, 5000, 10_000)
OVERLAP = "Runs whose ranks overlap do not differ significantly."
LEVEL = 0.05
_VISIBLE = 0.05  # what rounds to 0.0: where no answers differ, nothing was learnt about how small a difference is found


class ComparedRun(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Run of a comparison. `units`: all that it was asked; `answered`: those with a reply; `unfinished`: for an
    interrupted Run, how many questions are in the data; `usd`: its cost, None if a price is unknown."""

    label: str
    model: str
    signature: str
    units: int
    condition: str = ""
    place: str = ""
    usd: float | None = None
    answered: int | None = None
    unfinished: str = ""


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


class Comparison(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `triptych compare` finds. `shared`: Units that all Runs were asked and that count; `instances` behind them.

    `pairwise`: (fewest, most) Units that a pair shares, if pairs share different questions: each pair is compared over
    its own. `baseline`: the label of the Run with which the others were compared; empty if all pairs were.
    `scope`: the same in sentences: how many questions count, which Run narrows them, what counts as wrong. `lost`: why
    questions asked of all don't count, with how many. `excluded`: label -> why a Run can't be compared at all.
    `warnings`: what else differs than the model.
    """

    benchmark: str
    protocol: str
    runs: tuple[ComparedRun, ...]
    shared: int
    instances: int
    sentences: tuple[str, ...]
    section: Section
    lost: dict[str, int] = {}
    warnings: tuple[str, ...] = ()
    ranks: tuple[Rank, ...] = ()
    scope: tuple[str, ...] = ()
    excluded: dict[str, str] = {}
    pairwise: tuple[int, int] | None = None
    baseline: str = ""

    @property
    def worse(self) -> tuple[Estimate, ...]:
        """The headline differences in which a Run is significantly worse than the baseline; empty without one."""
        own = [e for e in self.headlines if self.baseline and e.runs[1] == self.baseline and _sure(e)]
        return tuple(e for e in own if ((e.value or 0.0) > 0) == (e.better == "lower") and e.value)

    @property
    def headlines(self) -> tuple[Estimate, ...]:
        """The differences on headline figures, which are those with tests over Instances."""
        tested = {(figure_key(e), e.runs) for e in self.section.estimates if e.measure == "paired_t"}
        own = [e for e in self.section.estimates if e.measure == "difference"]
        return tuple(e for e in own if (figure_key(e), e.runs) in tested)

    def _repr_markdown_(self) -> str:
        """Return the notebook view: the findings in words, and the caveats."""
        told = [f"- {sentence}" for sentence in self.sentences]
        told += [f"> left out: {label}: {why}" for label, why in self.excluded.items()]
        told += [f"> scope: {words}" for words in self.scope] + [f"> beware: {warning}" for warning in self.warnings]
        return "\n".join([f"**{self.benchmark}, {self.shared:,} shared questions**", "", *told])


EXPLANATION = (
    "Each difference is between answers to the same questions. The interval is a bootstrap over whole Instances "
    "(all forms of a question together); if it contains 0, the Runs do not differ significantly on this figure. p "
    "comes from a permutation test: the share of random exchanges of the two models' answers, Instance by Instance,"
    " that give a difference at least as large."
)


def compare_runs(
    runs: Sequence[Observed],
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    baseline: int | None = None,
    parts: bool = True,
) -> Comparison:
    """Two or more Runs of one benchmark under one protocol.

    Each pair is compared over the questions that the two share; Holm's correction is over all pairs of a figure. A Run
    without any answer is left out and named. If no pair shares a question, the estimates are None and give the reason.
    `baseline`: the number of a Run with which the others are compared, instead of all pairs. `parts`: False for
    headline figures alone.
    """
    kind = runs[0].protocol.headline
    usable, excluded = comparable(runs, kind)
    if len(usable) < 2 or (baseline is not None and runs[baseline].label in excluded):
        return _no_two(share(runs, kind), excluded)
    shared = share(usable, kind)
    reference = None if baseline is None else [run.label for run in usable].index(runs[baseline].label)
    pairs = _pairs(len(usable), reference)
    found: list[_PairDifference] = []
    rest: list[Estimate] = []
    sizes: list[int] = []
    compared: set[tuple[int, int]] = set()
    wanted = None if parts else frozenset(_headline_keys(usable))
    for ground in grounds(usable, pairs, shared, kind, replicates=replicates, seed=seed, wanted=wanted):
        own, more = _of_ground(ground, len(usable) == 2, parts)
        found += own
        rest += more
        sizes += [ground.shared.units] * len(ground.pairs)
        compared |= set(ground.pairs)
    told = tuple(
        ComparedRun(
            r.label,
            r.model,
            r.signature,
            n,
            r.condition,
            str(r.place or ""),
            answered=answered_in(r),
            unfinished=r.unfinished,
        )
        for r, n in zip(shared.runs, shared.asked, strict=True)
    )
    benchmark, protocol = usable[0].benchmark.name, usable[0].protocol.name
    apart = len(set(sizes)) > 1 or len(sizes) < len(pairs)
    nothing = tuple(_sharing_nothing(usable, [p for p in pairs if p not in compared], compared, kind))
    scope = (*scope_words(shared.runs, shared, kind, sizes if apart and sizes else ()), *nothing)
    if not found:
        return Comparison(
            benchmark,
            protocol,
            told,
            0,
            0,
            ("No two of the Runs share a question: they can't be compared." if nothing else _why_nothing(shared),),
            _section(shared.runs, (), (), (_nothing(shared.runs),)),
            shared.lost,
            shared.warnings,
            (),
            scope,
            excluded,
        )
    found = _adjusted(found, several=len(pairs) > 1)
    ranks = tuple(_all_ranks(usable, found)) if len(usable) > 2 and reference is None else ()
    sentences = [
        *_order(ranks, found),
        *(_told_pairs(found) if len(usable) <= MAX_RUNS_IN_PROSE or reference is not None else ()),
    ]
    listings = [listing for one in found for listing in one.listings] + ([_leaderboard(ranks)] if ranks else [])
    order = {figure: [rank.run for rank in ranks if rank.figure == figure] for figure in {r.figure for r in ranks}}
    listings += matrices(usable, [one.estimate for one in found], order) if ranks else []
    estimates = [estimate for one in found for estimate in (one.estimate, *one.more)] + rest
    return Comparison(
        benchmark,
        protocol,
        told,
        shared.units,
        shared.instances,
        tuple(sentences),
        _section(shared.runs, tuple(sentences), tuple(listings), tuple(estimates)),
        shared.lost,
        shared.warnings,
        ranks,
        scope,
        excluded,
        (min(sizes), max(sizes)) if apart else None,
        usable[reference].label if reference is not None else "",
    )


def _pairs(number: int, baseline: int | None) -> list[tuple[int, int]]:
    """Return all pairs of Runs, or each other Run with the baseline."""
    if baseline is None:
        return list(combinations(range(number), 2))
    return [(own, baseline) for own in range(number) if own != baseline]


@dataclass(frozen=True)
class _PairDifference:
    """A pair's difference on a headline figure. `values`: the two scores over the shared questions; `counts`: who got
    more questions right, in words; `elsewhere`: the counts point the other way than the figure."""

    estimate: Estimate
    pair: tuple[int, int]
    values: tuple[float, float]
    counts: str
    elsewhere: bool
    more: tuple[Estimate, ...]
    listings: tuple[Listing, ...]


def _of_ground(ground: Ground, listed: bool, parts: bool) -> tuple[list[_PairDifference], list[Estimate]]:
    """Return the differences of headline figures, and (`parts`) those of all other figures."""
    runs, joint = ground.runs, ground.joint
    keys = [key for key in _headline_keys(runs) if key in joint.values]
    found: list[_PairDifference] = []
    rest: list[Estimate] = []
    for pair, own in ground.pairs.items():
        p_values = joint.permutation(*own, None if parts else keys)
        for key in keys:
            difference = _difference(runs, joint, ground.units, key, own, p_values.get(key))
            counted = _Counted(runs, ground.behind, key, own)
            values = float(joint.values[key][own[0]]), float(joint.values[key][own[1]])
            more = (*_plan(difference, joint, key, own), *counted.estimates(difference))
            listings = (*counted.listings(), *_planned(difference, joint, key, own)) if listed else ()
            found.append(
                _PairDifference(
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
        rest += [_difference(runs, joint, ground.units, key, own, p_values.get(key)) for key in others]
    return found, rest


def _adjusted(found: Sequence[_PairDifference], *, several: bool) -> list[_PairDifference]:
    """Return the differences, in the order of pairs and figures, with p-values adjusted over the pairs of a figure."""
    figures = list(dict.fromkeys(figure_key(one.estimate) for one in found))
    ordered = sorted(found, key=lambda one: (one.pair, figures.index(figure_key(one.estimate))))
    if not several:
        return ordered
    adjusted: dict[int, float | None] = {}
    for key in figures:
        own = [one for one in ordered if figure_key(one.estimate) == key]
        adjusted |= dict(zip(map(id, own), holm([one.estimate.p_value for one in own]), strict=True))
    return [replace(one, estimate=structs.replace(one.estimate, p_adjusted=adjusted[id(one)])) for one in ordered]


def _told_pairs(found: Sequence[_PairDifference]) -> list[str]:
    return [_sentence(one) for one in found]


def _all_ranks(runs: Sequence[Observed], found: Sequence[_PairDifference]) -> Iterator[Rank]:
    """Yield the ranks on each headline figure, with each Run's score: over the shared questions if they are the same in
    all pairs, otherwise over its own."""
    for key in dict.fromkeys(figure_key(one.estimate) for one in found):
        own = [one for one in found if figure_key(one.estimate) == key]
        same = len({one.estimate.n for one in own}) == 1
        values = {n: value for one in own for n, value in zip(one.pair, one.values, strict=True)}
        if not same:
            figures = [{figure_key(a): a.value for a in run.aggregates} for run in runs]
            values = {n: nan if (value := figures[n].get(key)) is None else value for n in values}
        yield from _ranks(runs, key, values, {one.pair: one.estimate for one in own})


def _no_two(shared: Shared, excluded: dict[str, str]) -> Comparison:
    """Fewer than two Runs have an answer."""
    runs = shared.runs
    told = tuple(
        ComparedRun(r.label, r.model, r.signature, len({s.unit for s in r.scores}), r.condition, str(r.place or ""))
        for r in runs
    )
    why = "; ".join(f"{label}: {reason}" for label, reason in excluded.items())
    sentence = f"There are no two Runs to compare. {why}."
    return Comparison(
        runs[0].benchmark.name,
        runs[0].protocol.name,
        told,
        0,
        0,
        (sentence,),
        _section(runs, (sentence,), (), (_nothing(runs),)),
        shared.lost,
        shared.warnings,
        excluded=excluded,
    )


def _why_nothing(shared: Shared) -> str:
    """Nothing was asked of all, or nothing that was can be counted."""
    asked = sum(shared.lost.values())
    other = {why: n for why, n in shared.lost.items() if why.startswith(NOT_THE_SAME)}
    if not asked:
        return "The Runs share no question: they can't be compared."
    if sum(other.values()) == asked:
        told = "; ".join(f"{n:,}: {why.removeprefix(NOT_THE_SAME)}" for why, n in other.items())
        return f"The Runs share no question, although {asked:,} have the same id ({told}): they can't be compared."
    return f"The Runs share {asked:,} questions, but none with a scored answer in every Run: they can't be compared."


def _sharing_nothing(
    runs: Sequence[Observed], pairs: Sequence[tuple[int, int]], compared: Collection[tuple[int, int]], kind: Kind
) -> Iterator[str]:
    """Yield, for three Runs or more, which Runs and pairs share no question, and why."""
    if len(runs) < 3:
        return
    alone = [number for number in range(len(runs)) if not any(number in pair for pair in compared)]
    for number in alone[:MOST_PAIRS] if compared else ():
        other = next(a if b == number else b for a, b in pairs if number in (a, b))
        yield f"{runs[number].label} shares no question with any other Run ({_why(runs, (number, other), kind)})"
    rest = [pair for pair in pairs if not compared or not set(pair) & set(alone)]
    for first, second in rest[:MOST_PAIRS]:
        yield f"{runs[first].label} and {runs[second].label} share no question ({_why(runs, (first, second), kind)})"
    if len(rest) > MOST_PAIRS:
        yield f"{len(rest) - MOST_PAIRS:,} more pairs share no question"


def _why(runs: Sequence[Observed], pair: tuple[int, int], kind: Kind) -> str:
    """Return why two Runs share nothing: no question of the same id, other content, or no answer that counts."""
    shared = share([runs[number] for number in pair], kind)
    if not shared.lost:
        return "none of their questions has the same id"
    return "; ".join(f"{n:,} with the same id: {why}" for why, n in shared.lost.items())


def _headline_keys(runs: Sequence[Observed]) -> list[FigureKey]:
    found = [key for run in runs for key in map(figure_key, headlines(run.benchmark, run.aggregates))]
    return list(dict.fromkeys(found))


def _difference(
    runs: Sequence[Observed], joint: Joint, units: Units, key: FigureKey, pair: tuple[int, int], p: float | None
) -> Estimate:
    first, second = pair
    n, coverage = units.of(key)
    values = joint.values[key]
    value = float(values[first]) - float(values[second])
    known = value == value
    error = _error(joint, key, pair) if known else None
    interval = joint.interval(key, first, second) if known else None
    why = "" if known else "a Run has no value of this figure over the shared questions"
    if known and interval is None:
        why = "no interval: " + (
            "one Instance gives no estimate of the variance" if joint.instances < 2 else "no spread"
        )
    return Estimate(
        "difference",
        value if known else None,
        "points" if unit_of(key[1]) == "%" else unit_of(key[1]),
        n=n,
        interval=interval,
        p_value=p if known else None,
        test="permutation by Instance",
        task=key[0],
        metric=key[1],
        slice=dict(key[2]),
        protocol=joint.protocol.name,
        runs=(runs[first].label, runs[second].label),
        values=(float(values[first]), float(values[second])) if known else (),
        signatures=(runs[first].signature, runs[second].signature),
        coverage=coverage,
        label=figure_words(key),
        better=_better(key[1]),
        reason=why,
        note=f"smallest detectable difference (80% power): {detectable(error):.1f}" if error else "",
    )


def _plan(found: Estimate, joint: Joint, key: FigureKey, pair: tuple[int, int]) -> Iterator[Estimate]:
    """The smallest true difference that these questions would show with probability 0.8, at the level of 0.05."""
    if found.value is not None and (error := _error(joint, key, pair)):
        label, note = "smallest detectable difference (80% power)", "2.80 standard errors of the difference"
        yield structs.replace(
            found,
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


def _planned(found: Estimate, joint: Joint, key: FigureKey, pair: tuple[int, int]) -> Iterator[Listing]:
    """The same for other numbers of questions of this kind: the standard error falls with their square root."""
    if found.value is not None and found.n and (error := _error(joint, key, pair)):
        rows = tuple((f"{n:,}", f"{detectable(error * sqrt(found.n / n)):.1f}") for n in PLANNED)
        unit = f", {found.unit}" if found.unit else ""
        yield Listing(
            f"detectable.{found.label}",
            f"Number of questions needed: {found.label}",
            ("Questions", f"Smallest difference detected with 80% power{unit}"),
            rows,
        )


def _error(joint: Joint, key: FigureKey, pair: tuple[int, int]) -> float | None:
    """The standard error of the difference; None where it is too small to tell what difference would be found."""
    error = joint.error(key, *pair)
    return error if error is not None and detectable(error) >= _VISIBLE else None


def _better(metric: str) -> Better:
    return "lower" if better_of(metric) == "lower" else "higher"


def figure_words(key: FigureKey) -> str:
    """A figure as people call it: `xmodbench acc, family spatial`."""
    task, metric, slice_ = key
    return ", ".join([f"{task} {metric}", *(f"{name} {value}" for name, value in slice_)])


class _Counted:
    """The shared questions behind one figure, one by one: who got which right, and the tests on that."""

    def __init__(self, runs: Sequence[Observed], behind: FigureValues, key: FigureKey, pair: tuple[int, int]) -> None:
        self.runs, self._behind, self._first = [runs[number] for number in pair], behind, pair[0]
        first, second = (behind.of(number, key) for number in pair)
        self.binary = first.binary and second.binary
        sign = -1.0 if better_of(key[1]) == "lower" else 1.0
        differences = sign * (first.values[first.units] - second.values[first.units])
        in_both = ~np.isnan(differences)
        self.units, self.differences = first.units[in_both], differences[in_both]
        self.only = tuple(self.units[self.differences * side > 0] for side in (1, -1))

    def by_instance(self) -> list[float]:
        """The mean difference of each Instance."""
        return self._behind.means(self._first, self.units, self.differences)

    def words(self) -> str:
        """`41 questions only A got right, 23 only B`."""
        first, second = (len(own) for own in self.only)
        noun = "question" if first == 1 else "questions"
        if self.binary:
            return f"{first:,} {noun} only {self.runs[0].label} got right, {second:,} only {self.runs[1].label}"
        return f"{self.runs[0].label} did better on {first:,} {noun}, {self.runs[1].label} on {second:,}"

    def points_elsewhere(self, difference: float) -> bool:
        """Whether the one that is behind on the figure got more questions right."""
        first, second = (len(own) for own in self.only)
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
        for name, own in zip(("only_first", "only_second"), self.only, strict=True):
            yield make(name, float(len(own)), "questions", n=n, digits=0, label=f"only {_side(of, name)}")
        if self.binary:
            found = mcnemar(*(len(own) for own in self.only))
            note = (
                "" if len(means) == n else "assumes that questions of one Instance are independent, which they are not"
            )
            why = "" if found else "there is no question that only one of the two got right"
            yield make(
                "mcnemar.exact",
                float(found.disagreeing) if found else None,
                "questions",
                n=n,
                p_value=found and found.exact_p,
                test="McNemar, exact",
                note=note,
                reason=why,
            )
            yield make(
                "mcnemar.chi2",
                found and found.chi2,
                "",
                n=n,
                p_value=found and found.chi2_p,
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
        for side, own in enumerate(self.only):
            if len(own) and self.binary:
                label, instances = self.runs[side].label, self._behind.instances[self._first]
                names = sorted(self._behind.units[number] for number in own.tolist())[:LISTED]
                rows = tuple((unit, instances[unit]) for unit in names)
                yield Listing(f"only.{side + 1}", f"Only {label} got right", ("Unit", "Instance"), rows, len(own))


def _side(of: Estimate, name: str) -> str:
    return of.runs[0] if name == "only_first" else of.runs[1]


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
    for own in order:
        if values[own] != values[own]:
            continue
        surely = [
            sign * (one.value or 0.0) * (1 if pair[0] == own else -1)
            for pair, one in pairs.items()
            if own in pair and (1.0 if one.p_adjusted is None else one.p_adjusted) < LEVEL
        ]
        better, worse = sum(d < 0 for d in surely), sum(d > 0 for d in surely)
        yield Rank(runs[own].label, figure_words(key), values[own], better + 1, len(runs) - worse)


def _order(ranks: Sequence[Rank], found: Sequence[_PairDifference]) -> Iterator[str]:
    """Return one sentence per figure: its Runs with their ranks, best first; of many Runs, the first one and how many
    pairs differ, since the table of ranks and the matrix have the rest."""
    for figure in dict.fromkeys(rank.figure for rank in ranks):
        own = [f"{rank.run} {rank.value:.1f} (rank {rank.places})" for rank in ranks if rank.figure == figure]
        if len(own) <= MAX_RUNS_IN_PROSE:
            yield f"{figure}, best first: {'; '.join(own)}. {OVERLAP}"
            continue
        pairs = [one.estimate for one in found if one.estimate.label == figure]
        sure = sum(map(_sure, pairs))
        yield f"{figure}: {sure:,} of {len(pairs):,} pairs of Runs differ significantly; first: {own[0]}. {OVERLAP}"


def _leaderboard(ranks: Sequence[Rank]) -> Listing:
    rows = tuple((rank.figure, rank.places, rank.run, f"{rank.value:.1f}") for rank in ranks)
    return Listing("ranks", "Places", ("Figure", "Place", "Run", "Score"), rows, note=OVERLAP)


def _sentence(one: _PairDifference) -> str:
    """The finding as a person would say it."""
    found = one.estimate
    first, second = found.runs
    if found.value is None:
        return f"{found.label}: {first} and {second} can't be compared: {found.reason}."
    lower = found.better == "lower"
    ahead, behind = (first, second) if (found.value > 0) != lower else (second, first)
    unit = found.unit or "on the scale"
    (left, right), size = shown_apart(*one.values)
    shared = f"{found.n:,} shared {'question' if found.n == 1 else 'questions'}"
    told = f"({', '.join(filter(None, [_interval_words(found), p_words(found), shared]))})"
    if found.value == 0:
        head = f"{first} and {second} are equal {told}"
    elif not _sure(found):
        head = (
            f"{first} and {second} do not differ significantly: "
            f"{ahead} is {size} {unit} ahead {told}{few_differ(found)}"
        )
    else:
        head = f"{ahead} is {size} {unit} better than {behind} {told}"
    lower_words = "; lower is better" if lower else ""
    if one.elsewhere:
        lower_words += (
            "; the counts point the other way, since the figure weights its parts equally whatever their size"
        )
    return f"{found.label}: {head}; {one.counts}. Scores: {left} and {right}{lower_words}."


def shown_apart(first: float, second: float) -> tuple[tuple[str, str], str]:
    """Return ((first, second), the size of their difference) as printed: with the fewest digits, 1 to 3, with which the
    printed scores differ by the printed difference; 1 digit if none do.

    Example:
        >>> shown_apart(62.5, 55.0)
        (('62.5', '55.0'), '7.5')
        >>> shown_apart(62.54, 55.36)
        (('62.54', '55.36'), '7.18')
    """
    for digits in (1, 2, 3):
        one, other = round(first, digits), round(second, digits)
        if abs(abs(one - other) - round(abs(first - second), digits)) < 10.0 ** -(digits + 3):
            return (f"{one + 0:.{digits}f}", f"{other + 0:.{digits}f}"), f"{abs(first - second):.{digits}f}"
    return (f"{first:.1f}", f"{second:.1f}"), f"{abs(first - second):.1f}"


def _sure(found: Estimate) -> bool:
    p = found.p_adjusted if found.p_adjusted is not None else found.p_value
    return p is not None and p < LEVEL


def few_differ(found: Estimate) -> str:
    """Explain an interval without 0 next to a p that is not small: it covers this pair alone, or is too narrow."""
    if found.interval is None or found.interval[0] <= 0 <= found.interval[1]:
        return ""
    if found.p_adjusted is not None and (found.p_value or 0.0) < LEVEL:
        return "; significant for this pair alone, but not after adjustment for the number of comparisons"
    return "; the interval excludes 0, but with so few questions that differ the p-value is more reliable"


def _interval_words(found: Estimate) -> str:
    """`95% interval 1.0–5.4`, seen from the one that is ahead."""
    if found.interval is None:
        return found.reason
    low, high = found.interval
    low, high = (-high, -low) if (found.value or 0) < 0 else (low, high)
    dash = " to " if low < 0 or high < 0 else "–"
    return f"95% interval {round(low, 1) + 0:.1f}{dash}{round(high, 1) + 0:.1f}".replace("-", "−")  # + 0: never -0.0


def p_words(found: Estimate) -> str:
    """`p = 0.004`, `p < 0.001`; adjusted where several Runs were tested together."""
    p, name = (found.p_value, "p") if found.p_adjusted is None else (found.p_adjusted, "adjusted p")
    if p is None:
        return ""
    return f"{name} < 0.001" if p < 0.001 else f"{name} = {p:.3f}" if p < 0.1 else f"{name} = {p:.2f}"


def _nothing(runs: Sequence[Observed]) -> Estimate:
    return Estimate(
        "difference",
        None,
        "points",
        runs=tuple(r.label for r in runs),
        protocol=runs[0].protocol.name,
        signatures=tuple(r.signature for r in runs),
        coverage=0.0,
        reason="the Runs share no question that counts",
    )


def _section(
    runs: Sequence[Observed], sentences: tuple[str, ...], listings: tuple[Listing, ...], found: tuple[Estimate, ...]
) -> Section:
    return Section(
        "significance",
        "Differences between Runs",
        EXPLANATION,
        sentences,
        found,
        listings=listings,
        benchmark=runs[0].benchmark.name,
        protocol=runs[0].protocol.name,
    )
