"""Scores are out of date if a file that they were computed from has another content, and only then."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

import pytest

from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response
from triptych.scoring.stored.sources import sources, unchanged
from triptych.store.folder import RunFolder


@pytest.fixture
def run(make_run: MakeRun) -> RunFolder:
    return make_run([item("1"), item("2")], [response("1"), response("2", "乙")])


def test_items_responses_verdicts_and_the_queue_are_sources_and_nothing_else(run: RunFolder) -> None:
    run.verdicts_path.mkdir()
    for name in ("verdicts/judge.jsonl", "verdicts/panel.json", "ambiguous.jsonl", "notes.txt", "verdicts/notes.txt"):
        (run.path / name).write_bytes(b"{}\n")
    (run.path / "responses.d").mkdir()
    read = sources(run)
    assert set(read) == {
        "responses.jsonl",
        "items.jsonl",
        *(f"{run.verdicts_path.name}/{name}" for name in ("judge.jsonl", "panel.json")),
        "ambiguous.jsonl",
    }


def test_a_source_has_the_size_and_the_hash_of_its_content(run: RunFolder) -> None:
    content = (run.path / "responses.jsonl").read_bytes()
    read = sources(run)["responses.jsonl"]
    assert (read.size, read.sha256) == (len(content), hashlib.sha256(content).hexdigest()[:32])


def test_an_empty_file_and_one_of_several_blocks_have_their_hash(run: RunFolder) -> None:
    content = b"0123456789abcdef" * 200_000  # 3.2 MB: more than a block, and no multiple of one
    (run.path / "items.jsonl").write_bytes(content)
    (run.path / "responses.jsonl").write_bytes(b"")
    read = sources(run)
    assert read["items.jsonl"].sha256 == hashlib.sha256(content).hexdigest()[:32]
    assert read["responses.jsonl"].sha256 == hashlib.sha256(b"").hexdigest()[:32]
    assert unchanged(run, read)


def test_the_same_content_at_another_time_or_in_a_copy_is_unchanged(run: RunFolder, tmp_path: Path) -> None:
    read = sources(run)
    os.utime(run.path / "responses.jsonl", (1, 1))
    assert unchanged(run, read)
    shutil.copytree(run.path, tmp_path / "copy", copy_function=shutil.copyfile)
    assert unchanged(RunFolder.open(tmp_path / "copy"), read)


@pytest.mark.parametrize(
    "change",
    [
        lambda path: (path / "responses.jsonl").open("ab").write(b"\n"),
        lambda path: (path / "items.jsonl").write_bytes((path / "items.jsonl").read_bytes()[:-1]),
        lambda path: (path / "responses.jsonl").unlink(),
        lambda path: (path / "responses.parquet").write_bytes(b"PAR1"),
        lambda path: (path / "ambiguous.jsonl").write_bytes(b""),
    ],
    ids=["longer", "shorter", "gone", "packed too", "a queue"],
)
def test_files_that_grow_shrink_go_and_come_are_a_change(run: RunFolder, change: object) -> None:
    read = sources(run)
    change(run.path)  # type: ignore[operator]
    assert not unchanged(run, read)


def test_another_content_of_the_same_size_is_a_change(run: RunFolder) -> None:
    read, path = sources(run), run.path / "responses.jsonl"
    path.write_bytes(path.read_bytes().replace("乙".encode(), "丙".encode()))
    os.utime(path, (1, 1))
    assert not unchanged(run, read)
