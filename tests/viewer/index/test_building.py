"""Tests of `viewer/index/building.py`: the files of a Run's index."""

from __future__ import annotations

import shutil
from pathlib import Path

import polars
import pytest

from tests.viewer.runs import manifest
from triptych.errors import DataError
from triptych.records import Item, Response, text
from triptych.store.folder import RunFolder
from triptych.store.parquet.pack import pack
from triptych.viewer.index import building
from triptych.viewer.index.building import TEXTS, build, build_scores, build_texts, journal_paths
from triptych.viewer.index.rows import search_texts


@pytest.fixture
def folder(tmp_path: Path, root: Path) -> RunFolder:
    """A Run of the test's own: 56 Items of 4 Tasks, scored by four protocols."""
    shutil.copytree(root / "xmodbench" / "random", tmp_path / "run")
    return RunFolder.open(tmp_path / "run")


@pytest.fixture
def location(tmp_path: Path) -> Path:
    (tmp_path / "index").mkdir()
    return tmp_path / "index"


def test_an_index_names_what_the_run_has_and_reads_its_journals(folder: RunFolder, location: Path) -> None:
    built = build(folder, location, "s1")
    items = list(folder.items())
    assert (built.rows, built.repeats, built.copied, built.problems) == (len(items), 1, False, [])
    assert set(built.tasks) == {item.task for item in items} and built.statuses == ["answered"]
    assert built.facets.keys() == {name for item in items for name in item.facets}
    assert list(built.metrics) == ["official", "paper", "standard", "lmms-eval"] and all(built.metrics.values())
    assert built.sizes == [(folder.path / f"{name}.jsonl").stat().st_size for name in ("items", "responses")]
    assert {path.name for path in location.iterdir()} == {
        "items-s1.parquet",
        "verdicts-s1.parquet",
        "scores-0-s1.parquet",
    }
    rows = polars.read_parquet(location / "items-s1.parquet")
    assert set(rows["item"]) == {item.id for item in items}


@pytest.mark.parametrize("fault", ["packed", "incomplete"])
def test_an_index_of_a_run_that_can_not_be_read_in_bulk_has_a_copy(
    folder: RunFolder, location: Path, fault: str
) -> None:
    whole = build(folder, location, "s1")
    if fault == "packed":
        pack(folder)
    else:
        with (folder.path / "responses.jsonl").open("ab") as file:
            file.write(b'{"item": "x", "cond')
    built = build(RunFolder.open(folder.path), location, "s2")
    assert built.copied and not whole.copied
    assert (built.rows, built.tasks, built.facets, built.metrics) == (
        whole.rows,
        whole.tasks,
        whole.facets,
        whole.metrics,
    )
    paths = journal_paths(folder, location, "s2", copied=True)
    assert [path.name for path in paths] == ["items-s2.jsonl", "responses-s2.jsonl"]
    assert built.sizes == [path.stat().st_size for path in paths]


def test_a_protocol_whose_scores_are_damaged_is_named_and_has_no_rows(folder: RunFolder, location: Path) -> None:
    folder.scores_path("official").write_text('{"unit": 1}\n', encoding="utf-8")
    built = build(folder, location, "s1")
    assert [problem.partition(":")[0] for problem in built.problems] == ["official"]
    assert built.metrics["official"] == [] and built.metrics["paper"]
    build_scores(folder, "official", location / "official.parquet")
    build_scores(folder, "paper", location / "paper.parquet")
    assert polars.read_parquet(location / "official.parquet").height == 0
    lines = folder.scores_path("paper").read_bytes().splitlines()
    assert polars.read_parquet(location / "paper.parquet").height == len(lines)
    assert not list(location.glob("*.tmp"))


def test_a_run_with_a_damaged_item_has_no_index(folder: RunFolder, location: Path) -> None:
    (folder.path / "items.jsonl").write_text('{"id": 7}\n', encoding="utf-8")
    with pytest.raises(DataError) as caught:
        build(folder, location, "s1")
    assert "items.jsonl" in str(caught.value)


@pytest.mark.parametrize("rows", [0, 1, 6, 7])
def test_texts_are_written_in_parts_with_each_row_once(
    tmp_path: Path, location: Path, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first part comes last: while it is missing, the texts are not complete."""
    monkeypatch.setattr(building, "PART", 3)
    run = RunFolder.create(tmp_path / "own", manifest())
    items = [Item(f"题 {number}", "t", (text(f"Question {number}", "question"),), target="X") for number in range(rows)]
    with run.writer() as writer:
        for item in items:
            writer.add_item(item)
            writer.add_response(Response(item.id, run.manifest.condition, 0, "answered", f"Reply of {item.id}"))
    build(run, location, "s1")
    paths = journal_paths(run, location, "s1", copied=False)
    build_texts(location / "items-s1.parquet", *paths, location / "texts-s1.parquet")
    found = [polars.read_parquet(path) for path in location.glob("texts-s1*.parquet")]
    assert len(found) == max(1, -(-rows // 3))
    by_row = {row[0]: row[1:] for frame in found for row in frame.select("n", *TEXTS).rows()}
    assert sum(frame.height for frame in found) == len(by_row) == rows
    replies = {response.item: response for response in run.responses()}
    assert set(by_row.values()) == {search_texts(item, replies[item.id]) for item in items}
