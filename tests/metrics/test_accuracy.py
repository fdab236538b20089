"""Tests of `metrics/accuracy.py`."""

from __future__ import annotations

from triptych.metrics.accuracy import accuracy


def test_accuracy_is_one_of_one_or_none_of_one() -> None:
    assert (accuracy(True), accuracy(False)) == ((1.0, 1.0), (0.0, 1.0))
