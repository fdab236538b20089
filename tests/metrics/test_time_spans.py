"""Tests of `metrics/time_spans.py`: overlap of spans of time."""

from __future__ import annotations

import math
import random

from triptych.metrics.time_spans import read_span, span_iou


def test_the_overlap_of_spans_is_that_of_many_points() -> None:
    draw = random.Random(0)
    for _ in range(300):
        (a, b), (c, d) = (sorted(draw.choices(range(60), k=2)) for _ in range(2))
        first, second = set(range(a, b)), set(range(c, d))
        expected = len(first & second) / len(first | second) if first | second else float((a, b) == (c, d))
        assert math.isclose(span_iou((a, b), (c, d)), expected)
        assert read_span(f"{a}.0 s to {b}.0 s") == (a, b)
