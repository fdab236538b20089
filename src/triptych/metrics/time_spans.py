"""Overlap of spans of time: where in a recording something happens."""

from __future__ import annotations

import re

from triptych.metrics.metric import Metric

_SOURCE = "temporal grounding (Gao et al., 2017, TALL): intersection over union of two spans"
METRICS = (
    Metric(
        "iou.time",
        "overlap of the span (IoU)",
        "higher",
        "%",
        (0.0, 100.0),
        ("sum of IoU", "units"),
        _SOURCE,
        short="IoU",
    ),
    Metric(
        "iou50.time",
        "spans with an IoU of 0.5 or more",
        "higher",
        "%",
        (0.0, 100.0),
        ("spans", "units"),
        _SOURCE,
        short="IoU≥0.5",
    ),
)
Span = tuple[float, float]
_CLOCK = r"(?:(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2}(?:\.\d+)?)|(\d+(?:\.\d+)?))\s*(?:s\b|sec\b|seconds?\b)?"
_TO = r"\s*(?:-|–|—|~|,|to|until|till|and|through)\s*"
_PAIR = re.compile(rf"(?<![\w.:]){_CLOCK}{_TO}{_CLOCK}(?![\w:]|\.\d)", re.IGNORECASE)


def span_iou(reference: Span, hypothesis: Span) -> float:
    """Return the intersection over union of two spans of time.

    Args:
        reference: Start and end in seconds, the end not before the start.
        hypothesis: The other span, likewise.

    Returns:
        A fraction from 0 to 1; higher is better. 0 if they share no more than a moment; 1 for equal spans, also empty
        ones.

    References:
        Gao et al. (2017), TALL: temporal activity localization via language query.

    Example:
        >>> span_iou((10, 20), (15, 25))
        0.3333333333333333
    """
    if reference == hypothesis:
        return 1.0
    shared = min(reference[1], hypothesis[1]) - max(reference[0], hypothesis[0])
    union = (reference[1] - reference[0]) + (hypothesis[1] - hypothesis[0]) - max(0.0, shared)
    return max(0.0, shared) / union if union > 0 else 0.0


def read_span(text: str) -> Span | None:
    """Return the only span that a text states, in seconds; None if it states none, several, or one that ends before it
    starts. Times are seconds (`12.5`, `12.5 s`) or clock times (`01:02`, `1:02:03.5`).

    Example:
        >>> read_span("from 00:10 to 00:12.5"), read_span("[3, 7.25]"), read_span("around 5 s")
        ((10.0, 12.5), (3.0, 7.25), None)
    """
    spans = {(_seconds(one.groups()[:4]), _seconds(one.groups()[4:])) for one in _PAIR.finditer(text)}
    start, end = next(iter(spans), (1.0, 0.0))
    return (start, end) if len(spans) == 1 and start <= end else None


def _seconds(parts: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, plain = parts
    if plain is not None:
        return float(plain)
    return 3600 * int(hours or 0) + 60 * int(minutes or 0) + float(seconds or 0)
