"""Rows and columns of a table that repeat others more than chance allows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import combinations
from statistics import median

from triptych.audit.tables.interval import digits_of
from triptych.audit.tables.related import related_rate, usual_distance
from triptych.records import FindingSeverity

Grid = Mapping[str, Mapping[str, str]]  # line -> place -> printed value
Questions = Callable[[str, str], tuple[int, float]]  # line, place -> number of questions, scale of the share
_NOTHING = 1e-20  # share of the largest term below which the terms that follow don't change a sum
_ALPHA = 1e-3  # over all pairs of a table
_MANY = 1000  # questions of which a system's two results differ as related models' do, if their number is unknown
_NEAR = 2.0  # usual distances of related models, within which two lines are taken for related
_ALIKE = 0.05  # the same, for related models, from which on a repeat is a note


@dataclass(frozen=True, slots=True)
class Repeat:
    """Two lines with equal cells: where, of how many shared places, and how likely so many are over all pairs, by
    chance and of related models."""

    first: str
    second: str
    places: tuple[str, ...]
    shared: int
    chance: float
    related: float

    @property
    def severity(self) -> FindingSeverity:
        """Return the severity, by the odds that related models repeat as many cells (`audit.tables.related`)."""
        return severity_of(self.related)


def severity_of(related: float) -> FindingSeverity:
    """Return the severity by the probability, over all pairs, that related models repeat as many cells."""
    if related < _ALPHA:
        return "severe"
    return "warning" if related < _ALIKE else "note"


def repeats(grid: Grid, questions: Questions) -> Iterator[Repeat]:
    """Yield the pairs of lines that share more values than chance allows. `questions`: on how many a cell rests.

    The rate at which two cells of one position are equal by chance is estimated from all other pairs of the table (plus
    one, so that it is never 0), or from cells of different positions in this pair if that rate is higher: two columns
    of 28 questions agree far more often than their neighbours of 700. The binomial tail, times the number of pairs,
    must be under 0.001. Zeros and hundreds are not counted, since failing and perfect systems share them.
    """
    shared = {pair: _shared(grid, *pair) for pair in combinations(grid, 2)}
    equal = {pair: [cell for cell, (a, b) in cells.items() if a == b] for pair, cells in shared.items()}
    all_hits, all_places = sum(map(len, equal.values())), sum(map(len, shared.values()))
    for (first, second), hits in equal.items():
        if len(hits) < 2:
            continue
        cells = shared[first, second]
        rate = max((all_hits - len(hits) + 1) / max(all_places - len(cells) + 2, 2), _share_elsewhere(cells, len(hits)))
        chance = min(1.0, tail(len(hits), len(cells), min(rate, 1.0)) * len(equal))
        if chance < _ALPHA:
            apart = [position for position in _unrelated_places(grid, questions) if position in cells]
            shared_questions = {p: min(questions(first, p), questions(second, p)) for p in apart}
            odds = _odds({p: cells[p] for p in apart}, shared_questions)
            yield Repeat(first, second, tuple(hits), len(cells), chance, max(chance, min(1.0, odds * len(equal))))


def _unrelated_places(grid: Grid, questions: Questions) -> list[str]:
    """Return the places without those that are related to an earlier one: half of their cells are within twice
    the usual distance of related models. If two columns share a value by chance, related rows share it too."""
    places, remaining = transposed(grid, list(grid)), list[str]()
    for cell in places:
        if not any(_are_related(places[other], places[cell], cell, questions) for other in remaining):
            remaining.append(cell)
    return remaining


def _are_related(first: Mapping[str, str], second: Mapping[str, str], position: str, questions: Questions) -> bool:
    far = []
    for line in first.keys() & second.keys():
        n, scale = questions(line, position)
        far.append(abs(float(first[line]) - float(second[line])) * n / scale / usual_distance(n))
    return bool(far) and median(far) <= _NEAR


def _odds(cells: Mapping[str, tuple[float, float]], questions: Mapping[str, tuple[int, float]]) -> float:
    """Return the probability that related models have as many equal cells."""
    return tail(sum(a == b for a, b in cells.values()), len(cells), _related(cells, questions)) if cells else 1.0


def _related(cells: Mapping[str, tuple[float, float]], questions: Mapping[str, tuple[int, float]]) -> float:
    """Return the rate of equal cells of two related models that are as far apart as these lines where they differ."""
    apart = [(abs(a - b) * questions[p][0] / questions[p][1], questions[p][0]) for p, (a, b) in cells.items() if a != b]
    return related_rate(apart, [n for n, _ in questions.values()])


def _shared(grid: Grid, first: str, second: str) -> dict[str, tuple[float, float]]:
    """Return the values of two lines at the positions that both have, except zeros and hundreds."""
    both = [p for p in grid[first] if p in grid[second]]
    telling = [p for p in both if not (_is_plain(grid[first][p]) and _is_plain(grid[second][p]))]
    return {p: (float(grid[first][p]), float(grid[second][p])) for p in telling}


def _share_elsewhere(cells: Mapping[str, tuple[float, float]], hits: int) -> float:
    """Return how often a value of one line occurs in the other at another position."""
    ones, others = Counter(a for a, _ in cells.values()), Counter(b for _, b in cells.values())
    met = sum(count * others[value] for value, count in ones.items()) - hits
    return met / (len(cells) * (len(cells) - 1))


def _is_plain(text: str) -> bool:
    return float(text) in (0.0, 100.0)


def same_groups(first: Grid, second: Grid, groups: Sequence[str]) -> Iterator[tuple[str, list[str], float]]:
    """Yield the rows whose cells of a group of columns are equal in two tables: (row, columns, probability).

    The rate of equal cells by chance is estimated from all other cells of both tables; for the whole group the
    probability must be under 0.001, over all rows and groups. The probability returned is also that of a system that
    differs between the tables as little as this row does in its other cells, in units of the last printed digit.
    """
    tests = [test for row in first for test in _group_tests(row, first[row], second.get(row, {}), groups)]
    same, cells = sum(sum(hits) for _, _, hits in tests), sum(len(hits) for _, _, hits in tests)
    for row, places, hits in tests:
        rate = (same - sum(hits) + 1) / max(cells - len(hits) + 2, 2)
        if all(hits) and len(hits) > 1 and rate ** len(hits) * len(tests) < _ALPHA:
            alike = max(rate, _own_rate(first[row], second[row]))
            yield row, places, min(1.0, alike ** len(hits) * len(tests))


def _own_rate(first: Mapping[str, str], second: Mapping[str, str]) -> float:
    """Return the rate of equal cells of a system that differs between two tables as little as it does here."""
    apart = [
        (abs(float(first[c]) - float(second[c])) * 10.0 ** max(digits_of(first[c]), digits_of(second[c])), _MANY)
        for c in first
        if c in second and float(first[c]) != float(second[c])
    ]
    return related_rate(apart, [_MANY]) if apart else 0.0


def _group_tests(
    row: str, first: Mapping[str, str], second: Mapping[str, str], groups: Sequence[str]
) -> Iterator[tuple[str, list[str], list[bool]]]:
    """(row, columns of a group that both have, which of them are equal)."""
    both = [c for c in first if c in second and not _is_plain(first[c])]
    for group in groups:
        if places := [c for c in both if fnmatchcase(c, group)]:
            yield row, places, [float(first[c]) == float(second[c]) for c in places]


def tail(hits: int, n: int, rate: float) -> float:
    """Return the probability of `hits` or more out of n at this rate."""
    if hits <= 0:
        return 1.0
    if rate >= 1.0:
        return 1.0
    terms: list[float] = []
    largest = 0.0
    for k in range(hits, n + 1):
        terms.append(math.exp(_log_term(k, n, rate)))
        largest = max(largest, terms[-1])
        if k > n * rate and terms[-1] <= largest * _NOTHING:
            break
    return min(1.0, math.fsum(terms))


def _log_term(k: int, n: int, rate: float) -> float:
    if rate <= 0.0:
        return -math.inf if k else 0.0
    choose = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return choose + k * math.log(rate) + (n - k) * math.log1p(-rate)


def transposed(grid: Grid, lines: Sequence[str]) -> dict[str, dict[str, str]]:
    """Rows as columns."""
    columns: dict[str, dict[str, str]] = {}
    for line in lines:
        for column, value in grid[line].items():
            columns.setdefault(column, {})[line] = value
    return columns
