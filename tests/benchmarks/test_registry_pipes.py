"""Data and results come out of strangers' archives, which can hold pipes: nothing waits for what never comes."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from triptych.benchmarks import Benchmark, known_benchmarks
from triptych.errors import DataError

BENCHMARKS = sorted(known_benchmarks().values(), key=lambda b: b.name)
pytestmark = pytest.mark.parametrize("bench", BENCHMARKS, ids=lambda b: b.name)


@pytest.fixture(autouse=True)
def impatience() -> Iterator[None]:
    """Waiting for a pipe ends as a failure."""
    before = signal.signal(signal.SIGALRM, lambda *_: pytest.fail("waited for a pipe"))
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def with_pipes(folder: Path) -> None:
    for path in [p for p in folder.rglob("*") if p.is_file()]:
        path.unlink()
        os.mkfifo(path)


def test_question_files_that_are_pipes_are_no_question_files(bench: Benchmark, tmp_path: Path) -> None:
    shutil.copytree(bench.mini, tmp_path / "data")
    with_pipes(tmp_path / "data")
    assert bench.source_files(tmp_path / "data") == []
    with pytest.raises(DataError):
        list(bench.items(tmp_path / "data"))


def test_results_that_are_pipes_are_no_results(bench: Benchmark, tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    for name in ("a.json", "a.jsonl", "a.xml", "perception_vggss_audio_vision.json"):
        os.mkfifo(tmp_path / "results" / name)
    with pytest.raises(DataError):
        bench.outputs([tmp_path / "results"], None)
