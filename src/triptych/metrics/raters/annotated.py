"""Agreement of annotations that are neither labels nor scores: spans of time, boxes, texts.

Two annotations differ by a fraction from 0 (equal) to 1 (nothing in common). `mean_difference` is the mean over pairs
of people, and `difference_alpha` corrects it for chance.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import Any

from triptych.metrics.edit_distance import normalised_edit_distance
from triptych.metrics.time_spans import Span

Box = Sequence[float]  # x, y, width, height, in any unit
Difference = Callable[[Any, Any], float]
MAX_ANNOTATIONS = 300  # annotations that are compared with each other for the expected difference


def mean_difference(units: Sequence[Sequence[Any]], difference: Difference) -> float | None:
    """Return the observed difference: the mean over units of the mean difference of two people.

    Args:
        units: For each unit the annotations of all people; None for a missing one. Units with fewer than two are
            ignored.
        difference: The difference of two annotations, a fraction from 0 to 1.

    Returns:
        A fraction from 0 to 1; lower is better. None if no unit has two annotations.

    Example:
        >>> mean_difference([["abcd", "abcx"], ["ab", None]], text_difference)
        0.25
    """
    differences = [_mean(unit_values, difference) for unit_values in _paired(units)]
    return sum(differences) / len(differences) if differences else None


def difference_alpha(
    units: Sequence[Sequence[Any]], difference: Difference, max_annotations: int = MAX_ANNOTATIONS
) -> float | None:
    """Return Krippendorff's alpha for any difference: 1 - Do / De.

    Do is the mean difference of two annotations of one unit, weighted by the unit's number of annotations, and De
    that of any two annotations, of the same unit or not.

    Args:
        units: For each unit the annotations of all people; None for a missing one. Units with fewer than two are
            ignored.
        difference: The difference of two annotations, 0 for equal ones.
        max_annotations: De is taken from this number of annotations, drawn at random with a fixed seed, if there are
            more.

    Returns:
        At most 1; 1 is perfect agreement, 0 that of annotations which don't depend on the unit. None if no unit has two
        annotations, or if all are equal.

    References:
        Krippendorff (2011), Computing Krippendorff's Alpha-Reliability; his difference function is any one with these
        properties.

    Example:
        >>> difference_alpha([["a", "a"], ["b", "b"]], text_difference)
        1.0
        >>> difference_alpha([["a", "b"], ["b", "a"]], text_difference)
        -0.5
    """
    paired = _paired(units)
    values = [value for unit_values in paired for value in unit_values]
    drawn = values if len(values) <= max_annotations else random.Random(0).sample(values, max_annotations)
    expected = _mean(drawn, difference) if len(drawn) > 1 else 0.0
    if not expected:
        return None
    observed = sum(len(ratings) * _mean(ratings, difference) for ratings in paired) / len(values)
    return 1 - observed / expected


def text_difference(first: str, second: str) -> float:
    """Return the normalised edit distance of two texts: edits / length of the longer one, in characters.

    Returns:
        A fraction from 0 to 1; 0 for equal texts, also empty ones.

    Example:
        >>> text_difference("sunday", "saturday")
        0.375
    """
    return normalised_edit_distance(first, second)


def spans_difference(first: Sequence[Span], second: Sequence[Span]) -> float:
    """Return 1 minus the intersection over union of two sets of spans, as durations.

    Args:
        first: Spans (start, end) in seconds; those that overlap count once.
        second: The other set, likewise.

    Returns:
        A fraction from 0 to 1; 0 for equal sets, also empty ones; 1 if nothing overlaps.

    Example:
        >>> spans_difference([(0, 4)], [(2, 4), (6, 8)])
        0.6666666666666667
    """
    ends = sorted({end for span in (*first, *second) for end in span})
    union = shared = 0.0
    for begin, end in pairwise(ends):
        inside = [any(span[0] <= begin and end <= span[1] for span in spans) for spans in (first, second)]
        union += (end - begin) * any(inside)
        shared += (end - begin) * all(inside)
    if not union:
        return float(sorted(first) != sorted(second))
    return 1 - shared / union


def boxes_difference(first: Sequence[Box], second: Sequence[Box]) -> float:
    """Return 1 minus the mean overlap of two sets of boxes: 2 sum(IoU) / (n + m), over matched boxes.

    The two boxes with the largest intersection over union are matched first, then the next two of those left. A box
    without a match counts as an IoU of 0.

    Args:
        first: n boxes: x, y, width and height.
        second: m boxes, in the same unit.

    Returns:
        A fraction from 0 to 1; 0 for equal sets, also empty ones.

    Example:
        >>> boxes_difference([(0, 0, 2, 2)], [(1, 0, 2, 2), (9, 9, 1, 1)])
        0.7777777777777778
    """
    if not first and not second:
        return 0.0
    every = sorted(((box_iou(a, b), n, m) for n, a in enumerate(first) for m, b in enumerate(second)), reverse=True)
    left, right, overlap = set(range(len(first))), set(range(len(second))), 0.0
    for iou, n, m in every:
        if n in left and m in right:
            left.remove(n)
            right.remove(m)
            overlap += iou
    return 1 - 2 * overlap / (len(first) + len(second))


def box_iou(first: Box, second: Box) -> float:
    """Return the intersection over union of two boxes (x, y, width, height).

    Returns:
        A fraction from 0 to 1; 0 if they don't overlap or both are empty.

    Example:
        >>> box_iou((0, 0, 2, 2), (1, 0, 2, 2))
        0.3333333333333333
    """
    sides = [
        max(0.0, min(first[n] + first[n + 2], second[n] + second[n + 2]) - max(first[n], second[n])) for n in (0, 1)
    ]
    shared = sides[0] * sides[1]
    union = first[2] * first[3] + second[2] * second[3] - shared
    return shared / union if union > 0 else 0.0


def _paired(units: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [labels for unit in units if len(labels := [value for value in unit if value is not None]) > 1]


def _mean(values: Sequence[Any], difference: Difference) -> float:
    """The mean difference of two values."""
    pairs = list(combinations(values, 2))
    return sum(difference(a, b) for a, b in pairs) / len(pairs)
