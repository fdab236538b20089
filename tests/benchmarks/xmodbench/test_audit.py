"""Tests of `benchmarks/xmodbench/audit.py`."""

from __future__ import annotations

import random

from triptych.benchmarks.xmodbench.audit import agreement, shift_of


def test_a_shift_is_found_from_content_alone() -> None:
    rows = [f"clip {n}" for n in range(60)]
    assert shift_of(rows, rows) is None
    assert shift_of(rows, rows[:40] + rows[41:]) == (40, 1)
    assert shift_of(rows[:40] + rows[41:], rows) == (40, -1)
    shuffled = random.Random(0).sample(rows, 60)
    assert shift_of(rows, shuffled) is None
    assert agreement(rows, rows[:30] + ["x"] * 30) == (30, 60)
