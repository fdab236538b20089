"""Tests of `records/natural_order.py`."""

from __future__ import annotations

import random

from triptych.records.natural_order import natural


def test_numbers_in_names_count_as_numbers() -> None:
    wanted = ["T1", "T2", "T2/3", "T2/20", "T10", "T11", "a", "a1b2", "a1b10", "a2"]
    shuffled = random.Random(1).sample(wanted, len(wanted))
    assert sorted(shuffled, key=natural) == wanted
    assert sorted(["7", "07"], key=natural) == ["07", "7"] and natural("٣") and natural("")
