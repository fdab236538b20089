"""Tests of `records/scores.py`: score."""

from __future__ import annotations

from triptych.records import (
    Aggregate,
)


def test_coverage_counts_unparsed_replies_as_answers() -> None:
    counts = {"scored": 6, "unparsed": 1, "failed": 2, "refused": 1}
    figure = Aggregate("official", "t", "acc", {}, 50.0, 7, counts)
    assert (figure.units, figure.coverage) == (10, 0.7)
    assert Aggregate("official", "t", "acc", {}, None, 0, {}).coverage == 0
