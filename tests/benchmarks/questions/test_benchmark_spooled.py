"""Tests of `benchmarks/questions`: benchmark spooled."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from tests.store.test_spooled import a_row, loaded, written
from triptych.benchmarks import own_questions
from triptych.benchmarks._questions.benchmark import QuestionFileBenchmark
from triptych.errors import DataError
from triptych.store import spooled


def test_a_long_file_gives_what_a_short_one_would(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [a_row(n, category=f"c{n % 3}") for n in range(30)]
    rows[7]["id"] = rows[22]["id"] = rows[2]["id"]  # the same id in several blocks
    rows[11]["answer"], rows[14]["C"], rows[19]["question"] = "Z", rows[14]["A"], ""
    path = written(tmp_path / "q.jsonl", rows)
    in_memory = loaded(path)
    monkeypatch.setattr(spooled, "BLOCK", 3)
    monkeypatch.setattr(spooled, "IN_MEMORY", 2)
    on_disk = loaded(path)
    assert list(on_disk.items) == list(in_memory.items) and len(on_disk.items) == 25
    assert on_disk.problems == in_memory.problems and on_disk.columns == in_memory.columns
    doubled = [problem for problem in on_disk.problems if problem.kind == "duplicate-id"]
    assert [problem.message for problem in doubled] == ["'q2' is also the id of line 3"] * 2
    with pytest.raises(DataError, match="5 faults"):
        QuestionFileBenchmark.require_sound(own_questions(str(path)), tmp_path)  # type: ignore[arg-type]


def test_memory_does_not_grow_with_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spooled, "BLOCK", 20)
    monkeypatch.setattr(spooled, "IN_MEMORY", 1000)
    path = written(tmp_path / "q.jsonl", [a_row(n, context="x" * 3000) for n in range(1000)])
    loaded(written(tmp_path / "first.jsonl", [a_row(0)]))  # what is imported and compiled once
    tracemalloc.start()
    kept = loaded(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(kept.items) == 1000
    assert peak < path.stat().st_size / 2, "the rows alone are as large as the file"
