"""Do two raters agree? Correlations, Krippendorff's alpha, bias, and the paired t-test. Pure functions on numbers.

A judge is held against people with these, as the papers validate theirs. None wherever a value is not defined
(too few pairs, or no variance), never 0 or 1 in its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, lgamma, log, sqrt
from typing import Literal, NamedTuple

from triptych.metrics.metric import Metric

METRICS = (
    Metric("pearson", "Pearson's r", "higher", "score", (-1.0, 1.0), ("r", "1"), "Pearson (1895)"),
    Metric("paired_t", "t", "higher", "score", (float("-inf"), float("inf")), ("t", "1"), "Student (1908)"),
    Metric("paired_p", "p", "lower", "score", (0.0, 1.0), ("p", "1"), "Student (1908)"),
)
Level = Literal["ordinal", "interval"]
Icc = Literal["one-way", "agreement", "consistency"]


def pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Pearson's product-moment correlation, -1 to 1.

    r = sum((x - mx)(y - my)) / sqrt(sum((x - mx)^2) sum((y - my)^2)). None for fewer than two pairs, or where either
    side does not vary. Raises ValueError for sequences of two lengths.
    """
    pairs = list(zip(first, second, strict=True))
    if len(pairs) < 2:
        return None
    mx, my = sum(first) / len(pairs), sum(second) / len(pairs)
    xx, yy = sum((x - mx) ** 2 for x, _ in pairs), sum((y - my) ** 2 for _, y in pairs)
    if len(set(first)) < 2 or len(set(second)) < 2 or not xx or not yy:
        return None
    r = sum((x - mx) * (y - my) for x, y in pairs) / (sqrt(xx) * sqrt(yy))
    return max(-1.0, min(1.0, r))


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's rank correlation, -1 to 1: Pearson's of the ranks, ties at their mean rank. None as `pearson`."""
    return pearson(ranks(first), ranks(second))


def ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1, ties at the mean of theirs: [5, 3, 5] -> [2.5, 1.0, 2.5]."""
    rank = _mean_ranks(Counter(values))
    return [rank[value] for value in values]


def krippendorff_alpha(units: Sequence[Sequence[float | None]], level: Level = "interval") -> float | None:
    """Krippendorff's alpha: 1 is perfect agreement, 0 that of chance, below 0 worse.

    `units`: for each unit what every rater gave, None where one gave nothing; units with fewer than two values don't
    count. alpha = 1 - Do / De, with the squared difference of values (interval) or of their places in the ordering of
    all values (ordinal). None where nothing can be paired, or all values are the same. Source: Krippendorff,
    Computing Krippendorff's Alpha-Reliability (2011).
    """
    paired = [own for unit in units if len(own := [value for value in unit if value is not None]) > 1]
    totals = Counter(value for own in paired for value in own)
    n = sum(totals.values())
    if len(totals) < 2:
        return None
    place = _mean_ranks(totals) if level == "ordinal" else {value: value for value in totals}
    observed = sum(_within([place[value] for value in own]) / (len(own) - 1) for own in paired) / n
    expected = _within([place[value] for value, count in totals.items() for _ in range(count)]) / (n * (n - 1))
    return 1 - observed / expected


def icc(units: Sequence[Sequence[float | None]], kind: Icc = "agreement", *, of_mean: bool = False) -> float | None:
    """The intraclass correlation: the share of the variance that lies between units, 1 at most; below 0 for none.

    `units`: for each unit the value of every rater, always in the same order; units with a None don't count. From the
    mean squares of units R, raters C and what is left E, with n units and k raters:
    one-way (raters differ from unit to unit) (R - W) / (R + (k - 1) W); agreement (two-way random, the raters'
    levels count) (R - E) / (R + (k - 1) E + k (C - E) / n); consistency (levels don't count) (R - E) / (R + (k - 1) E).
    `of_mean`: the reliability of the raters' mean instead of a single rater's. None for fewer than two units or raters,
    or where nothing varies. Source: Shrout and Fleiss (1979), Psychological Bulletin 86, 420-428: (1), (2), (3).
    """
    rows = [[value for value in unit if value is not None] for unit in units if None not in unit]
    n, k = len(rows), len(rows[0]) if rows else 0
    if any(len(row) != k for row in rows):
        raise ValueError("every unit needs a value, or None, of each rater")
    if n < 2 or k < 2:
        return None
    total = sum(map(sum, rows)) / (n * k)
    between = k * sum((sum(row) / k - total) ** 2 for row in rows)
    levels = n * sum((sum(column) / n - total) ** 2 for column in zip(*rows, strict=True))
    whole = sum((value - total) ** 2 for row in rows for value in row)
    r, c, e = between / (n - 1), levels / (k - 1), (whole - between - levels) / ((n - 1) * (k - 1))
    w = (whole - between) / (n * (k - 1))
    left = w if kind == "one-way" else e
    extra = (c - e) / n if kind == "agreement" else 0.0
    below = r + extra if of_mean else r + (k - 1) * left + k * extra
    return None if whole <= 1e-24 or abs(below) <= 1e-12 * whole else (r - left) / below


def mean_bias(judge: Sequence[float], people: Sequence[float]) -> float | None:
    """The mean of judge - people: above 0 the judge is more lenient. In marks of the scale. None for no pairs."""
    pairs = list(zip(judge, people, strict=True))
    return sum(a - b for a, b in pairs) / len(pairs) if pairs else None


class PairedT(NamedTuple):
    """The t statistic, its two-sided p-value, and the degrees of freedom."""

    t: float
    p: float
    freedom: int


def paired_t(first: Sequence[float], second: Sequence[float]) -> PairedT | None:
    """The paired t-test of first - second: t above 0 where the first is greater.

    None for fewer than two pairs, or where all differences are the same. Raises ValueError for two lengths.
    """
    differences = [a - b for a, b in zip(first, second, strict=True)]
    n = len(differences)
    if n < 2:
        return None
    mean = sum(differences) / n
    variance = sum((d - mean) ** 2 for d in differences) / (n - 1)
    if variance <= (1e-12 * max(1.0, max(map(abs, differences)))) ** 2:
        return None
    t = mean / sqrt(variance / n)
    return PairedT(t, _beta((n - 1) / 2, 0.5, (n - 1) / (n - 1 + t * t)), n - 1)


def _mean_ranks(totals: Counter[float]) -> dict[float, float]:
    """Value -> the mean of its ranks, from 1. The difference of two: the values between, and half of both's own."""
    below, rank = 0, {}
    for value, count in sorted(totals.items()):
        rank[value] = below + (count + 1) / 2
        below += count
    return rank


def _within(values: Sequence[float]) -> float:
    """The sum of squared differences over all ordered pairs: 2 (n sum(x^2) - sum(x)^2), taken about the mean."""
    mean = sum(values) / len(values)
    return 2 * len(values) * sum((value - mean) ** 2 for value in values)


def _beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    tiny, f, c, d = 1e-300, 1.0, 1.0, 0.0
    for step in range(400):
        m = step // 2
        if not step:
            term = 1.0
        elif step % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / ((1 + term * d) or tiny)
        c = (1 + term / c) or tiny
        f *= c * d
        if abs(1 - c * d) < 1e-15:
            break
    return front * (f - 1)
