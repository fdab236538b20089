"""Imported questions exist only in their Runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych import api
from triptych.benchmarks import known_benchmarks, load_benchmark
from triptych.errors import DataError, SpecError


def test_imported_is_no_benchmark_to_ask() -> None:
    assert "imported" not in known_benchmarks()
    with pytest.raises(DataError, match="imported has no built-in mini set"):
        api.run("imported", "baseline/random")


def test_an_imported_run_is_scored_and_not_asked_again(tmp_path: Path) -> None:
    bench = load_benchmark("imported")
    assert bench.source_files(tmp_path) == []
    with pytest.raises(SpecError, match="an imported log can't be asked again") as refused:
        list(bench.items(tmp_path))
    assert refused.value.fix == "import the log, then score or compare its Run"
