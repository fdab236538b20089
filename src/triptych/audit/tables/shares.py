"""Shares k / n: whether a printed share is possible, which n fits a column, whether values are under a wrong label."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import permutations

from triptych.audit.tables.interval import Interval
from triptych.audit.tables.repeats import tail

_SLACK = 1e-9
_MAX_QUESTIONS = 5000  # questions of which a column may hold shares, if their number is unknown


def is_share(value: Interval, n: int, scale: float = 100.0) -> bool:
    """Whether some whole k of n, times `scale`, rounds to the printed value."""
    lowest = max(0, math.ceil(value.low * n / scale - _SLACK))
    return lowest <= n and lowest * scale / n <= value.high + _SLACK


def nearest_shares(value: Interval, n: int, scale: float = 100.0) -> tuple[float, float]:
    """The two shares of n around a value that is none, within 0 and `scale`."""
    below = min(max(math.floor(value.middle * n / scale), 0), n)
    return below * scale / n, min(below + 1, n) * scale / n


def chance(n: int, values: Sequence[Interval], scale: float = 100.0) -> float:
    """How likely it is that values which have nothing to do with n all fit it.

    A value fits by chance with the width of its interval over the distance of two shares (1 at most); the product over
    the values. Values at 0 and at `scale` fit every n and say nothing.
    """
    telling = [v for v in values if v.low > 0 and v.high < scale]
    return math.prod(min(1.0, (v.high - v.low) * n / scale) for v in telling)


def likely_n(values: Sequence[Interval], scale: float = 100.0, max_n: int = 1000) -> tuple[int, list[int]] | None:
    """The n, up to `max_n`, that far more of the values fit than chance allows: (n, which values fit).

    For each n the binomial tail of the number of fits, at the rate at which values of this precision fit it by chance;
    times the numbers tried, it must be under 0.0001. Zeros and full marks fit every n and don't count. None where no n
    does.
    """
    import numpy as np

    telling = [index for index, v in enumerate(values) if v.low > 0 and v.high < scale]
    if len(telling) < 3:
        return None
    low = np.array([values[p].low for p in telling])[:, None]
    high = np.array([values[p].high for p in telling])[:, None]
    numbers = np.arange(10, max_n + 1)
    lowest = np.maximum(0, np.ceil(low * numbers / scale - _SLACK))  # as in `possible`
    fits = (lowest <= numbers) & (lowest * scale / numbers <= high + _SLACK)
    rates = np.minimum(1.0, (high - low) * numbers / scale).sum(axis=0) / len(telling)
    count = fits.sum(axis=0)
    best: tuple[float, int] | None = None
    # As many as expected by chance, or fewer, have a tail of a half or more.
    for at in np.flatnonzero((count >= 3) & (rates < 1.0) & (count > rates * len(telling))):
        by_chance = tail(int(count[at]), len(telling), float(rates[at])) * max_n
        if by_chance < 1e-4 and (best is None or by_chance < best[0]):
            best = (by_chance, int(at))
    if best is None:
        return None
    return int(numbers[best[1]]), [position for position, fit in zip(telling, fits[:, best[1]], strict=True) if fit]


def better_order(
    row: Mapping[str, Interval], sizes: Mapping[str, int], pooled: Interval | None, scale: float = 100.0
) -> list[dict[str, str]]:
    """Ways to put a row's values under other columns so that all fit their column's n, and the pooled share follows.

    Each is {column: column whose printed value belongs there}; columns whose value stays aren't named. Empty if the
    row is correct as printed, or if no permutation helps.
    """
    columns = [c for c in sizes if c in row]
    if not 2 <= len(columns) <= 7 or _fits({c: c for c in columns}, row, sizes, pooled, scale):
        return []
    orders = []
    for order in permutations(columns):
        places = dict(zip(columns, order, strict=True))
        if _fits(places, row, sizes, pooled, scale):
            orders.append({c: p for c, p in places.items() if c != p})
    return orders


def _fits(
    places: Mapping[str, str],
    row: Mapping[str, Interval],
    sizes: Mapping[str, int],
    pooled: Interval | None,
    scale: float,
) -> bool:
    if not all(is_share(row[printed], sizes[column], scale) for column, printed in places.items()):
        return False
    if pooled is None:
        return True
    hits = [_counts(row[printed], sizes[column], scale) for column, printed in places.items()]
    n = sum(sizes[column] for column in places)
    low, high = sum(h[0] for h in hits), sum(h[1] for h in hits)
    return pooled.meets(Interval(low * scale / n, high * scale / n))


def _counts(value: Interval, n: int, scale: float) -> tuple[int, int]:
    """The fewest and the most hits of n that round to a value."""
    lowest, highest = math.ceil(value.low * n / scale - _SLACK), math.floor(value.high * n / scale + _SLACK)
    return max(0, lowest), min(n, highest)


def least_questions(values: Sequence[Interval], scale: float) -> int:
    """Return the smallest number of questions of which all values are shares, at most 5,000."""
    return next((n for n in range(2, _MAX_QUESTIONS) if all(is_share(v, n, scale) for v in values)), _MAX_QUESTIONS)


def scale_of(values: Sequence[Interval]) -> float:
    """Return 1 if all values are fractions, otherwise 100."""
    return 1.0 if all(v.high <= 1.01 for v in values) else 100.0
