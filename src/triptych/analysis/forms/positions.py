"""Position bias: positions of correct options, positions that a model picks, and its accuracy by position."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import pstdev
from typing import TYPE_CHECKING

import numpy as np

from triptych.analysis.comparing.sentences import p_words
from triptych.analysis.comparing.significance import marginal_homogeneity
from triptych.analysis.forms.instances import is_scorable, picked_position, places_of
from triptych.analysis.forms.spread import clustered_interval
from triptych.analysis.observed import Observed
from triptych.metrics.statistics.intervals import bootstrap_sums
from triptych.metrics.statistics.limits import deviation_interval
from triptych.records import Estimate, Section, table_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triptych.scoring.figures.cells import Array, Index

REPLICATES = 1000
UNREAD = "none read"
_LABELS = {"position.key": "reference"}  # headings of the table; other measures are named after the period
NO_PICKS = "no protocol stored the choice extracted from the answers"
NO_KEYS = "fewer than two positions contain correct options, or a position that is never correct was picked"
EXPLANATION = (
    "A model without position bias picks each position about as often as the correct option is there, and its "
    "accuracy does not depend on that position. `reference` is the share of questions whose correct option is at a "
    "position, `picked` the share of readable answers that named it, `right` the accuracy on the questions whose "
    "correct option is there. The chi-square test compares the distributions of picks and correct options over the "
    "positions; only wrong answers contribute, and whole Instances are counted, since their forms are not "
    "independent. The spread of `right` over the positions (a standard deviation, in points) shows how much the "
    "order matters."
)


def position_bias(run: Observed, *, replicates: int = REPLICATES, seed: int = 0) -> Section | None:
    """One Section over the single-choice questions of a Run, apart by the number of places; None where it has none."""
    by_places: dict[tuple[str, ...], list[PositionAnswer]] = defaultdict(list)
    positions_of = places_of(run)
    for score in run.main_scores:
        positions = positions_of.get(score.unit)
        if positions is None or not positions.names or not positions.key:
            continue
        right = score.numerator >= score.denominator if is_scorable(score) else None
        by_places[positions.names].append(
            (score.instance, positions.key, picked_position(score, positions.item, run), right)
        )
    estimates = [
        e
        for places, rows in sorted(by_places.items())
        for e in _position_estimates(run, places, _columns(places, rows), replicates, seed)
    ]
    if not estimates:
        return None
    shown, note = _shown([e for e in estimates if "place" in e.slice])
    table = table_of(
        "positions",
        f"Positions of correct options and picks, %: {run.label}",
        shown,
        row=_row,
        column=lambda e: e.label,
        protocol=run.protocol.name,
        note=note,
    )
    return Section(
        "robustness.position",
        f"Position bias: {run.label}",
        EXPLANATION,
        tuple(_sentences(run, estimates)),
        tuple(estimates),
        (table,),
        benchmark=run.benchmark.name,
        protocol=run.protocol.name,
    )


# Instance, position of the correct option, position picked (empty: none extracted), right or wrong (None: no answer)
PositionAnswer = tuple[str, str, str, bool | None]


@dataclass(frozen=True)
class _Columns:
    """The same as arrays: Instances and places as numbers, -1 for no place, and for no answer."""

    instance: Index
    key: Index
    pick: Index
    right: Index

    def select(self, chosen: NDArray[np.bool_]) -> _Columns:
        """Return a subset of the rows."""
        return _Columns(self.instance[chosen], self.key[chosen], self.pick[chosen], self.right[chosen])

    def __len__(self) -> int:
        return len(self.instance)


def _columns(places: Sequence[str], seen: Sequence[PositionAnswer]) -> _Columns:
    instances, at = {row[0]: 0 for row in seen}, {position: number for number, position in enumerate(places)}
    numbers = dict(zip(instances, range(len(instances)), strict=True))
    rows = [
        (numbers[i], at.get(k, -1), at.get(p, -1 if not p else len(at)), -1 if r is None else int(r))
        for i, k, p, r in seen
    ]
    return _Columns(*np.array(rows, dtype=np.intp).T)


def _position_estimates(
    run: Observed, places: Sequence[str], seen: _Columns, replicates: int, seed: int
) -> Iterator[Estimate]:
    answered = seen.select(seen.right >= 0)
    read = answered.select(answered.pick >= 0)
    make = partial(
        Estimate,
        task=run.benchmark.name,
        protocol=run.protocol.name,
        runs=(run.label,),
        signatures=(run.signature,),
        coverage=len(answered) / len(seen) if len(seen) else 0.0,
    )

    def share(measure: str, option: str, rows: _Columns, hits: Index | NDArray[np.bool_], why: str) -> Estimate:
        values, n = hits.astype(np.float64), len(rows)
        mean = float(values.sum()) / n if n else 0.0
        interval = None
        if n:
            name, bounds = measure + option, (0.0, 1.0)
            interval = clustered_interval(rows.instance, values, mean, replicates, seed, name, bounds)
        return make(
            measure,
            100 * float(values.sum()) / n if n else None,
            "%",
            n=n,
            slice={"place": option, "of": str(len(places))},
            interval=(100 * interval[0], 100 * interval[1]) if interval else None,
            label=_LABELS.get(measure, measure.partition(".")[2]),
            reason="" if n else why,
        )

    for number, choice in enumerate(places):
        yield share("position.key", choice, seen, seen.key == number, "no question")
        yield share("position.picked", choice, read, read.pick == number, NO_PICKS)
        matching_rows = answered.select(answered.key == number)
        yield share(
            "position.right",
            choice,
            matching_rows,
            matching_rows.right,
            "no answered question has its correct option there",
        )
    yield _test(places, read, len(answered), make)
    yield _recall_spread(places, answered, replicates, seed, make)


def _test(places: Sequence[str], read: _Columns, answered: int, make: partial[Estimate]) -> Estimate:
    keys, picks = set(read.key.tolist()), set(read.pick.tolist())
    is_biased = len(keys) > 1 and picks <= keys
    result = None
    if is_biased:
        rows = _by_instance(read, read.pick, len(places)) - _by_instance(read, read.key, len(places))
        result = marginal_homogeneity(rows[np.unique(read.instance)])
    why = "every pick is correct, or there is a single Instance" if is_biased else NO_KEYS if len(read) else NO_PICKS
    return make(
        "position.chi_square",
        result.statistic if result else None,
        "",
        n=len(read),
        p_value=result.p if result else None,
        test="Stuart-Maxwell, picks against targets, by Instance",
        slice={"of": str(len(places))},
        counts={"readable": len(read), UNREAD: answered - len(read)},
        label="chi-square",
        reason="" if result else why,
    )


def _by_instance(rows: _Columns, column: Index, columns: int, weights: Index | None = None) -> Array:
    """How often each Instance (or how much, by `weights`) has each number in a column: (instances, columns)."""
    size = int(rows.instance.max(initial=-1)) + 1
    weighted_counts = np.bincount(rows.instance * columns + column, weights, minlength=size * columns)
    return weighted_counts.reshape(size, columns).astype(np.float64)


def _recall_spread(
    places: Sequence[str], answered: _Columns, replicates: int, seed: int, make: partial[Estimate]
) -> Estimate:
    """Return the standard deviation of the accuracy over the positions of the correct option, in points."""
    recalls = _by_instance(answered, answered.key, len(places))
    right = _by_instance(answered, answered.key, len(places), answered.right)
    sums = np.stack([right, recalls], axis=-1).reshape(-1, 2 * len(places))[np.unique(answered.instance)]
    total = sums.sum(axis=0)
    is_defined = bool(len(sums)) and bool((total[1::2] > 0).all()) and len(places) > 1
    value = pstdev([100 * r / n for r, n in total.reshape(-1, 2)]) if is_defined else None
    interval = None
    if is_defined and len(sums) > 1:
        drawn = bootstrap_sums(sums, replicates, np.random.default_rng([seed, 7]))
        with np.errstate(invalid="ignore", divide="ignore"):
            by_position = 100 * drawn[:, ::2] / drawn[:, 1::2]
        interval = deviation_interval(100 * total[::2] / total[1::2], by_position, ddof=0, df=len(sums) - 1)
    return make(
        "position.spread",
        value,
        "points",
        n=len(answered),
        interval=interval,
        label="spread of right",
        better="lower",
        slice={"of": str(len(places))},
        reason="" if is_defined else "a position never contains the correct option",
    )


def _shown(estimates: Sequence[Estimate]) -> tuple[list[Estimate], str]:
    """Return the Estimates for the table, and a note on the others: a single question with N options shows no bias."""
    single = {e.slice["of"] for e in estimates if e.measure == "position.key" and e.n == 1}
    if single == {e.slice["of"] for e in estimates}:
        return list(estimates), ""
    notes = [f"not shown: a single question with {options} options" for options in sorted(single, key=int)]
    return [e for e in estimates if e.slice["of"] not in single], "; ".join(notes)


def _row(e: Estimate) -> str:
    return f"{e.slice['place']} of {e.slice['of']}"


def _sentences(run: Observed, estimates: Sequence[Estimate]) -> Iterator[str]:
    for of in dict.fromkeys(e.slice["of"] for e in estimates):
        run_estimates = [e for e in estimates if e.slice["of"] == of]
        picked_ = [e for e in run_estimates if e.measure == "position.picked" and e.value is not None]
        keys = {e.slice["place"]: e.value for e in run_estimates if e.measure == "position.key"}
        test = next(e for e in run_estimates if e.measure == "position.chi_square")
        if picked_ and test.p_value is not None:
            pick = max(picked_, key=lambda e: (e.value or 0.0) - (keys[e.slice["place"]] or 0.0))
            yield (
                f"Of {of} positions, {run.label} picks {pick.slice['place']} in {pick.value:.1f}% of the readable "
                f"answers; the correct option is there in {keys[pick.slice['place']]:.1f}% "
                f"(chi-square over all positions: {p_words(test)})."
            )
        right = sorted((e for e in run_estimates if e.measure == "position.right" and e.value is not None), key=_value)
        spread = next(e for e in run_estimates if e.measure == "position.spread")
        if len(right) > 1 and spread.value:
            (low, high), (worst, best) = (right[0], right[-1]), (right[0].slice["place"], right[-1].slice["place"])
            range_ = f", 95% interval {spread.interval[0]:.1f}–{spread.interval[1]:.1f}" if spread.interval else ""
            yield (
                f"It is right in {_value(high):.1f}% if the correct option is at {best} (n = {high.n:,}) and in "
                f"{_value(low):.1f}% at {worst} (n = {low.n:,}); the standard deviation over the positions is "
                f"{spread.value:.1f} points{range_}."
            )


def _value(e: Estimate) -> float:
    return e.value or 0.0
