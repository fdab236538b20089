"""Tests of `benchmarks/registry.py`: data and Tasks that are named by texts."""

from __future__ import annotations

import pytest

from triptych.benchmarks import load_benchmark
from triptych.errors import SpecError


def test_data_and_tasks_are_named_by_texts() -> None:
    bench = load_benchmark("cmdar")
    expected = [item.id for item in bench.items(bench.mini, bench.spec.select(["main"]))]
    assert [item.id for item in bench.items("mini", ["main"])] == expected
    assert [item.id for item in bench.items(str(bench.mini), ("cmdar/main",))] == expected
    assert list(bench.check("mini", ["main"])) == list(bench.check(bench.mini, bench.spec.select(["main"])))
    for wrong, said in ((["mian"], "did you mean 'main'"), ("main", "tasks must be a list"), ([None], "tasks")):
        with pytest.raises(SpecError, match=said):
            bench.items("mini", wrong)  # type: ignore[arg-type]


def test_a_task_is_not_a_benchmark() -> None:
    with pytest.raises(SpecError, match="not a Task") as error:
        load_benchmark("cmdar/main")
    assert error.value.fix == "name 'cmdar'"
    with pytest.raises(SpecError, match="no benchmark 'nosuch/main'"):
        load_benchmark("nosuch/main")
