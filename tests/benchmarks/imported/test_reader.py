"""Imported questions exist only in their Runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych import api
from triptych.benchmarks import known_benchmarks, load_benchmark
from triptych.errors import SpecError


def test_imported_is_no_benchmark_to_ask() -> None:
    assert "imported" not in known_benchmarks()
    for data in (None, "mini", "."):
        with pytest.raises(
            SpecError, match="can't be asked again: it holds questions and replies, but not everything"
        ) as refused:
            api.run("imported", "baseline/random", data=data)
        assert "score or compare the Run" in str(refused.value.fix)


def test_an_imported_run_is_scored_and_not_asked_again(tmp_path: Path) -> None:
    bench = load_benchmark("imported")
    assert bench.source_files(tmp_path) == []
    with pytest.raises(SpecError, match="an imported log can't be asked again") as refused:
        list(bench.items(tmp_path))
    assert "score or compare the Run that `triptych import` made" in str(refused.value.fix)
