"""Runs against each other over the questions that they share: differences, tests, and a sentence for people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from math import sqrt

import msgspec
import numpy as np
from msgspec import structs

from triptych.analysis.comparing.behind import Behind
from triptych.analysis.comparing.joint import REPLICATES, Joint, join
from triptych.analysis.comparing.scope import comparable, scope_words
from triptych.analysis.comparing.shared import NOT_THE_SAME, Shared, share
from triptych.analysis.comparing.significance import detectable, holm, mcnemar, wilcoxon
from triptych.analysis.observed import Observed, better_of, headlines, unit_of
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.metrics.agreement import paired_t
from triptych.records import Estimate, FigureKey, Listing, Score, Section, figure_key
from triptych.records.estimates import Better
from triptych.scoring.cells import CellName, cell_names

LISTED = 20
PLANNED = (100, 250, 500, 1000, 2000, 5000, 10_000)
OVERLAP = "Runs whose ranks overlap do not differ significantly."
LEVEL = 0.05
_VISIBLE = 0.05  # what rounds to 0.0: where no answers differ, nothing was learnt about how small a difference is found


class ComparedRun(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Run of a comparison. `units`: all that it was asked."""

    label: str
    model: str
    signature: str
    units: int
    condition: str = ""
    place: str = ""


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


def compare_runs(runs: Sequence[Observed], *, replicates: int = REPLICATES, seed: int = 0) -> Comparison:
    """Two or more Runs of one benchmark under one protocol.

    A Run without any answer is left out and named. If the Runs share no question, the
    estimates are None and give the reason.
    """
    kind = runs[0].protocol.headline
    usable, excluded = comparable(runs, kind)
    if len(usable) < 2:
        return _no_two(share(runs, kind), excluded)
    shared = share(usable, kind)
    scope = scope_words(shared.runs, shared, kind)
    runs = shared.runs
    told = tuple(
        ComparedRun(r.label, r.model, r.signature, n, r.condition, str(r.place or ""))
        for r, n in zip(runs, shared.asked, strict=True)
    )
    benchmark, protocol = runs[0].benchmark.name, runs[0].protocol.name
    if not shared.units:
        return Comparison(
            benchmark, protocol, told, 0, 0, (_why_nothing(shared),),
            _section(runs, (), (), (_nothing(runs),)), shared.lost, shared.warnings, (), scope, excluded,
        )  # fmt: skip
    joint = join(shared.scores, runs[0].protocol, runs[0].benchmark.spec, kind,
                 replicates=replicates, seed=seed)  # fmt: skip
    keys = [key for key in _headline_keys(runs) if key in joint.values]
    pairs = list(combinations(range(len(runs)), 2))
    p_values = {pair: joint.permutation(*pair) for pair in pairs}
    adjusted = {key: dict(zip(pairs, holm([p_values[pair].get(key) for pair in pairs]), strict=True)) for key in keys}
    ranks = tuple(rank for key in keys for rank in _ranks(runs, joint, key, adjusted[key])) if len(runs) > 2 else ()
    units, behind = _Units(runs, shared, joint), Behind(shared, joint, runs[0])
    estimates: list[Estimate] = []
    sentences: list[str] = []
    listings: list[Listing] = []
    for pair in pairs:
        for key in keys:
            found = _difference(
                runs, joint, units, key, pair, p_values[pair].get(key), adjusted[key][pair], len(pairs) > 1
            )
            counted = _Counted(runs, behind, key, pair)
            estimates += [found, *_plan(found, joint, key, pair), *counted.estimates(found)]
            sentences.append(_sentence(found, counted, joint, key, pair))
            listings += [*counted.listings(), *_planned(found, joint, key, pair)] if len(runs) == 2 else []
        rest = [key for key in joint.values if key not in keys]
        estimates += [_difference(runs, joint, units, key, pair, p_values[pair].get(key), None, False) for key in rest]
    told_first = (*_order(ranks), *sentences)
    listings += [_leaderboard(ranks)] if ranks else []
    return Comparison(
        benchmark, protocol, told, shared.units, shared.instances, told_first,
        _section(runs, told_first, tuple(listings), tuple(estimates)), shared.lost, shared.warnings, ranks,
        scope, excluded,
    )  # fmt: skip


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
        runs[0].benchmark.name, runs[0].protocol.name, told, 0, 0, (sentence,),
        _section(runs, (sentence,), (), (_nothing(runs),)), shared.lost, shared.warnings, excluded=excluded,
    )  # fmt: skip


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


def _headline_keys(runs: Sequence[Observed]) -> list[FigureKey]:
    found = [key for run in runs for key in map(figure_key, headlines(run.benchmark, run.aggregates))]
    return list(dict.fromkeys(found))


def _difference(
    runs: Sequence[Observed],
    joint: Joint,
    units: _Units,
    key: FigureKey,
    pair: tuple[int, int],
    p: float | None,
    adjusted: float | None,
    several: bool,
) -> Estimate:
    first, second = pair
    n, coverage = units.of(key)
    values = joint.values[key]
    value = float(values[first] - values[second])
    known = value == value
    error = _error(joint, key, pair) if known else None
    interval = joint.interval(key, first, second) if known else None
    why = "" if known else "a Run has no value of this figure over the shared questions"
    if known and interval is None:
        why = "no interval: " + (
            "one Instance gives no estimate of the variance" if joint.instances < 2 else "no spread"
        )
    return Estimate(
        "difference", value if known else None, "points" if unit_of(key[1]) == "%" else unit_of(key[1]),
        n=n, interval=interval, p_value=p if known else None,
        p_adjusted=adjusted if several and known else None, test="permutation by Instance", task=key[0],
        metric=key[1], slice=dict(key[2]), protocol=joint.protocol.name,
        runs=(runs[first].label, runs[second].label), signatures=(runs[first].signature, runs[second].signature),
        coverage=coverage, label=figure_words(key), better=_better(key[1]), reason=why,
        note=f"smallest detectable difference (80% power): {detectable(error):.1f}" if error else "",
    )  # fmt: skip


def _plan(found: Estimate, joint: Joint, key: FigureKey, pair: tuple[int, int]) -> Iterator[Estimate]:
    """The smallest true difference that these questions would show with probability 0.8, at the level of 0.05."""
    if found.value is not None and (error := _error(joint, key, pair)):
        label, note = "smallest detectable difference (80% power)", "2.80 standard errors of the difference"
        yield structs.replace(found, measure="detectable", value=detectable(error), interval=None, p_value=None,
                              p_adjusted=None, test="", label=label, better="", note=note)  # fmt: skip


def _planned(found: Estimate, joint: Joint, key: FigureKey, pair: tuple[int, int]) -> Iterator[Listing]:
    """The same for other numbers of questions of this kind: the standard error falls with their square root."""
    if found.value is not None and found.n and (error := _error(joint, key, pair)):
        rows = tuple((f"{n:,}", f"{detectable(error * sqrt(found.n / n)):.1f}") for n in PLANNED)
        unit = f", {found.unit}" if found.unit else ""
        yield Listing(f"detectable.{found.label}", f"Number of questions needed: {found.label}",
                      ("Questions", f"Smallest difference detected with 80% power{unit}"), rows)  # fmt: skip


def _error(joint: Joint, key: FigureKey, pair: tuple[int, int]) -> float | None:
    """The standard error of the difference; None where it is too small to tell what difference would be found."""
    error = joint.error(key, *pair)
    return error if error is not None and detectable(error) >= _VISIBLE else None


class _Units:
    """Which Units are behind a figure: those compared, and all that any Run was asked."""

    def __init__(self, runs: Sequence[Observed], shared: Shared, joint: Joint) -> None:
        self.joint, spec = joint, runs[0].benchmark.spec
        self._known: dict[FigureKey, tuple[int, float]] = {}
        self.compared = _UnitsOfCells(_by_cell(shared.scores[0], spec))
        asked: dict[CellName, set[str]] = defaultdict(set)
        for run in runs:
            for name, units in _by_cell(run.scores, spec).items():
                asked[name] |= units
        self.asked = _UnitsOfCells(asked)

    def of(self, key: FigureKey) -> tuple[int, float]:
        """(Units compared, their share of those asked)."""
        if key not in self._known:
            self._known[key] = self._of(key)
        return self._known[key]

    def _of(self, key: FigureKey) -> tuple[int, float]:
        cells = [self.joint.tables[0].cells[n] for n in self.joint.cells_of.get(key, ())]
        names = [(cell.task, cell.metric, cell.slice) for cell in cells]
        compared, asked = self.compared.count(names), self.asked.count(names)
        return compared, compared / asked if asked else 0.0


class _UnitsOfCells:
    """Counts the Units in several cells together. Sets are joined only if a Unit is in more than one cell."""

    def __init__(self, units: Mapping[CellName, set[str]]) -> None:
        self._units = units
        self._apart = sum(map(len, units.values())) == len(set().union(*units.values()))

    def count(self, names: Iterable[CellName]) -> int:
        """Return how many Units are in any of these different cells."""
        found = [self._units[name] for name in names if name in self._units]
        return sum(map(len, found)) if self._apart else len(set().union(*found))


def _by_cell(scores: Sequence[Score], spec: BenchmarkSpec) -> dict[CellName, set[str]]:
    found: dict[CellName, set[str]] = defaultdict(set)
    for score, name in zip(scores, cell_names(scores, spec), strict=True):
        found[name].add(score.unit)
    return found


def _better(metric: str) -> Better:
    return "lower" if better_of(metric) == "lower" else "higher"


def figure_words(key: FigureKey) -> str:
    """A figure as people call it: `xmodbench acc, family spatial`."""
    task, metric, slice_ = key
    return ", ".join([f"{task} {metric}", *(f"{name} {value}" for name, value in slice_)])


class _Counted:
    """The shared questions behind one figure, one by one: who got which right, and the tests on that."""

    def __init__(self, runs: Sequence[Observed], behind: Behind, key: FigureKey, pair: tuple[int, int]) -> None:
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
        make = partial(Estimate, task=of.task, metric=of.metric, slice=of.slice, runs=of.runs, protocol=of.protocol,
                       signatures=of.signatures, coverage=of.coverage)  # fmt: skip
        n, means = len(self.differences), self.by_instance()
        for name, own in zip(("only_first", "only_second"), self.only, strict=True):
            yield make(name, float(len(own)), "questions", n=n, digits=0, label=f"only {_side(of, name)}")
        if self.binary:
            found = mcnemar(*(len(own) for own in self.only))
            note = (
                "" if len(means) == n else "assumes that questions of one Instance are independent, which they are not"
            )
            why = "" if found else "there is no question that only one of the two got right"
            yield make("mcnemar.exact", float(found.disagreeing) if found else None, "questions", n=n,
                       p_value=found and found.exact_p, test="McNemar, exact", note=note, reason=why)  # fmt: skip
            yield make("mcnemar.chi2", found and found.chi2, "", n=n, p_value=found and found.chi2_p,
                       test="McNemar, chi-square with continuity correction", note=note, reason=why)  # fmt: skip
        t = paired_t(means, [0.0] * len(means))
        why = "" if t else "fewer than two Instances, or all differ by the same amount"
        yield make("paired_t", t and t.t, "", n=len(means), counted="Instances", p_value=t and t.p,
                   test="paired t over Instances", reason=why)  # fmt: skip
        w = wilcoxon(means)
        yield make("wilcoxon", w and w.statistic, "", n=len(means), counted="Instances", p_value=w and w.p,
                   test="Wilcoxon signed-rank over Instances", reason="" if w else "no Instance differs")  # fmt: skip

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
    runs: Sequence[Observed], joint: Joint, key: FigureKey, adjusted: Mapping[tuple[int, int], float | None]
) -> Iterator[Rank]:
    """Return ranks. Best: 1 + the number of significantly better Runs; worst: all Runs minus the significantly worse
    ones."""
    values = [float(value) for value in joint.values[key]]
    sign = -1.0 if better_of(key[1]) == "lower" else 1.0
    order = sorted(range(len(runs)), key=lambda n: -sign * values[n] if values[n] == values[n] else float("inf"))
    for own in order:
        surely = [
            sign * (values[other] - values[own])
            for other in range(len(runs))
            if other != own and (adjusted.get((min(own, other), max(own, other))) or 1.0) < LEVEL
        ]
        better, worse = sum(d > 0 for d in surely), sum(d < 0 for d in surely)
        if values[own] == values[own]:
            yield Rank(runs[own].label, figure_words(key), values[own], better + 1, len(runs) - worse)


def _order(ranks: Sequence[Rank]) -> Iterator[str]:
    """Return one sentence per figure: its Runs with their ranks, best first."""
    for figure in dict.fromkeys(rank.figure for rank in ranks):
        own = [f"{rank.run} {rank.value:.1f} (rank {rank.places})" for rank in ranks if rank.figure == figure]
        yield f"{figure}, best first: {'; '.join(own)}. {OVERLAP}"


def _leaderboard(ranks: Sequence[Rank]) -> Listing:
    rows = tuple((rank.figure, rank.places, rank.run, f"{rank.value:.1f}") for rank in ranks)
    return Listing("ranks", "Places", ("Figure", "Place", "Run", "Score"), rows, note=OVERLAP)


def _sentence(found: Estimate, counted: _Counted, joint: Joint, key: FigureKey, pair: tuple[int, int]) -> str:
    """The finding as a person would say it."""
    first, second = found.runs
    if found.value is None:
        return f"{found.label}: {first} and {second} can't be compared: {found.reason}."
    lower = found.better == "lower"
    ahead, behind = (first, second) if (found.value > 0) != lower else (second, first)
    size, unit = f"{abs(found.value):.1f}", found.unit or "on the scale"
    values = " and ".join(f"{float(joint.values[key][number]):.1f}" for number in pair)
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
    if counted.points_elsewhere(found.value):
        lower_words += (
            "; the counts point the other way, since the figure weights its parts equally whatever their size"
        )
    return f"{found.label}: {head}; {counted.words()}. Scores: {values}{lower_words}."


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
    return f"95% interval {round(low, 1) + 0:.1f}{dash}{round(high, 1) + 0:.1f}"  # + 0: never -0.0


def p_words(found: Estimate) -> str:
    """`p = 0.004`, `p < 0.001`; adjusted where several Runs were tested together."""
    p, name = (found.p_value, "p") if found.p_adjusted is None else (found.p_adjusted, "adjusted p")
    if p is None:
        return ""
    return f"{name} < 0.001" if p < 0.001 else f"{name} = {p:.3f}" if p < 0.1 else f"{name} = {p:.2f}"


def _nothing(runs: Sequence[Observed]) -> Estimate:
    return Estimate("difference", None, "points", runs=tuple(r.label for r in runs), protocol=runs[0].protocol.name,
                    signatures=tuple(r.signature for r in runs), coverage=0.0,
                    reason="the Runs share no question that counts")  # fmt: skip


def _section(
    runs: Sequence[Observed], sentences: tuple[str, ...], listings: tuple[Listing, ...], found: tuple[Estimate, ...]
) -> Section:
    return Section("significance", "Differences between Runs", EXPLANATION, sentences, found, listings=listings,
                   benchmark=runs[0].benchmark.name, protocol=runs[0].protocol.name)  # fmt: skip
