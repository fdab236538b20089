"""Agreement of raters: correlations, Krippendorff's alpha, intraclass correlation, bias, and the paired t-test.

They compare a judge with people, as the papers do to validate their judges. Each function returns None, not 0 or 1, if
its value is undefined: too few pairs, or no variance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import Literal, NamedTuple

from triptych.metrics.metric import Metric
from triptych.metrics.statistics.student import two_sided_p

METRICS = (
    Metric("pearson", "Pearson's r", "higher", "score", (-1.0, 1.0), ("r", "1"), "Pearson (1895)"),
    Metric("paired_t", "t", "higher", "score", (float("-inf"), float("inf")), ("t", "1"), "Student (1908)"),
    Metric("paired_p", "p", "lower", "score", (0.0, 1.0), ("p", "1"), "Student (1908)"),
)
Level = Literal["ordinal", "interval"]
Icc = Literal["one-way", "agreement", "consistency"]


def pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Pearson's product-moment correlation.

    r = sum((x - mx) (y - my)) / sqrt(sum((x - mx)^2) sum((y - my)^2)), with the means mx and my.

    Args:
        first: Values x.
        second: Values y, in the same order.

    Returns:
        r from -1 to 1; None for fewer than two pairs, or if x or y does not vary.

    Raises:
        ValueError: The lengths differ.

    References:
        Pearson (1895), Notes on regression and inheritance in the case of two parents.

    Example:
        >>> round(pearson([1, 2, 3], [1, 3, 2]), 3)
        0.5
        >>> pearson([1, 2, 3], [4, 4, 4]) is None
        True
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
    """Return Spearman's rank correlation: Pearson's correlation of the ranks, in which ties have their mean rank.

    Returns:
        A value from -1 to 1; None for fewer than two pairs, or if a side does not vary.

    Raises:
        ValueError: The lengths differ.

    Example:
        >>> round(spearman([1, 2, 3], [1, 10, 100]), 3)
        1.0
    """
    return pearson(ranks(first), ranks(second))


def ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value, counted from 1 for the smallest; ties have the mean of their ranks.

    Example:
        >>> ranks([5, 3, 5])
        [2.5, 1.0, 2.5]
    """
    rank = _mean_ranks(Counter(values))
    return [rank[value] for value in values]


def krippendorff_alpha(units: Sequence[Sequence[float | None]], level: Level = "interval") -> float | None:
    """Return Krippendorff's alpha: 1 - Do / De, the observed and the expected disagreement.

    Args:
        units: For each unit the values of all raters; None for a missing value. Units with fewer than two values
            are ignored.
        level: Squared differences are those of the values (`interval`) or of their ranks (`ordinal`).

    Returns:
        At most 1; higher is better. 1 is perfect agreement, 0 the agreement of chance. None if there is no unit with
        two values, or if all values are the same.

    References:
        Krippendorff (2011), Computing Krippendorff's Alpha-Reliability.

    Example:
        >>> krippendorff_alpha([[1, 1], [2, 2], [3, None]])
        1.0
        >>> krippendorff_alpha([[1, 2], [2, 1]])
        -0.5
    """
    paired = [labels for unit in units if len(labels := [value for value in unit if value is not None]) > 1]
    totals = Counter(value for values in paired for value in values)
    n = sum(totals.values())
    if len(totals) < 2:
        return None
    ranks = _mean_ranks(totals) if level == "ordinal" else {value: value for value in totals}
    observed = (
        sum(_squared_differences([ranks[value] for value in ratings]) / (len(ratings) - 1) for ratings in paired) / n
    )
    expected = _squared_differences([ranks[value] for value, count in totals.items() for _ in range(count)]) / (
        n * (n - 1)
    )
    return 1 - observed / expected


def icc(units: Sequence[Sequence[float | None]], kind: Icc = "agreement", *, of_mean: bool = False) -> float | None:
    """Return the intraclass correlation: the share of the variance that is between units.

    R, C, W and E are the mean squares between units, between raters, within units and residual, for n units and k
    raters:

    - `one-way` (each unit has other raters): (R - W) / (R + (k - 1) W)
    - `agreement` (two-way random; differences between raters' levels count): (R - E) / (R + (k - 1) E + k (C - E) / n)
    - `consistency` (two-way; differences between levels don't count): (R - E) / (R + (k - 1) E)

    Args:
        units: For each unit the values of all raters, always in the same order. Units with a None are ignored.
        kind: The form of the coefficient.
        of_mean: Return the reliability of the raters' mean instead of that of a single rater.

    Returns:
        At most 1; higher is better, and 0 or less means no agreement. None for fewer than two units or raters, or if
        nothing varies.

    Raises:
        ValueError: The units have different numbers of raters.

    References:
        Shrout and Fleiss (1979), Intraclass correlations, Psychological Bulletin 86, 420-428: cases 1, 2 and 3.

    Example:
        >>> round(icc([[1, 2], [2, 3], [3, 4]], "consistency"), 3), round(icc([[1, 2], [2, 3], [3, 4]]), 3)
        (1.0, 0.667)
    """
    rows = [[value for value in unit if value is not None] for unit in units if None not in unit]
    n, k = len(rows), len(rows[0]) if rows else 0
    if any(len(row) != k for row in rows):
        raise ValueError("every unit must have one value (or None) per rater")
    if n < 2 or k < 2:
        return None
    total = sum(map(sum, rows)) / (n * k)
    between = k * sum((sum(row) / k - total) ** 2 for row in rows)
    levels = n * sum((sum(column) / n - total) ** 2 for column in zip(*rows, strict=True))
    total_squares = sum((value - total) ** 2 for row in rows for value in row)
    r, c, e = between / (n - 1), levels / (k - 1), (total_squares - between - levels) / ((n - 1) * (k - 1))
    w = (total_squares - between) / (n * (k - 1))
    left = w if kind == "one-way" else e
    extra = (c - e) / n if kind == "agreement" else 0.0
    below = r + extra if of_mean else r + (k - 1) * left + k * extra
    return None if total_squares <= 1e-24 or abs(below) <= 1e-12 * total_squares else (r - left) / below


def mean_bias(judge: Sequence[float], people: Sequence[float]) -> float | None:
    """Return the mean of judge minus people, in points of the scale; above 0 the judge is more lenient.

    Returns None if there are no pairs. Raises ValueError if the lengths differ.

    Example:
        >>> mean_bias([4, 5], [3, 4])
        1.0
    """
    pairs = list(zip(judge, people, strict=True))
    return sum(a - b for a, b in pairs) / len(pairs) if pairs else None


class PairedT(NamedTuple):
    """Result of a paired t-test: the t statistic, its two-sided p-value, and the degrees of freedom (n - 1)."""

    t: float
    p: float
    freedom: int


def paired_t(first: Sequence[float], second: Sequence[float]) -> PairedT | None:
    """Return the paired t-test of first minus second: t = mean / (standard deviation / sqrt(n)) of the differences.

    Args:
        first: Values of the first sample.
        second: Values of the second sample, in the same order.

    Returns:
        t (above 0 if the first values are greater), its two-sided p-value and the degrees of freedom. None for fewer
        than two pairs, or if all differences are the same.

    Raises:
        ValueError: The lengths differ.

    References:
        Student (1908), The probable error of a mean.

    Example:
        >>> test = paired_t([3, 4, 8], [1, 2, 3])
        >>> round(test.t, 3), round(test.p, 3), test.freedom
        (3.0, 0.095, 2)
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
    return PairedT(t, two_sided_p(t, n - 1), n - 1)


def _mean_ranks(totals: Counter[float]) -> dict[float, float]:
    """Return value -> mean of its ranks, counted from 1."""
    below, rank = 0, {}
    for value, count in sorted(totals.items()):
        rank[value] = below + (count + 1) / 2
        below += count
    return rank


def _squared_differences(values: Sequence[float]) -> float:
    """Return the sum of squared differences over all ordered pairs: 2 n times the sum of squares about the mean."""
    mean = sum(values) / len(values)
    return 2 * len(values) * sum((value - mean) ** 2 for value in values)
