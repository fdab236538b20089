"""A Run as a dataset folder: every Item and repeat as a row, and a card."""

from __future__ import annotations

import json
from pathlib import Path

import polars
import pytest
from msgspec import structs

from triptych.interchange import dataset
from triptych.interchange.dataset import write_dataset
from triptych.interchange.exports import export_run
from triptych.interchange.samples import ScoredRun
from triptych.store.folder import RunFolder


def test_a_dataset_folder_has_every_item_and_a_card(run: RunFolder, tmp_path: Path) -> None:
    export_run(run, "dataset", tmp_path)
    rows = polars.read_parquet(tmp_path / "data" / "test-00000.parquet")
    assert rows.height == 2 * len(list(run.items()))
    assert set(rows["status"]) == {"answered"}
    first = rows.row(0, named=True)
    assert len(first["choices"]) == 4 and json.loads(first["scores"])["acc"]["status"] == "scored"
    card = (tmp_path / "README.md").read_text()
    assert card.startswith("---\n") and 'path: "data/test-*.parquet"' in card and "95% interval" in card


def test_rows_say_what_was_asked_and_answered_and_media_are_only_named(run: RunFolder, tmp_path: Path) -> None:
    write_dataset(ScoredRun.from_folder(run), tmp_path)
    rows = polars.read_parquet(tmp_path / "data" / "test-00000.parquet").to_dicts()
    for row, one in zip(rows, ScoredRun.from_folder(run).samples(), strict=True):
        assert (row["id"], row["task"], row["repeat"]) == (one.item.id, one.item.task, one.repeat)
        assert one.response is not None and row["reply"] == one.response.text and row["target"] == one.target
        media = [(part.kind, part.path) for part in one.item.all_parts if part.is_media]
        assert [(each["kind"], each["path"]) for each in json.loads(row["media"])] == media
        assert json.loads(row["facets"]) == one.item.facets
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} == {
        "README.md",
        "manifest.json",
        "test-00000.parquet",
    }
    assert json.loads((tmp_path / "manifest.json").read_text("utf-8"))["model"] == run.manifest.model


def test_many_rows_are_several_files_that_the_card_names(
    run: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dataset, "_ROWS", 5)
    number = len(list(ScoredRun.from_folder(run).samples()))
    files = [path for path in write_dataset(ScoredRun.from_folder(run), tmp_path) if path.suffix == ".parquet"]
    heights = [polars.read_parquet(path).height for path in files]
    assert [path.name for path in files] == [f"test-{n:05d}.parquet" for n in range(len(files))]
    assert sum(heights) == number and max(heights) == 5 and len(files) == -(-number // 5)


def test_questions_without_a_reply_have_rows(run: RunFolder, tmp_path: Path) -> None:
    lost = RunFolder.create(tmp_path / "lost", run.manifest)
    with lost.writer() as writer:
        writer.add_item(next(iter(run.items())))
    write_dataset(ScoredRun.from_folder(lost), tmp_path / "one")
    table = polars.read_parquet(tmp_path / "one" / "data" / "test-00000.parquet")
    assert table["status"].to_list() == ["missing"] * 2 and table["reply"].to_list() == [None] * 2
    nothing = RunFolder.create(tmp_path / "nothing", run.manifest)
    with nothing.writer() as writer:
        writer.sync()
    (file, *_) = write_dataset(ScoredRun.from_folder(nothing), tmp_path / "two")
    assert polars.read_parquet(file).shape == (0, len(table.columns)), "an empty table with the same columns"


def test_no_name_of_a_model_can_end_the_cards_markup(run: RunFolder, tmp_path: Path) -> None:
    evil = 'm`|\n---\n# "owned"'
    folder = RunFolder.create(tmp_path / "run", structs.replace(run.manifest, model=evil))
    with folder.writer() as writer:
        writer.add_item(next(iter(run.items())))
    write_dataset(ScoredRun.from_folder(folder), tmp_path / "to")
    lines = (tmp_path / "to" / "README.md").read_text("utf-8").splitlines()
    assert lines.count("---") == 2 and '# "owned"' not in lines
    assert len([line for line in lines if line.startswith("# ")]) == 1
