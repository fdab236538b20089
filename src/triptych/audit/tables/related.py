"""How alike related models are: the null model against which copied rows and columns are judged.

A fine-tune answers most questions as its base model does, so that its counts are a few apart and some of them equal.
Null model: of n questions two related models answer one in twenty differently, in both directions alike, so that the
difference of their counts is the difference of two Poisson variables (Skellam). Cells of the pair that differ tell how
related the two are: their distances, together with two cells at the distance of the null model, give the mean distance
of a cell that differs, in counts or relative to the null model's, whichever is less. The rate of equal cells is that of
a two-sided geometric distribution with this mean, which has more mass at 0 than the difference of two counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

DIFFERENT = 0.05  # share of the questions that related models answer differently
_PRIOR = 2  # cells at the distance of the null model


def related_rate(apart: Sequence[tuple[float, int]], questions: Sequence[int]) -> float:
    """Return the mean probability that a cell of two related models is equal.

    Args:
        apart: Distance in counts and number of questions of each cell of the pair that differs.
        questions: Number of questions of every cell of the pair, equal ones included.

    Returns:
        A probability; it falls as distances and numbers of questions grow.

    Example:
        >>> round(related_rate([], [500]), 3), round(related_rate([(1, 500), (2, 500), (1, 500)], [500]), 3)
        (0.131, 0.247)
    """
    counts = [max(distance, 1.0) for distance, _ in apart]
    relative = [count / usual_distance(n) for count, (_, n) in zip(counts, apart, strict=True)]
    cells = _PRIOR + len(counts)
    scale = (_PRIOR + sum(relative)) / cells
    means = [min((_PRIOR * usual + sum(counts)) / cells, scale * usual) for usual in map(usual_distance, questions)]
    return sum(_equal(mean) for mean in means) / len(means)


def _equal(mean: float) -> float:
    """Return the mass at 0 of the two-sided geometric distribution with this mean distance of other values."""
    leaving = 1 / max(mean, 1.0)
    return leaving / (2 - leaving)


@lru_cache(maxsize=4096)
def usual_distance(questions: float) -> float:
    """Return the mean distance in counts of two related models, of cells that differ."""
    from scipy.special import ive

    m = max(DIFFERENT * questions, 0.5)
    return float(m * (ive(0, m) + ive(1, m)) / (1 - ive(0, m)))
