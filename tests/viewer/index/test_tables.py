"""Tests of `viewer/index/tables.py`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import triptych
from triptych.errors import DataError
from triptych.store.folder import RunFolder
from triptych.viewer.index import tables
from triptych.viewer.index.database import Database

pytest.importorskip("polars")


def columns_of(run: Path) -> tuple[int, list[str]]:
    """Rows and columns of a Run's table of Items."""
    to, repeats = run.parent / "items.parquet", RunFolder.open(run).manifest.repeats
    with Database(run.parent) as base:
        found = tables.item_table(base, run / "items.jsonl", run / "responses.jsonl", repeats, to)
        names = base.run("SELECT column_name FROM (DESCRIBE SELECT * FROM read_parquet(?))", [str(to)])
    return found.rows, [name for (name,) in names]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    triptych.run("cmdar/main", "baseline/random", limit=3, seed=1, out=tmp_path / "run")
    return tmp_path / "run"


def test_repeats_that_nobody_asked_are_bounded(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = json.loads((run / "manifest.json").read_text("utf-8"))
    (run / "manifest.json").write_text(json.dumps({**manifest, "repeats": 1000}), "utf-8")
    items = len(list(RunFolder.open(run).items()))
    assert columns_of(run)[0] == 1000 * items
    monkeypatch.setattr(tables, "MAX_INDEXED", 1000 * items - 1)
    with pytest.raises(DataError, match="described by its manifest"):
        columns_of(run)


def test_facets_without_number_are_not_all_columns(run: Path) -> None:
    items = [json.loads(line) for line in (run / "items.jsonl").read_text("utf-8").splitlines()]
    items[0]["facets"] = {f"f{number}": "x" * 10_000 for number in range(tables.MAX_FACETS + 50)}
    (run / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    names = columns_of(run)[1]
    assert sum(name.startswith(tables.FACET) for name in names) == tables.MAX_FACETS
