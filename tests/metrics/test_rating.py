"""Tests of `metrics/rating.py`: how far a rating is from the reference."""

from __future__ import annotations

import pytest

from triptych.metrics.rating import METRICS, max_distance


@pytest.mark.parametrize(
    ("reference", "low", "high", "distance"),
    [(4, 1, 5, 3), (1, 1, 5, 4), (3, 1, 5, 2), (0.5, -1, 1, 1.5), (7, 7, 7, 0)],
)
def test_the_far_end_of_a_scale(reference: float, low: float, high: float, distance: float) -> None:
    assert max_distance(reference, low, high) == distance
    assert all(abs(rating - reference) <= distance for rating in (low, high, (low + high) / 2))


def test_lower_errors_are_better() -> None:
    (metric,) = METRICS
    assert (metric.id, metric.better) == ("mae.rating", "lower")
