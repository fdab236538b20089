"""Confidence limits that hold with few clusters or near a boundary, computed from bootstrap replicates.

Percentiles of replicates are too narrow if there are few clusters, and never contain 0 for a standard deviation of
several noisy values, because noise makes each replicate larger. `docs/analysis.md` has the simulated coverage.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, sqrt
from typing import TYPE_CHECKING

from triptych.metrics.statistics.intervals import interval_around
from triptych.metrics.statistics.student import t_quantile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

Interval = tuple[float, float]
MAX_FACTOR = 1e6  # factor of `deviation_interval`
HALVINGS = 40  # of the interval that contains the factor: about 12 digits


def bounded_interval(
    value: float, variance: float, low: float, high: float, df: float = inf, level: float = 0.95
) -> Interval:
    """Return Wilson's score interval of a mean of values between `low` and `high`, from the variance of the mean.

    The mean is rescaled to a proportion p from 0 to 1 with variance v, and has the effective sample size n = p (1 - p)
    / v: n independent right or wrong answers would give the same variance. The limits are Wilson's with this n,
    and with Student's quantile t in place of z.

    Args:
        value: The mean, between `low` and `high`.
        variance: Variance of the mean, greater than 0, such as the variance of its bootstrap replicates.
        low: Smallest possible value.
        high: Largest possible value.
        df: Degrees of freedom of the variance: clusters minus strata.
        level: Confidence level, 0 to 1.

    Returns:
        Lower and upper limit between `low` and `high`, in the unit of the value. For a mean at a boundary, whose
        effective sample size is 0, the interval from `low` to `high`.

    References:
        Wilson (1927), Probable inference, JASA 22, 209-212; Korn and Graubard (1998), Confidence intervals for
        proportions with small expected number of positive counts, Survey Methodology 24, 193-201, for the effective
        sample size and Student's quantile.

    Example:
        >>> limits = bounded_interval(80.0, 16.0, 0.0, 100.0, df=99)
        >>> [round(limit, 1) for limit in limits]
        [71.0, 86.7]
    """
    scale = high - low
    p = (value - low) / scale
    n = p * (1 - p) * scale * scale / variance
    if n <= 0:
        return low, high
    t = t_quantile(0.5 + level / 2, df)
    below = 1 + t * t / n
    centre = (p + t * t / (2 * n)) / below
    half = t * sqrt(p * (1 - p) / n + t * t / (4 * n * n)) / below
    return low + scale * max(0.0, centre - half), low + scale * min(1.0, centre + half)


def figure_interval(
    drawn: Array, value: float | None, bounds: Interval | None = None, *, df: float = inf, level: float = 0.95
) -> Interval | None:
    """Return the confidence interval of a figure from its bootstrap replicates.

    `bounded_interval` with the variance of the replicates for a mean of values between two finite bounds, such as a
    share; otherwise `intervals.interval_around`, the percentiles expanded for few clusters.

    Args:
        drawn: The figure in each replicate, shape (replicates,); NaN values are ignored.
        value: The figure itself.
        bounds: Smallest and largest possible value, in the unit of the figure; None if it is not a mean of bounded
            values, for example a difference.
        df: Degrees of freedom: clusters minus strata.
        level: Confidence level, 0 to 1.

    Returns:
        Lower and upper limit, in the unit of the figure. None if there is no value, if the replicates do not vary, or
        if `df` is less than 1.

    Example:
        >>> import numpy as np
        >>> drawn = np.random.default_rng(0).binomial(20, 0.9, size=1000) / 20
        >>> [round(limit, 2) for limit in figure_interval(drawn, 0.9, (0.0, 1.0), df=19)]
        [0.69, 0.97]
    """
    import numpy as np

    finite = drawn[~np.isnan(drawn)]
    if value is None or not finite.size or df < 1:
        return None
    if bounds is None or not bounds[0] < value < bounds[1] or bounds[1] - bounds[0] == inf:
        return interval_around(finite, value, level, df=df)
    variance = float(finite.var())
    return (
        bounded_interval(value, variance, *bounds, df, level) if variance > (1e-9 * max(1.0, abs(value))) ** 2 else None
    )


def deviation_interval(
    values: Array, drawn: Array, *, ddof: int = 1, df: float = inf, level: float = 0.95
) -> Interval | None:
    """Return a confidence interval of the standard deviation of several true values, from estimates of them.

    The standard deviation of estimates is too large, since they differ by noise, too. The limits are those standard
    deviations that are compatible with the observed one: the observed deviations from the mean are multiplied by a
    factor c, the noise of the replicates (drawn - values) is added, and the smallest and largest c are found for which
    the observed standard deviation is within the central `level` of the results. The lower limit is 0 if noise alone
    gives one as large in more than (1 - level) / 2 of the replicates.

    Args:
        values: Estimates, shape (k,); NaN values are left out.
        drawn: Their bootstrap replicates, shape (replicates, k); rows with NaN are left out.
        ddof: 1 to divide by k - 1, 0 to divide by k, as in the standard deviation itself.
        df: Degrees of freedom of the noise: clusters minus strata. Noise is multiplied by t / z.
        level: Confidence level, 0 to 1.

    Returns:
        Lower and upper limit, in the unit of the values; the lower limit is at least 0, and the interval contains the
        observed standard deviation. None for fewer than two values, without noise, or if `df` is less than 1.

    References:
        The inversion of a test, Casella and Berger (2002), Statistical Inference, section 9.2.1. For independent
        noise of equal variance the test statistic is a noncentral chi-square, and the interval exact.

    Example:
        >>> import numpy as np
        >>> noise = np.random.default_rng(0).normal(size=(1000, 3))
        >>> equal, different = np.array([50.0, 51.0, 49.5]), np.array([30.0, 50.0, 70.0])
        >>> [round(limit, 1) for limit in deviation_interval(equal, equal + noise)]
        [0.0, 1.9]
        >>> [round(limit, 1) for limit in deviation_interval(different, different + noise)]
        [18.6, 21.4]
    """
    import numpy as np

    there = ~np.isnan(values)
    centred, noise = values[there], (drawn - values)[:, there]
    noise = noise[~np.isnan(noise).any(axis=1)]
    if len(centred) < 2 or not len(noise) or df < 1:
        return None
    centred = centred - centred.mean()
    noise = (noise - noise.mean(axis=1, keepdims=True)) * (t_quantile(0.975, df) / t_quantile(0.975, inf))
    below = len(centred) - ddof
    # The squared standard deviation for a factor c is a quadratic function of c in each replicate.
    square, mixed, still = centred @ centred / below, noise @ centred / below, (noise**2).sum(axis=1) / below
    observed = sqrt(square)
    if not still.max() > 1e-18 * max(1.0, square):
        return None
    if observed <= 1e-9:
        return 0.0, float(np.quantile(np.sqrt(still), 0.5 + level / 2))

    def as_large(c: float) -> float:
        return float((c * c * square + 2 * c * mixed + still >= square - 1e-12).mean())

    tail = (1 - level) / 2
    low = 0.0 if as_large(0.0) > tail else _factor(lambda c: as_large(c) > tail, 0.0, 1.0)
    high = 1.0
    while high < MAX_FACTOR and as_large(high) < 1 - tail:
        high *= 2
    high = _factor(lambda c: as_large(c) >= 1 - tail, 0.0, high)
    return min(low, 1.0) * observed, max(high, 1.0) * observed


def difference_interval(first: float, of_first: Interval, second: float, of_second: Interval) -> Interval:
    """Return an interval of first - second from the interval of each, for estimates that replicates can't be taken of.

    lower = d - sqrt((first - l1)² + (u2 - second)²), upper = d + sqrt((u1 - first)² + (second - l2)²), with d = first -
    second and the intervals l1 to u1 and l2 to u2. The two are treated as independent, which is conservative if they
    are positively correlated, as the figures of two systems on the same questions are.

    Args:
        first: The first estimate.
        of_first: Its confidence interval, which contains it.
        second: The second estimate.
        of_second: Its confidence interval, which contains it.

    Returns:
        Lower and upper limit of first - second, at the level of the two intervals.

    References:
        Zou and Donner (2008), Construction of confidence limits about effect measures, Statistics in Medicine 27,
        1693-1702 (MOVER).

    Example:
        >>> [round(limit, 2) for limit in difference_interval(10.0, (7.0, 14.0), 4.0, (0.0, 8.0))]
        [1.0, 11.66]
    """
    (low, high), (other_low, other_high), difference = of_first, of_second, first - second
    return (
        difference - sqrt((first - low) ** 2 + (other_high - second) ** 2),
        difference + sqrt((high - first) ** 2 + (second - other_low) ** 2),
    )


def lowest_interval(values: Array, drawn: Array, *, df: float = inf, level: float = 0.95) -> Interval | None:
    """Return a confidence interval of the lowest of several true values, from estimates of them.

    The lowest estimate is too low on average, and the lowest of each replicate even lower. The limits are the lowest of
    simultaneous limits: values ± q standard errors, where q is the `level` quantile of the largest absolute deviation
    of a replicate in standard errors.

    Args:
        values: Estimates, shape (k,).
        drawn: Their bootstrap replicates, shape (replicates, k); rows with NaN are left out.
        df: Degrees of freedom of the noise: clusters minus strata. q is multiplied by t / z.
        level: Confidence level, 0 to 1.

    Returns:
        Lower and upper limit, in the unit of the values; None if a value is NaN, no estimate varies, or `df`
        is less than 1.

    References:
        Westfall and Young (1993), Resampling-Based Multiple Testing, section 2.3.

    Example:
        >>> import numpy as np
        >>> noise = np.random.default_rng(0).normal(size=(1000, 2))
        >>> values = np.array([50.0, 50.5])
        >>> [round(limit, 1) for limit in lowest_interval(values, values + noise)]
        [47.7, 52.3]
    """
    import numpy as np

    noise = drawn - values
    noise = noise[~np.isnan(noise).any(axis=1)]
    if np.isnan(values).any() or not len(noise) or df < 1:
        return None
    errors = noise.std(axis=0)
    varied = errors > 1e-12
    if not varied.any():
        return None
    largest = np.abs(noise[:, varied] / errors[varied]).max(axis=1)
    reach = float(np.quantile(largest, level)) * t_quantile(0.975, df) / t_quantile(0.975, inf) * errors
    return float((values - reach).min()), float((values + reach).min())


def _factor(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Return the smallest number from `low` to `high` for which a condition holds that holds for all greater ones."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
