"""Tests of `benchmarks/xmodbench/paper_lite.py`: A draw of our own in the sizes of the paper's Table 4."""

from __future__ import annotations

from collections import Counter

import pytest

from triptych.benchmarks import Benchmark
from triptych.benchmarks.xmodbench.names import DIRECTIONS, FAMILIES, SUBTASKS
from triptych.benchmarks.xmodbench.paper_lite import paper_lite, shares
from triptych.errors import SpecError
from triptych.records import Item


def test_shares_are_even_and_small_subtasks_give_what_they_have() -> None:
    assert shares({"a": 500, "b": 500, "c": 500}, 200) == {"a": 66, "b": 67, "c": 67}
    assert shares({"a": 500, "b": 10, "c": 500}, 200) == {"b": 10, "a": 95, "c": 95}
    assert shares({"a": 3}, 200) == {"a": 3}
    assert shares({}, 200) == {}


def fake_item(subtask: str, direction: str, index: int) -> Item:
    task = f"xmodbench/{next(f for f, s in SUBTASKS if s == subtask)}/{subtask}/{direction}"
    return Item(id=f"{task}/{index}", task=task, parts=(), instance=f"{subtask}/{index}")


def test_lite_takes_the_same_instances_in_every_direction_whatever_the_order() -> None:
    subtasks = FAMILIES["spatial"]
    items = [fake_item(s, d, i) for s in subtasks for d in DIRECTIONS for i in range(50)]
    sample = list(paper_lite(items, 30))
    assert Counter(i.task.rpartition("/")[2] for i in sample) == dict.fromkeys(DIRECTIONS, 30)
    instances = {d: {i.instance for i in sample if i.task.endswith(d)} for d in DIRECTIONS}
    assert len({frozenset(v) for v in instances.values()}) == 1
    assert {i.id for i in paper_lite(reversed(items), 30)} == {i.id for i in sample}
    assert [i.id for i in sample] == [i.id for i in items if i.id in {s.id for s in sample}]


def test_the_mini_set_has_no_lite(bench: Benchmark) -> None:
    """Its questions have the ids of others, so a list of ids would choose some of them at random."""
    with pytest.raises(SpecError, match="mini set"):
        list(bench.sample("lite", bench.items(bench.mini), bench.mini))
    assert list(bench.sample("paper-lite", bench.items(bench.mini), bench.mini))
