"""The index: as much as the Run holds, made anew when it changes, and never in the Run itself."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import msgspec
import pytest

from triptych.errors import DataError
from triptych.records import Response
from triptych.store.folder import RunFolder
from triptych.store.parquet.pack import pack
from triptych.viewer.index import files as module
from triptych.viewer.index.database import Database
from triptych.viewer.index.files import RunIndex, make_ahead, open_index
from triptych.viewer.index.query import Questions, read_filter


@pytest.fixture
def folder(tmp_path: Path, root: Path) -> RunFolder:
    """A Run of the test's own."""
    shutil.copytree(root / "xmodbench" / "random", tmp_path / "run")
    return RunFolder.open(tmp_path / "run")


def rows(index: RunIndex) -> list[dict[str, object]]:
    found = Questions(index).page(read_filter({}, index), 1)
    places = ("item_start", "reply_start")  # where the records are in the files, which is not what a page shows
    return [{name: value for name, value in row.items() if name not in places} for row in found]


def test_it_holds_what_the_run_holds(folder: RunFolder, tmp_path: Path) -> None:
    contents = open_index(folder, tmp_path / "home").contents
    items = list(folder.items())
    assert contents.rows == len(items) == 56
    assert contents.tasks == sorted({item.task for item in items})
    assert contents.facets["direction"] == sorted({item.facets["direction"] for item in items})
    assert list(contents.metrics) == ["official", "paper", "standard", "lmms-eval"]
    assert contents.statuses == ["answered"]


def test_it_leaves_the_run_as_it_was(folder: RunFolder, tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.path.rglob("*")}
    open_index(folder, tmp_path / "home")
    assert {path: path.stat().st_mtime_ns for path in folder.path.rglob("*")} == before


def test_it_is_made_once(folder: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = open_index(folder, tmp_path / "home")
    monkeypatch.setattr(module, "_make", lambda *_: pytest.fail("made again"))
    assert open_index(folder, tmp_path / "home").contents == first.contents


def test_a_new_reply_is_seen(folder: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOCK_TIMEOUT_S", 0.0)
    monkeypatch.setattr(module, "GRACE_S", -1.0)
    item = str(rows(open_index(folder, tmp_path / "home"))[0]["item"])
    with folder.writer() as writer:
        writer.add_response(Response(item, "", 0, "refused", "never mind"))
    index = open_index(folder, tmp_path / "home")
    assert rows(index)[0]["reply"] == "never mind"
    assert index.contents.statuses == ["answered", "refused"]
    assert {path.stem.rpartition("-")[2] for path in index.path.glob("*.parquet")} == {index.contents.stamp}


def test_a_run_that_goes_on_is_not_read_anew_at_every_look(folder: RunFolder, tmp_path: Path) -> None:
    first = open_index(folder, tmp_path / "home")
    os.utime(folder.path / "responses.jsonl")
    assert open_index(folder, tmp_path / "home").contents.stamp == first.contents.stamp


def test_a_packed_run_reads_the_same(folder: RunFolder, tmp_path: Path) -> None:
    before = rows(open_index(folder, tmp_path / "one"))
    pack(folder)
    assert rows(open_index(folder, tmp_path / "two")) == before


def test_damaged_scores_are_told_and_damaged_items_raise(folder: RunFolder, tmp_path: Path) -> None:
    folder.scores_path("paper").write_text("{", encoding="utf-8")
    contents = open_index(folder, tmp_path / "one").contents
    assert contents.problems == ["paper: the Scores can't be read"]
    assert contents.metrics["paper"] == []
    (folder.path / "items.jsonl").write_text("{}\n{}\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"items\.jsonl:1"):
        open_index(folder, tmp_path / "two")


def test_a_run_without_anything_yet(tmp_path: Path, folder: RunFolder) -> None:
    empty = RunFolder.create(tmp_path / "empty", folder.manifest)
    index = open_index(empty, tmp_path / "home")
    assert index.contents.rows == 0
    assert rows(index) == []
    assert Questions(index).counts(read_filter({}, index)) == {}


def test_old_indexes_are_thrown_away(folder: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_INDEXES", 2)
    monkeypatch.setattr(module, "GRACE_S", -1.0)
    for number in range(4):
        shutil.copytree(folder.path, tmp_path / str(number))
        open_index(RunFolder.open(tmp_path / str(number)), tmp_path / "home")
    assert len(list((tmp_path / "home").iterdir())) == 2


def test_indexes_are_made_ahead(tmp_path: Path, folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest Runs first; one that can't be read keeps none of the others from it."""
    monkeypatch.setenv("TRIPTYCH_CACHE", str(tmp_path / "cache"))
    broken = RunFolder.create(tmp_path / "broken", folder.manifest)
    (broken.path / "items.jsonl").write_text("{}\n{}\n", encoding="utf-8")
    make_ahead([broken, folder])
    made = list((tmp_path / "cache" / "view").glob("*/contents.json"))
    assert len(made) == 1
    assert open_index(folder).path == made[0].parent


def test_an_index_that_a_page_may_be_reading_stays(
    folder: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread makes the index anew, or makes many others, while a page reads the one that it found."""
    monkeypatch.setattr(module, "LOCK_TIMEOUT_S", 0.0)
    monkeypatch.setattr(module, "MAX_INDEXES", 1)
    found = open_index(folder, tmp_path / "home")
    item = str(rows(found)[0]["item"])
    with folder.writer() as writer:
        writer.add_response(Response(item, "", 0, "refused", "never mind"))
    assert open_index(folder, tmp_path / "home").contents.stamp != found.contents.stamp
    shutil.copytree(folder.path, tmp_path / "another")
    open_index(RunFolder.open(tmp_path / "another"), tmp_path / "home")
    assert rows(found)[0]["item"] == item


def test_what_is_shown_is_the_runs_own_record(folder: RunFolder, tmp_path: Path) -> None:
    """An index whose file says something else (damaged, or made by somebody) leads to an error, not to its word."""
    index = open_index(folder, tmp_path / "home")
    with Database(index.path) as base:
        other = "SELECT * REPLACE (lead(item_start, 1, 0) OVER (ORDER BY n) AS item_start) FROM read_parquet(?)"
        base.write(tmp_path / "other.parquet", other, [str(index.file("items"))])
    shutil.copy(tmp_path / "other.parquet", index.file("items"))
    with pytest.raises(DataError, match="were changed while the page was made"):
        rows(index)


def test_a_journal_that_was_rewritten_is_read_again(folder: RunFolder, tmp_path: Path) -> None:
    """Positions in a file that became shorter mean nothing, however young the index is."""
    first = open_index(folder, tmp_path / "home")
    lines = (folder.path / "items.jsonl").read_bytes().splitlines(keepends=True)
    (folder.path / "items.jsonl").write_bytes(b"".join(lines[1:]))
    assert open_index(folder, tmp_path / "home").contents.rows == first.contents.rows - 1


@pytest.mark.parametrize("ending", [b'{"id":"x","ta', b"\n"])
def test_an_incomplete_or_odd_last_line_is_left_out(folder: RunFolder, tmp_path: Path, ending: bytes) -> None:
    before = rows(open_index(folder, tmp_path / "one"))
    with (folder.path / "items.jsonl").open("ab") as file:
        file.write(ending)
    assert rows(open_index(folder, tmp_path / "two")) == before


def test_of_two_lines_about_an_item_the_later_counts(folder: RunFolder, tmp_path: Path) -> None:
    item = next(folder.items())
    with (folder.path / "responses.jsonl").open("ab") as file:
        for condition, text in (("", "first"), ("z", "of the last condition"), ("", "later")):
            file.write(msgspec.json.encode(Response(item.id, condition, 0, "answered", text)) + b"\n")
    shown = {row["item"]: row["reply"] for row in rows(open_index(folder, tmp_path / "home"))}
    wanted = {response.item: response.text for response in folder.responses()}
    assert shown[item.id] == wanted[item.id] == "of the last condition"


def test_repeats_that_nobody_was_asked_are_no_rows_where_their_number_differs(
    folder: RunFolder, tmp_path: Path
) -> None:
    uneven = folder.rewrite(msgspec.structs.replace(folder.manifest, repeats=3, uneven=True))
    item = next(folder.items()).id
    with uneven.writer() as writer:
        writer.add_response(Response(item, "", 2, "answered", "B"))
    index = open_index(uneven, tmp_path / "home")
    assert index.contents.rows == 57
    assert index.contents.statuses == ["answered"]
