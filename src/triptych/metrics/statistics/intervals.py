"""Confidence intervals: the bootstrap over Instances, percentile intervals, and Wilson's interval for a proportion."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

from triptych.metrics.statistics.student import t_quantile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Counts = NDArray[np.int64]

CHUNK = 4_000_000  # weights in memory at a time: 32 MB
MANY_WEIGHTS = 1_000_000  # total number of weights from which it matters how they are drawn
CLUSTERS_PER_PATTERN = 4  # clusters for each pattern up to which drawing clusters one by one is faster
CACHED = 65_536  # counters that fit into a core's cache
EXACT = 2**24  # up to here single precision adds whole numbers without rounding, in two thirds of the time
# Multiplications that BLAS does in one thread; on a busy machine, waiting for other threads costs far more
SINGLE = 250_000


def bootstrap_weights(sizes: Counts, replicates: int, rng: np.random.Generator) -> Array:
    """Return the weight of each group of clusters in each bootstrap replicate.

    Of n clusters, n - 1 are drawn with replacement and weighted n / (n - 1), so a row sums to n. This makes the
    variance of a mean unbiased for few clusters, too; drawing n of n gives intervals that are too narrow by sqrt((n -
    1) / n). A single cluster contains no information about its variance and always has weight 1.

    Args:
        sizes: Number of clusters in each group, shape (groups,).
        replicates: Number of bootstrap replicates.
        rng: Random generator.

    Returns:
        Weights of 0 or more, shape (replicates, groups).

    References:
        Rao and Wu (1988), Resampling inference with complex survey data, JASA 83, 231-241, section 2.

    Example:
        >>> import numpy as np
        >>> weights = bootstrap_weights(np.array([3, 2]), 4, np.random.default_rng(0))
        >>> weights.shape, weights.sum(axis=1).tolist()
        ((4, 2), [5.0, 5.0, 5.0, 5.0])
    """
    import numpy as np

    n = int(sizes.sum())
    if n < 2:
        return np.ones((replicates, len(sizes)))
    weights, scale = np.empty((replicates, len(sizes))), np.float64(n / (n - 1))
    rows = max(1, CACHED // len(sizes))  # counts are whole numbers of the same size, which need not all be in memory
    for start in range(0, replicates, rows):
        part = weights[start : start + rows]
        np.multiply(rng.multinomial(n - 1, sizes / n, size=len(part)), scale, out=part)
    return weights


def bootstrap_sums(sums: Array, replicates: int, rng: np.random.Generator) -> Array:
    """Return sums over resampled clusters, in bounded memory; the order of the clusters doesn't matter.

    Clusters with equal sums are interchangeable and are drawn as one group, since correct and wrong answers form few
    patterns. If nearly each cluster has a pattern of its own, the clusters themselves are drawn, which gives the same
    distribution faster.

    Args:
        sums: Sums of k statistics in each of n clusters, shape (n, k).
        replicates: Number of bootstrap replicates.
        rng: Random generator.

    Returns:
        Sums over the clusters of each replicate (see `bootstrap_weights`), shape (replicates, k).

    Example:
        >>> import numpy as np
        >>> sums = np.array([[1.0, 1.0], [0.0, 1.0], [1.0, 1.0]])
        >>> replicates = bootstrap_sums(sums, 1000, np.random.default_rng(0))
        >>> replicates.shape, replicates[0, 1].item()
        ((1000, 2), 3.0)
    """
    import numpy as np

    return bootstrap_patterns(*np.unique(sums, axis=0, return_counts=True), replicates, rng)


def bootstrap_patterns(patterns: Array, sizes: Counts, replicates: int, rng: np.random.Generator) -> Array:
    """Return `bootstrap_sums` of clusters whose different sums were counted before.

    Args:
        patterns: The different sums in ascending order, as `np.unique` gives them, shape (g, k).
        sizes: Number of clusters with each, shape (g,).
        replicates: Number of bootstrap replicates.
        rng: Random generator.

    Returns:
        Sums over the clusters of each replicate, shape (replicates, k).

    Example:
        >>> import numpy as np
        >>> bootstrap_patterns(np.array([[2.0]]), np.array([3]), 2, np.random.default_rng(0)).tolist()
        [[6.0], [6.0]]
    """
    import numpy as np

    if replicates * len(patterns) > MANY_WEIGHTS and sizes.sum() <= CLUSTERS_PER_PATTERN * len(patterns):
        return _drawn_one_by_one(np.repeat(patterns, sizes, axis=0), replicates, rng)
    rows = [bootstrap_weights(sizes, size, rng) @ patterns for size in _chunks(replicates, len(patterns))]
    return np.concatenate(rows) if rows else np.zeros((0, patterns.shape[1]))


def _drawn_one_by_one(clusters: Array, replicates: int, rng: np.random.Generator) -> Array:
    """Return `bootstrap_sums` by drawing the numbers of n - 1 clusters per replicate and counting them.

    A column that is constant over all clusters has the same sum in every replicate and is not multiplied.
    """
    import numpy as np

    n, scale = len(clusters), len(clusters) / (len(clusters) - 1)
    replicate_sums = np.empty((replicates, clusters.shape[1]))
    varies = (clusters != clusters[0]).any(axis=0)
    replicate_sums[:, ~varies] = n * clusters[0, ~varies]
    small, rows = np.min_scalar_type(n - 1), _rows(n, int(varies.sum()))
    offsets = (np.arange(rows) * n)[:, None]
    for start in range(0, replicates, rows):
        size = min(rows, replicates - start)
        drawn = rng.integers(0, n, size=(size, n - 1), dtype=small) + offsets[:size]
        weights = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n) * scale
        replicate_sums[start : start + size, varies] = weights @ clusters[:, varies]
    return replicate_sums


def swapped_sums(differences: Array, replicates: int, rng: np.random.Generator) -> Array:
    """Return sums of differences with random signs: the distribution under the null hypothesis of no difference.

    If it doesn't matter which of two systems gave the answers of a cluster, the sign of the cluster's differences is
    random. All k differences of a cluster change their sign together.

    Args:
        differences: Differences of two systems in n clusters, shape (n, k).
        replicates: Number of random assignments of signs.
        rng: Random generator.

    Returns:
        Sums of the differences, shape (replicates, k).

    References:
        Fisher (1935), The Design of Experiments: the randomisation test for pairs.

    Example:
        >>> import numpy as np
        >>> swapped_sums(np.array([[1.0], [0.0]]), 1000, np.random.default_rng(0)).min().item()
        -1.0
    """
    import numpy as np

    moving = differences[differences.any(axis=1)]
    if not len(moving):  # no differences: every replicate is 0
        return np.zeros((replicates, differences.shape[1]))
    leading = np.take_along_axis(moving, (moving != 0).argmax(axis=1)[:, None], axis=1)
    moving = moving * np.sign(leading)  # so that the order of subtraction doesn't matter
    groups, sizes = np.unique(moving, axis=0, return_counts=True)
    moving = np.repeat(groups, sizes, axis=0)  # an order that doesn't depend on the order of the clusters
    are_integers = bool((moving == np.rint(moving)).all()) and np.abs(moving).sum() < EXACT
    moving = moving.astype(np.float32 if are_integers else np.float64)
    n, rows, total = len(moving), _rows(*moving.shape), moving.sum(axis=0)
    totals = np.zeros((replicates, differences.shape[1]))
    for start in range(0, replicates, rows):
        size = min(rows, replicates - start)
        bits = np.unpackbits(np.frombuffer(rng.bytes((size * n + 7) // 8), dtype=np.uint8), count=size * n)
        if are_integers:  # exact: twice the sums of those with a positive sign, minus all
            totals[start : start + size] = 2 * (bits.reshape(size, n).astype(np.float32) @ moving) - total
        else:
            signs = 2 * bits.view(np.int8).reshape(size, n) - 1
            totals[start : start + size] = signs.astype(np.float64) @ moving
    return totals


def percentile_interval(values: Array, level: float = 0.95, df: float = inf) -> tuple[float, float] | None:
    """Return the central part of bootstrap replicates, by linear interpolation of their quantiles.

    The quantiles are expanded for few clusters: at P(Z < -t) and P(Z < t), Z normally distributed, t Student's quantile
    for `level` and `df`. With many clusters these are the usual 0.025 and 0.975 for a level of 0.95. The result equals
    `np.quantile`, which would load numpy's masked arrays first.

    Args:
        values: The value in each replicate, shape (replicates,); NaN values are ignored.
        level: Confidence level, 0 to 1.
        df: Degrees of freedom of the replicates' variance: clusters minus strata.

    Returns:
        Lower and upper limit, in the unit of the values; None if all values are NaN, if `df` is less than 1, or if a
        limit is infinite (a ratio whose denominator can be 0).

    References:
        Hesterberg (2015), What teachers should know about the bootstrap, The American Statistician 69, 371-386, section
        5.3, for expanded percentiles.

    Example:
        >>> import numpy as np
        >>> percentile_interval(np.arange(41.0), level=0.5)
        (10.0, 30.0)
    """
    import numpy as np

    finite = values[~np.isnan(values)]
    if not finite.size or df < 1:
        return None
    tail, last = NormalDist().cdf(-t_quantile(0.5 + level / 2, df)), len(finite) - 1
    wanted = tail * last, (1 - tail) * last
    beside = {min(int(column) + more, last) for column in wanted for more in (0, 1)}
    finite = np.partition(finite, sorted(beside))  # only the values next to the quantiles need their places
    with np.errstate(invalid="ignore"):  # next to an infinite value
        low, high = np.interp(wanted, np.arange(len(finite)), finite)
    return (float(low), float(high)) if np.isfinite(low) and np.isfinite(high) else None


def interval_around(
    values: Array, value: float | None, level: float = 0.95, *, df: float = inf
) -> tuple[float, float] | None:
    """Return `percentile_interval` of the replicates if it is meaningful for the point estimate `value`.

    Returns:
        Lower and upper limit. None if there is no value, if the replicates don't vary, or if the interval doesn't
        contain the value (with few clusters, replicates can be strongly biased).

    Example:
        >>> import numpy as np
        >>> interval_around(np.arange(41.0), 20.0, level=0.5)
        (10.0, 30.0)
        >>> interval_around(np.arange(41.0), 40.0, level=0.5) is None
        True
    """
    interval = None if value is None else percentile_interval(values, level, df)
    if interval is None or value is None or interval[1] - interval[0] <= 1e-9 * max(1.0, abs(value)):
        return None
    return interval if interval[0] <= value <= interval[1] else None


def wilson(successes: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return Wilson's score interval for a proportion.

    centre = (p + z²/2n) / (1 + z²/n), half width = z sqrt(p(1-p)/n + z²/4n²) / (1 + z²/n), with p = successes / n.
    Unlike a bootstrap interval, it has a positive width if all or none succeed.

    Args:
        successes: Number of successes, 0 to n.
        n: Number of trials.
        level: Confidence level, 0 to 1.

    Returns:
        Lower and upper limit within [0, 1]; (0, 1) for n = 0.

    References:
        Wilson (1927), Probable inference, JASA 22, 209-212.

    Example:
        >>> low, high = wilson(8, 10)
        >>> round(low, 3), round(high, 3)
        (0.49, 0.943)
    """
    if n == 0:
        return 0.0, 1.0
    p, z = successes / n, NormalDist().inv_cdf(0.5 + level / 2)
    scale = 1 + z * z / n
    centre = (p + z * z / (2 * n)) / scale
    half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / scale
    # Without rounding errors: exactly 0 if none succeed, exactly 1 if all do.
    return (0.0 if p == 0 else centre - half), (1.0 if p == 1 else centre + half)


def _rows(n: int, columns: int) -> int:
    """Return the number of replicates that are drawn at a time for n clusters with this number of columns."""
    return max(1, min(CACHED // max(n, 1), SINGLE // max(n * columns, 1)))


def _chunks(replicates: int, n: int) -> Iterator[int]:
    size = max(1, CHUNK // max(n, 1))
    for start in range(0, replicates, size):
        yield min(size, replicates - start)
