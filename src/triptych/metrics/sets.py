"""Metrics of a set of chosen options against the set of correct ones: exact match, Jaccard index, precision, recall."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from triptych.metrics.metric import Metric

_SOURCE = "after SATA-Bench (2025); mean over Units"
METRICS = (
    Metric("em", "exact match", "higher", "%", (0.0, 100.0), ("matches", "units"), _SOURCE),
    Metric("ji", "Jaccard index", "higher", "%", (0.0, 100.0), ("sum of overlaps", "units"), _SOURCE),
    Metric("precision", "precision over sets", "higher", "%", (0.0, 100.0), ("sum of precisions", "units"), _SOURCE),
    Metric("recall", "recall over sets", "higher", "%", (0.0, 100.0), ("sum of recalls", "units"), _SOURCE),
)


def exact_match(predicted: AbstractSet[str], right: AbstractSet[str]) -> float:
    """Return 1 if the two sets are equal (also if both are empty), otherwise 0; higher is better.

    Example:
        >>> exact_match({"A", "B"}, {"B", "A"}), exact_match({"A"}, {"A", "B"})
        (1.0, 0.0)
    """
    return float(predicted == right)


def jaccard(predicted: AbstractSet[str], right: AbstractSet[str]) -> float:
    """Return the Jaccard index |P ∩ T| / |P ∪ T| of the chosen options P and the correct options T.

    Returns:
        A fraction from 0 to 1; higher is better. 1 if both sets are empty, 0 if one is.

    Example:
        >>> jaccard({"A", "B"}, {"B", "C", "D"})
        0.25
    """
    return _share(len(predicted & right), len(predicted | right), bool(predicted), bool(right))


def precision(predicted: AbstractSet[str], right: AbstractSet[str]) -> float:
    """Return the share of the chosen options P that are correct: |P ∩ T| / |P|.

    Returns:
        A fraction from 0 to 1; higher is better. 1 if both sets are empty, 0 if only P is.

    Example:
        >>> precision({"A", "B"}, {"B", "C", "D"})
        0.5
    """
    return _share(len(predicted & right), len(predicted), bool(predicted), bool(right))


def recall(predicted: AbstractSet[str], right: AbstractSet[str]) -> float:
    """Return the share of the correct options T that were chosen: |P ∩ T| / |T|.

    Returns:
        A fraction from 0 to 1; higher is better. 1 if both sets are empty, 0 if only T is.

    Example:
        >>> recall({"A", "B"}, {"B", "C", "D", "E"})
        0.25
    """
    return _share(len(predicted & right), len(right), bool(predicted), bool(right))


def set_scores(predicted: AbstractSet[str], right: AbstractSet[str]) -> dict[str, float]:
    """Return all four metrics by id.

    Example:
        >>> set_scores({"A"}, {"A", "B"})
        {'em': 0.0, 'ji': 0.5, 'precision': 1.0, 'recall': 0.5}
    """
    return {
        "em": exact_match(predicted, right),
        "ji": jaccard(predicted, right),
        "precision": precision(predicted, right),
        "recall": recall(predicted, right),
    }


def _share(part: int, total: int, some_predicted: bool, some_right: bool) -> float:
    if not some_predicted and not some_right:
        return 1.0
    return part / total if total else 0.0
