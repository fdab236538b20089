"""Ratings on a scale: how far from the reference."""

from __future__ import annotations

from triptych.metrics.metric import Metric

METRICS = (
    Metric(
        "mae.rating",
        "mean absolute error of the rating",
        "lower",
        "score",
        (0.0, float("inf")),
        ("sum of distances", "units"),
        "mean of |rating - reference|; a reply without a rating counts as the far end of the scale",
        short="MAE",
    ),
)


def max_distance(reference: float, low: float, high: float) -> float:
    """Return the largest distance that a rating on a scale can have from a reference: the worst case.

    Example:
        >>> max_distance(4, 1, 5)
        3
    """
    return max(abs(reference - low), abs(high - reference))
