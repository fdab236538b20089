"""Tests of `construction/recipes/_xmodbench_release.py`: XModBench's released format."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from tests.construction.recipes.test_xmodbench import said
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.xmodbench.names import DIRECTIONS
from triptych.construction.recipes._xmodbench_release import row_of, rows_json
from triptych.models import speech


@pytest.fixture(autouse=True)
def speaker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech.Speaker, "speak", lambda self, text, voice: said(text + voice))


@pytest.mark.slow
def test_released_files_round_trip_through_reader_and_writer(tmp_path, shared_data):
    bench = load_benchmark("xmodbench")
    spec = bench.spec
    wanted = [task for task in spec.tasks if task.id.rpartition("/")[2] in DIRECTIONS]
    source = shared_data / "xmodbench"
    if not (source / "released_questions.tar.xz").is_file():
        pytest.skip("the released question files are not here")
    by_task: dict[str, list[Any]] = defaultdict(list)
    for item in bench.items(source, wanted):
        by_task[item.task.partition("/")[2]].append(item)
    files = {task.id: task.files[0] for task in wanted}
    for task, items in by_task.items():
        sets = [{"source_instance": "x"} if item.instance.count("/") == 3 else None for item in items]
        path = tmp_path / files[task]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(rows_json([row_of(item, extra=extra) for item, extra in zip(items, sets, strict=True)]))
    again: dict[str, list[Any]] = defaultdict(list)
    for item in bench.items(tmp_path, wanted):
        again[item.task.partition("/")[2]].append(item)
    assert by_task.keys() == again.keys() and sum(map(len, by_task.values())) > 60_000
    for task, items in by_task.items():
        assert again[task] == items, task
