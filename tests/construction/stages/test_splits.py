"""Tests of `construction/stages/splits.py`: splits without leaks."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.construction.single_stage import decide_all
from triptych.construction.stages.splits import split_records
from triptych.errors import SpecError


def test_splits_never_divide_what_is_connected() -> None:
    draw = random.Random(5)
    given_rows = [
        {
            "keep_together": [f"work:{draw.randrange(150)}", f"speaker:{draw.randrange(300)}"],
            "stratum": draw.choice("ab"),
        }
        for _ in range(400)
    ]
    planted = [{"keep_together": [f"leak:{n}"], "stratum": "a"} for n in range(100) for _ in range(2)]
    everything = given_rows + planted
    found = [o.fields["split"] for o in decide_all(split_records, everything)]
    where: dict[str, set[str]] = {}
    for row, name in zip(everything, found, strict=True):
        for key in row["keep_together"]:
            where.setdefault(key, set()).add(name)
    assert all(len(names) == 1 for names in where.values())
    assert len([key for key in where if key.startswith("leak:")]) == 100


def test_shares_are_kept_in_each_stratum_and_a_split_can_be_equal() -> None:
    given_rows = [{"stratum": "shi"}] * 1000 + [{"stratum": "fu"}] * 300
    found = [o.fields["split"] for o in decide_all(split_records, given_rows)]
    assert Counter(found[:1000]) == {"train": 800, "val": 100, "test": 100}
    assert Counter(found[1000:]) == {"train": 240, "val": 30, "test": 30}
    equal = [o.fields["split"] for o in decide_all(split_records, given_rows, equal_in="test", equal_count=200)]
    assert (equal[:1000].count("test"), equal[1000:].count("test")) == (200, 200)


def test_a_split_that_the_benchmark_does_not_have_is_refused() -> None:
    with pytest.raises(SpecError, match="no split of this name"):
        decide_all(split_records, [{}], shares={"dev": 1.0}, names=("train", "val", "test"))
