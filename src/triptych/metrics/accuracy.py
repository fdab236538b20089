"""Accuracy, and the share of it that is preserved in another modality (cross-modal consistency)."""

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
        source="correct Units / Units x 100; the protocol defines which answers are correct",
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
    Metric(
        id="spread.draws",
        name="standard deviation by letters that the scorer draws",
        better="lower",
        unit="%",
        range=(0.0, 50.0),
        statistics=("sum of variances", "units"),
        source="a scorer that draws a letter with probability p of being correct adds p (1 - p) of variance per reply:"
        " sqrt(sum) / Units x 100",
        short="spread of draws",
    ),
)


def accuracy(right: bool) -> tuple[float, float]:
    """Return the statistics of accuracy for one Unit: (number correct, number of Units).

    Accuracy over many Units is the sum of the first numbers divided by the sum of the second ones; higher is better.

    Args:
        right: Whether the answer is correct.

    Example:
        >>> accuracy(True), accuracy(False)
        ((1.0, 1.0), (0.0, 1.0))
    """
    return (1.0 if right else 0.0, 1.0)
