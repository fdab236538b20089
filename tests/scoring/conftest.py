"""The toy benchmark, found by name; and Runs of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.scoring.toy import toy_benchmark
from triptych.benchmarks import Benchmark
from triptych.records import SCHEMA_VERSION, Item, Response, RunManifest
from triptych.store.folder import RunFolder

MakeRun = Callable[..., RunFolder]


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Benchmark:
    """The toy benchmark; `load_benchmark("toy")` finds it where scoring and reports look."""
    benchmark = toy_benchmark()
    for module in ("triptych.scoring.runs", "triptych.reports.report", "triptych.analysis.observed"):
        monkeypatch.setattr(f"{module}.load_benchmark", lambda name: benchmark)
    return benchmark


@pytest.fixture
def make_run(tmp_path: Path, toy: Benchmark) -> MakeRun:
    """Write a Run folder of the toy benchmark."""

    def make(items: Sequence[Item], responses: Sequence[Response], name: str = "run", **more: Any) -> RunFolder:
        given: dict[str, Any] = {
            "schema_version": SCHEMA_VERSION,
            "benchmark": "toy",
            "benchmark_version": "1",
            "data": "mini",
            "data_sha256": "abc",
            "tasks": ("a", "b"),
            "model": "replay/x",
            "revision": "",
            "model_settings": {},
            "conditions": (),
            "prompt": "plain",
            "decoding": {},
            "seed": 0,
            "repeats": 1,
            **more,
        }
        folder = RunFolder.create(tmp_path / name, RunManifest(**given))
        with folder.writer() as writer:
            for item in items:
                writer.add_item(item)
            for response in responses:
                writer.add_response(response)
        return folder

    return make
