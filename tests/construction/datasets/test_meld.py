"""Tests of `construction/datasets/meld.py`: MELD."""

from __future__ import annotations

from triptych.construction.datasets.meld import seconds_of


def test_hours_may_have_one_digit() -> None:
    assert seconds_of("1:00:00,5", "") == 3600.5
