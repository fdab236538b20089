"""Right and wrong over the forms of an Instance, counted: what consistency is computed from, and resampled.

Everything is a sum over Instances, so that an interval comes from sums over resampled Instances and the same formulas.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from triptych.analysis.forms.instances import (
    Forms,
    Group,
    OptionPositions,
    is_scorable,
    picked_position,
    places_of,
    unrotated,
)
from triptych.analysis.observed import Observed
from triptych.metrics.statistics.intervals import bootstrap_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triptych.scoring.figures.cells import Array, Index

    Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Counts:
    """Sums over the Instances of a stratum, along a last axis; `at` maps names to columns.

    By pair of forms: n (both answered), both (both right), first and second (that form right), same (the same place
    picked). By form: n, right, and how often each place was picked. By stratum: keys by place; whole, all, none.
    """

    stratum: str
    forms: tuple[str, ...]
    places: tuple[str, ...]
    at: Mapping[tuple[str, ...], int]
    rows: Array


def count(forms: Forms, run: Observed) -> list[Counts]:
    """One `Counts` a stratum, a row an Instance."""
    by_stratum: dict[str, list[Group]] = {}
    for group in forms.groups:
        by_stratum.setdefault(group.stratum, []).append(group)
    positions = places_of(run)
    return [_count(stratum, groups, forms, run, positions) for stratum, groups in sorted(by_stratum.items())]


def _count(
    stratum: str, groups: Sequence[Group], forms: Forms, run: Observed, positions: Mapping[str, OptionPositions]
) -> Counts:
    values = forms.forms_in(stratum)
    positions_of_units = [positions[s.unit] for g in groups for s in g.scores.values() if s.unit in positions]
    different = dict.fromkeys([cell.names for cell in positions_of_units])
    places = max(different, key=len, default=())
    at = {name: n for n, name in enumerate(_columns(values, places))}
    instances = {name: n for n, name in enumerate(dict.fromkeys(g.instance for g in groups))}
    rows = np.zeros((len(instances), len(at)))
    each = _each_group(groups, at, values, run, places, positions)
    np.add.at(rows, [instances[group.instance] for group in groups], each)
    return Counts(stratum, values, places, at, rows)


def _columns(values: Sequence[str], places: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for a, b in combinations(values, 2):
        yield from ((name, a, b) for name in ("n", "both", "first", "second", "same", "read"))
    for value in values:
        yield from (("n", value), ("right", value), *(("pick", value, option_position) for option_position in places))
    yield from (("key", position) for position in places)
    yield from (("whole",), ("all",), ("none",))


def _each_group(
    groups: Sequence[Group],
    at: Mapping[tuple[str, ...], int],
    values: Sequence[str],
    run: Observed,
    places: Sequence[str],
    positions: Mapping[str, OptionPositions],
) -> Array:
    """The counts of each Instance on its own: (groups, columns)."""
    rows = np.zeros((len(groups), len(at)))
    # Positions that aren't in `places` get the numbers after these.
    numbers = {"": -1, **{option_position: number for number, option_position in enumerate(places)}}
    seen = {value: _answers(groups, value, run, places, numbers, positions) for value in values}
    for value, (usable_, right, pick) in seen.items():
        rows[:, at["n", value]], rows[:, at["right", value]] = usable_, right
        for number, position in enumerate(places):
            rows[:, at["pick", value, position]] = usable_ & (pick == number)
    for a, b in combinations(values, 2):
        (usable_a, right_a, pick_a), (usable_b, right_b, pick_b) = seen[a], seen[b]
        both, read = usable_a & usable_b, (pick_a >= 0) & (pick_b >= 0)
        for name, counted in (
            ("n", both),
            ("both", right_a & right_b),
            ("first", both & right_a),
            ("second", both & right_b),
            ("read", both & read),
            ("same", both & read & (pick_a == pick_b)),
        ):
            rows[:, at[name, a, b]] = counted
    keys = np.array([_key(group, positions, places) for group in groups])
    for position in places:
        rows[:, at["key", position]] = keys == position
    usable = np.all([usable_ for usable_, _, _ in seen.values()], axis=0)
    rights = [right for _, right, _ in seen.values()]
    for name, counted in (
        ("whole", usable),
        ("all", usable & np.all(rights, axis=0)),
        ("none", usable & ~np.any(rights, axis=0)),
    ):
        rows[:, at[name,]] = counted
    return rows


def _answers(
    groups: Sequence[Group],
    value: str,
    run: Observed,
    places: Sequence[str],
    numbers: dict[str, int],
    positions_of: Mapping[str, OptionPositions],
) -> tuple[Flags, Flags, Index]:
    """One form of each Instance: whether its answer can be used, is right, and which place it picked (-1: none)."""
    answers = []
    for group in groups:
        score = group.scores.get(value)
        if score is None or not is_scorable(score):
            answers.append((0, 0, -1))
            continue
        positions = positions_of.get(score.unit)
        picked_place = (
            unrotated(picked_position(score, positions.item, run), positions.turned, places) if positions else ""
        )
        answers.append((1, score.numerator == score.denominator, numbers.setdefault(picked_place, len(numbers))))
    table = np.array(answers, dtype=np.intp).reshape(-1, 3)
    return table[:, 0] > 0, table[:, 1] > 0, table[:, 2]


def _key(group: Group, positions_of: Mapping[str, OptionPositions], places: Sequence[str]) -> str:
    """The place of the correct option, by the first of the Instance's Items that is known."""
    positions = next((positions_of[s.unit] for s in group.scores.values() if s.unit in positions_of), None)
    return unrotated(positions.key, positions.turned, places) if positions else ""


@dataclass(frozen=True)
class Sums:
    """A stratum's sums over any leading axes."""

    counts: Counts
    values: Array

    def column_sum(self, *name: str) -> Array:
        """The sum of one column."""
        return np.asarray(self.values[..., self.counts.at[name]])


def sums_of(counts: Sequence[Counts]) -> list[Sums]:
    """The sums themselves."""
    return [Sums(c, c.rows.sum(axis=0)) for c in counts]


def resampled(counts: Sequence[Counts], replicates: int, seed: int) -> list[Sums]:
    """Sums over Instances drawn within each stratum: (replicates, columns)."""
    samples = []
    for c in counts:
        drawn = bootstrap_sums(c.rows, replicates, np.random.default_rng([seed, zlib.crc32(c.stratum.encode())]))
        samples.append(Sums(c, np.asfortranarray(drawn)))  # measures read whole columns
    return samples


# A rate by stratum and form: (stratum, form) -> (numerator, denominator).
Rates = dict[tuple[str, str], tuple["Array", "Array"]]


def _agreeing(s: Sums, a: str, b: str) -> Array:
    """How often both are right or both wrong."""
    return np.asarray(
        s.column_sum("n", a, b)
        + 2 * s.column_sum("both", a, b)
        - s.column_sum("first", a, b)
        - s.column_sum("second", a, b)
    )


def _chance_agreement(s: Sums, a: str, b: str) -> Array:
    """How often two forms would agree if right and wrong fell independently, at each form's own rate."""
    n = s.column_sum("n", a, b)
    p, q = _share(s.column_sum("first", a, b), n), _share(s.column_sum("second", a, b), n)
    return np.asarray(n * (p * q + (1 - p) * (1 - q)))


def _habitual_agreement(s: Sums, a: str, b: str) -> Array:
    """How often two forms would agree if each picked places as often as it does, whatever was asked.

    Sum over places of the share of keys there, times the chance that both forms pick it or neither does. A constant
    letter gives n: all of its agreement is habit. NaN where the questions have no places to pick.
    """
    if not s.counts.places:
        return np.full(s.values.shape[:-1], np.nan)
    total = sum(
        (s.column_sum("key", option_position) for option_position in s.counts.places),
        start=np.zeros(s.values.shape[:-1]),
    )
    totals = np.zeros(s.values.shape[:-1])
    for position in s.counts.places:
        p, q = (_share(s.column_sum("pick", form, position), s.column_sum("n", form)) for form in (a, b))
        totals = totals + _share(s.column_sum("key", position), total) * (p * q + (1 - p) * (1 - q))
    return np.asarray(s.column_sum("n", a, b) * totals)


def _chance_same_pick(s: Sums, a: str, b: str) -> Array:
    """How often two forms would pick the same place if each picked independently, as often as it does.

    Of the picks that could be read, as `same` is: what a form left unread says nothing of where it picks.
    """
    totals = np.zeros(s.values.shape[:-1])
    read = {
        form: np.asarray(sum(s.column_sum("pick", form, option_position) for option_position in s.counts.places))
        for form in (a, b)
    }
    for position in s.counts.places:
        totals = totals + np.multiply(*(_share(s.column_sum("pick", form, position), read[form]) for form in (a, b)))
    return np.asarray(s.column_sum("read", a, b) * totals)


MEASURES: Mapping[str, tuple[Callable[[Sums, str, str], Array], str]] = {
    "agreement": (_agreeing, "n"),
    "agreement.by_luck": (_chance_agreement, "n"),
    "agreement.by_habit": (_habitual_agreement, "n"),
    "same_pick": (lambda s, a, b: s.column_sum("same", a, b), "read"),
    "same_pick.by_luck": (_chance_same_pick, "read"),
}


def rates(sums: Sequence[Sums], measure: str) -> Rates:
    """A measure by stratum and form: `all` or `none` right, `by_luck` all right; else the mean over a form's pairs."""
    if measure == "by_luck":
        return _chance_all_right(sums)
    if measure in ("all", "none"):
        return _whole_rates(sums, measure)
    compute, base = MEASURES[measure]
    rates: Rates = {}
    for s in sums:
        of_pair = {pair: (compute(s, *pair), s.column_sum(base, *pair)) for pair in combinations(s.counts.forms, 2)}
        for form in s.counts.forms:
            rates_of_form = [counts_of_pair for pair, counts_of_pair in of_pair.items() if form in pair]
            top = sum((top for top, _ in rates_of_form), start=np.zeros(s.values.shape[:-1]))
            below = sum((below for _, below in rates_of_form), start=np.zeros(s.values.shape[:-1]))
            rates[s.counts.stratum, form] = (top, below)
    return rates


def _whole_rates(sums: Sequence[Sums], which: str) -> Rates:
    """`all` or `none` right, over the Instances asked and answered in every form: the same for each form."""
    return {
        (s.counts.stratum, form): (s.column_sum(which), s.column_sum("whole")) for s in sums for form in s.counts.forms
    }


def _chance_all_right(sums: Sequence[Sums]) -> Rates:
    """All right if right and wrong fell independently: the product of the forms' rates."""
    rates: Rates = {}
    for s in sums:
        n = s.column_sum("whole")
        chance = np.ones(s.values.shape[:-1])
        for form in s.counts.forms:
            chance = chance * _share(s.column_sum("right", form), s.column_sum("n", form))
        rates |= {(s.counts.stratum, form): (n * chance, n) for form in s.counts.forms}
    return rates


def _share(top: Array, below: Array) -> Array:
    return np.asarray(np.divide(top, below, out=np.zeros(np.shape(top)), where=np.asarray(below) > 0))
