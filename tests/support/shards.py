"""Runs of the two Tasks of one benchmark, and what is the same in two of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import triptych


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The two Tasks of one benchmark, asked in a Run each."""
    root = tmp_path_factory.mktemp("asked")
    for name, task in (("one", "cmdar/main"), ("two", "cmdar/multi")):
        triptych.run(task, "baseline/first", out=root / name)
    return root


@pytest.fixture
def shards(asked: Path, tmp_path: Path) -> list[Path]:
    """Copies of the two Runs, which a test may change."""
    return [Path(shutil.copytree(asked / name, tmp_path / name)) for name in ("one", "two")]


def listing(folder: Path) -> dict[str, bytes]:
    """The content of each file of a folder."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def figures(run: Path) -> list[object]:
    """All figures of a Run."""
    return [(a.task, a.metric, a.slice, a.value, a.n) for scores in triptych.score(run).values() for a in scores]
