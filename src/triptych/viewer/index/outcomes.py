"""The outcome of a Score: right, wrong, in between, or the reason why there is none.

`right` and `wrong` are the metric's best and worst value (or beyond), `partly` is everything between. A Score of an
unknown metric is always `partly`, because its direction is unknown. The tables of the index compute it in bulk.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from triptych.metrics.metric import Metric, known_metrics
from triptych.records import SCORE_STATUSES

# In the order in which filters show them; what has no Score at all is `none`.
OUTCOMES = ("right", "partly", "wrong", *SCORE_STATUSES[1:], "none")  # scored: right, partly or wrong


def _bounds(metric: Metric) -> tuple[float, float]:
    """Return the merit of the worst and of the best value."""
    worst, best = (_bounded(bound) for bound in metric.range)
    return (worst, best) if metric.better == "higher" else (-best, -worst)


class Scale(NamedTuple):
    """A metric's value is factor x (numerator / denominator), and its merit is sign x value: higher is better. `low` is
    the merit of the worst value, `high` that of the best. `defined` is False for an unknown metric."""

    defined: bool
    factor: float = 1.0
    sign: float = 1.0
    low: float = 0.0
    high: float = 0.0


def scale_of(name: str) -> Scale:
    """Return the scale of a metric, given its id."""
    metric = _metric(name)
    if metric is None:
        return Scale(False)
    return Scale(
        True, 100.0 if metric.unit == "%" else 1.0, -1.0 if metric.better == "lower" else 1.0, *_bounds(metric)
    )


def _bounded(bound: float) -> float:
    """Return a finite bound: 100 for infinity, 0 for minus infinity."""
    return {inf: 100.0, -inf: 0.0}.get(bound, bound)


def _metric(id_: str) -> Metric | None:
    metric = known_metrics().get(id_)
    return metric[0] if metric else None
