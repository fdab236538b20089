"""Fixtures that several files of tests of `reports/terminal` share."""

from __future__ import annotations

from pathlib import Path

import pytest

import triptych


@pytest.fixture
def two(tmp_path: Path) -> list[Path]:
    """Runs of two benchmarks: a Run of all questions and one of a part."""
    made = []
    for benchmark in ("cmdar", "mcs_bench"):
        for model, limit in (("baseline/reference", None), ("baseline/random", 1)):
            place = tmp_path / benchmark / model.partition("/")[2]
            triptych.run(benchmark, model, limit=limit, out=place)
            made.append(place)
    return made
