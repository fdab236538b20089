"""The MCS-Bench-like mini set as it ships: the released form, all 45 Tasks, its pictures. Nothing is drawn here."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import triptych.benchmarks
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.mcs_bench.instructions import is_standard

ROOT = Path(triptych.benchmarks.__file__).parent / "mcs_bench" / "mini"
HEAD = [
    "ID",
    "Task_ID",
    "Image",
    "Question_Simplified",
    "Answer_Simplified",
    "Question_Traditional",
    "Answer_Traditional",
]


def rows() -> list[dict[str, Any]]:
    found = json.loads((ROOT / "MCS-Bench.json").read_text(encoding="utf-8"))
    assert isinstance(found, list)
    return found


def test_released_form() -> None:
    for row in rows():
        assert list(row) == HEAD
        assert all(str(value).strip() for value in row.values())
    assert len({row["ID"] for row in rows()}) == len(rows())


def test_every_task_has_at_least_two_items_in_its_standard_words() -> None:
    counts = Counter(row["Task_ID"] for row in rows())
    assert counts.keys() == set(range(1, 46))
    assert min(counts.values()) >= 2
    assert all(is_standard(f"T{row['Task_ID']}", row["Question_Simplified"]) for row in rows())


def test_every_picture_is_asked_about_and_none_is_missing() -> None:
    there = {f"images/{path.name}" for path in (ROOT / "images").iterdir()}
    assert {row["Image"] for row in rows()} == there


def test_no_constant_letter_does_well() -> None:
    bench = load_benchmark("mcs_bench")
    keys = Counter(item.target for item in bench.items(bench.mini) if item.answer == "letter")
    assert max(keys.values()) / sum(keys.values()) < 0.36


def test_all_mini_sets_together_are_under_10_mb() -> None:
    folders = [load_benchmark(name).mini for name in ("mcga", "cmdar", "mcs_bench", "mcif", "xmodbench")]
    assert sum(p.stat().st_size for folder in folders for p in folder.rglob("*") if p.is_file()) < 10_000_000
