"""Tests of `benchmarks/mcs_bench/instructions.py`: the 45 standard instructions, from `instructions.toml`."""

from __future__ import annotations

import json

from tests.benchmarks.mcs_bench.test_reader import MCS
from triptych.benchmarks.mcs_bench.instructions import instructions, is_standard


def test_45_instructions_and_the_lengths_that_the_paper_counts() -> None:
    assert list(instructions()) == [f"T{n}" for n in range(1, 46)]
    counted = {"T2": 46, "T3": 45, "T4": 57, "T9": 15, "T15": 11, "T22": 13, "T30": 41, "T37": 39, "T39": 12}  # Table 5
    assert {task: len("".join(instructions()[task].split())) for task in counted} == counted


def test_the_mini_set_has_every_task_twice_in_its_standard_words() -> None:
    rows = json.loads((MCS.mini / "MCS-Bench.json").read_text(encoding="utf-8"))
    for number in range(1, 46):
        own = [row for row in rows if row["Task_ID"] == number]
        assert len(own) >= 2, number
        assert all(is_standard(f"T{number}", row["Question_Simplified"]) for row in own)
    assert not list(MCS.check(MCS.mini))
    assert {len(i.labels) for i in MCS.items(MCS.mini) if i.task.endswith("/T13")} == {5}
    assert {len(i.labels) for i in MCS.items(MCS.mini) if i.task.endswith("/T23")} == {3}
    assert sum(f.stat().st_size for f in MCS.mini.rglob("*") if f.is_file()) < 2_500_000
