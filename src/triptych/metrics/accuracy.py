"""Accuracy: the share of Units answered rightly; and how much of it is left in another modality."""

from __future__ import annotations

from math import inf

from triptych.metrics.metric import Metric

METRICS = (
    Metric(
        id="acc",
        name="accuracy",
        better="higher",
        unit="%",
        range=(0.0, 100.0),
        statistics=("right", "units"),
        source="right / units x 100; what counts as right is the protocol's",
    ),
    Metric(
        id="cmc",
        name="cross-modal consistency",
        better="higher",
        unit="%",
        range=(0.0, inf),
        statistics=("speech score", "text score"),
        source="Du et al. (2026), equation 1: the mean of SQA/QA, SU/LU and SR/LR, times 100",
    ),
)


def accuracy(right: bool) -> tuple[float, float]:
    """The statistics of one Unit: (1 if right else 0, 1)."""
    return (1.0 if right else 0.0, 1.0)
