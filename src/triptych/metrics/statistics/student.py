"""Student's t distribution: tail probabilities and quantiles, without scipy, which the base installation lacks."""

from __future__ import annotations

from functools import cache
from math import exp, lgamma, log, pi, sqrt
from statistics import NormalDist

_NORMAL = NormalDist()
EXPANSION_FROM = 100  # degrees of freedom from which the expansion of `_expanded` is exact to nine digits


def two_sided_p(t: float, df: float) -> float:
    """Return P(|T| >= |t|) for Student's t distribution with `df` degrees of freedom, from 0 to 1.

    I_x(df / 2, 1 / 2) with x = df / (df + t²), the regularised incomplete beta function.

    Example:
        >>> round(two_sided_p(2.776, 4), 3)
        0.05
    """
    return _incomplete_beta(df / 2, 0.5, df / (df + t * t))


@cache
def t_quantile(p: float, df: float) -> float:
    """Return the quantile of Student's t distribution.

    Args:
        p: Probability, between 0 and 1.
        df: Degrees of freedom, more than 0; `inf` gives the quantile of the normal distribution.

    Returns:
        t with P(T <= t) = p, to about nine digits.

    Example:
        >>> round(t_quantile(0.975, 4), 3), round(t_quantile(0.975, float("inf")), 3)
        (2.776, 1.96)
    """
    z = _NORMAL.inv_cdf(p)
    if df >= EXPANSION_FROM:
        return _expanded(z, df)
    if p < 0.5:
        return -t_quantile(1 - p, df)
    t, tail = z, 2 * (1 - p)  # the tail is convex and z too small, so Newton's steps never go too far
    height = exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(df * pi)
    for _ in range(100):
        step = (two_sided_p(t, df) - tail) / (2 * height * (1 + t * t / df) ** (-(df + 1) / 2))
        t += step
        if abs(step) < 1e-12 * max(1.0, t):
            break
    return t


def _expanded(z: float, df: float) -> float:
    """Return the quantile from the normal one by a Cornish-Fisher expansion (Abramowitz and Stegun, 26.7.5)."""
    return (
        z
        + (z**3 + z) / (4 * df)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * df**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * df**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * df**4)
    )


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b), by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
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
