"""Tests of significance on plain numbers: McNemar, Wilcoxon, Stuart-Maxwell, Holm, power. No I/O, no scipy.

Every test is two-sided. If a test can't be made (no pairs, no differences), the result is None, not a p of 0 or 1. The
paired t-test is in `metrics.agreement`; bootstrap and permutation, which use a benchmark's own aggregation, in
`analysis.joint`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb, erfc, exp, lgamma, log, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from triptych.metrics.agreement import ranks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_NORMAL = NormalDist()
EXACT = 50  # pairs up to which Wilcoxon's distribution is enumerated


class McNemar(NamedTuple):
    """Exact p; the chi-square statistic with continuity correction and its p; how many pairs disagree."""

    exact_p: float
    chi2: float
    chi2_p: float
    disagreeing: int


def mcnemar(only_first: int, only_second: int) -> McNemar | None:
    """Of the questions that one system alone got right, does one have more than chance would give it?

    exact: 2 P(X <= min(b, c)), X ~ Binomial(b + c, 1/2), at most 1. chi2 = max(0, |b - c| - 1)^2 / (b + c), one degree
    of freedom. None where no pair disagrees. Source: McNemar (1947); Edwards (1948) for the correction.
    """
    n = only_first + only_second
    if n == 0:
        return None
    chi2 = max(0.0, abs(only_first - only_second) - 1.0) ** 2 / n
    return McNemar(_binomial_half(min(only_first, only_second), n), chi2, chi_square_p(chi2, 1), n)


class Wilcoxon(NamedTuple):
    """The smaller sum of ranks, its p, the pairs that differ, and whether p was counted out."""

    statistic: float
    p: float
    n: int
    exact: bool


def wilcoxon(differences: Sequence[float]) -> Wilcoxon | None:
    """Wilcoxon's signed-rank test of paired differences; those of 0 are left out.

    Counted out for up to 50 differences without ties, else by the normal approximation with the correction for ties.
    None where nothing differs. Source: Wilcoxon (1945), Biometrics Bulletin 1, 80-83.
    """
    moved = [d for d in differences if d]
    n = len(moved)
    if not n:
        return None
    sizes = [abs(d) for d in moved]
    ties = sum(count**3 - count for count in Counter(sizes).values())
    plus = sum(r for r, d in zip(ranks(sizes), moved, strict=True) if d > 0)
    statistic = min(plus, n * (n + 1) / 2 - plus)
    if n <= EXACT and not ties:
        return Wilcoxon(statistic, _signed_rank_p(int(statistic), n), n, True)
    variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    z = (statistic - n * (n + 1) / 4) / sqrt(variance) if variance > 0 else 0.0
    return Wilcoxon(statistic, min(1.0, 2 * _NORMAL.cdf(z)), n, False)


class ChiSquare(NamedTuple):
    """The statistic, its p-value, the degrees of freedom."""

    statistic: float
    p: float
    freedom: int


def marginal_homogeneity(differences: Sequence[Sequence[float]] | Array) -> ChiSquare | None:
    """Stuart and Maxwell's test that two choices, made of the same things, fall alike on the categories.

    `differences`: a row for each cluster of questions, by category how often the first chose it minus how often the
    second did. d' S^-1 d, d the sum of the rows and S the sum of their outer products, with as many degrees of freedom
    as S has dimensions. With a single question in each row that is the classical test; several may be correlated.
    None for fewer than two rows, or without differences. Source: Stuart (1955), Biometrika 42, 412-416; Maxwell
    (1970), British Journal of Psychiatry 116, 651-655.
    """
    import numpy as np

    rows = np.array(differences, dtype=np.float64)
    if len(rows) < 2 or not rows.any():
        return None
    total, spread = rows.sum(axis=0), rows.T @ rows
    solved, _, rank, _ = np.linalg.lstsq(spread, total, rcond=1e-9)
    statistic = max(0.0, float(total @ solved))
    return ChiSquare(statistic, chi_square_p(statistic, int(rank)), int(rank))


def chi_square_p(statistic: float, freedom: int) -> float:
    """P(X >= statistic) for chi-square with a whole number of degrees of freedom, by its finite sum."""
    half = statistic / 2
    if half <= 0:
        return 1.0
    odd = freedom % 2
    p_value = erfc(sqrt(half)) if odd else exp(-half)
    for twice in range(3 if odd else 4, freedom + 1, 2):
        p_value += exp((twice / 2 - 1) * log(half) - half - lgamma(twice / 2))
    return min(1.0, p_value)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """P-values adjusted so that the chance of any false finding stays below the level, in the given order.

    The i-th smallest of m becomes max over j <= i of min(1, (m - j + 1) p_j). What is None stays None, and doesn't
    count. Source: Holm (1979), Scandinavian Journal of Statistics 6, 65-70.
    """
    order = sorted((p, index) for index, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for number, (p, position) in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - number) * p))
        adjusted[position] = highest
    return adjusted


def detectable(error: float, *, level: float = 0.05, power: float = 0.8) -> float:
    """The smallest true difference that a test at `level` finds with probability `power`, from its standard error.

    (z_{1 - level/2} + z_{power}) * error, in the error's unit: with 5% and 80% it is 2.80 standard errors.
    """
    return (_NORMAL.inv_cdf(1 - level / 2) + _NORMAL.inv_cdf(power)) * error


def detectable_share(n: int, disagreeing: float, *, level: float = 0.05, power: float = 0.8) -> float | None:
    """The smallest detectable difference (0 to 1) of two accuracies over the same n questions, planned beforehand.

    `disagreeing`: the share of questions that one of the two alone gets right. The standard error is
    sqrt(disagreeing / n), what it is where there is no difference. None for no question.
    """
    return detectable(sqrt(disagreeing / n), level=level, power=power) if n > 0 else None


def power_of(difference: float, error: float, *, level: float = 0.05) -> float | None:
    """The probability that a test at `level` finds a true difference whose estimate has this standard error.

    P(|Z + difference / error| > z_{1 - level/2}). None where the error is 0.
    """
    if error <= 0:
        return None
    z, shift = _NORMAL.inv_cdf(1 - level / 2), difference / error
    return _NORMAL.cdf(shift - z) + _NORMAL.cdf(-shift - z)


def questions_needed(difference: float, disagreeing: float, *, level: float = 0.05, power: float = 0.8) -> int | None:
    """How many shared questions it takes to find a difference (0 to 1) in accuracy; None for a difference of 0."""
    if not difference:
        return None
    z = _NORMAL.inv_cdf(1 - level / 2) + _NORMAL.inv_cdf(power)
    exact = disagreeing * (z / difference) ** 2
    return int(exact) + (exact > int(exact))


def _binomial_half(k: int, n: int) -> float:
    """2 P(X <= k) for X ~ Binomial(n, 1/2), at most 1."""
    return float(min(1.0, 2 * sum(comb(n, i) for i in range(k + 1)) / 2**n)) if n < 1000 else _by_logs(k, n)


def _by_logs(k: int, n: int) -> float:
    logs = [lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) - n * log(2) for i in range(k + 1)]
    return min(1.0, 2 * sum(map(exp, logs)))


def _signed_rank_p(statistic: int, n: int) -> float:
    """2 P(W <= statistic), at most 1: of the 2^n choices of signs, how many sum to what."""
    ways = [1]
    for rank in range(1, n + 1):
        ways = [a + b for a, b in zip([*ways, *[0] * rank], [*[0] * rank, *ways], strict=True)]
    return float(min(1.0, 2 * sum(ways[: statistic + 1]) / 2**n))
