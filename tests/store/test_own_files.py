"""A Run folder from a stranger can hold links and pipes where the journals and locks should be."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.runs import manifest
from triptych.errors import DataError, RunFolderError
from triptych.records import Annotation
from triptych.scoring.queue import read_queue
from triptych.scoring.runs import load_scores, load_summary
from triptych.store.annotations import NAME, add_annotation
from triptych.store.folder import RunFolder
from triptych.store.journal import JournalWriter
from triptych.store.lock import locked
from triptych.store.own_files import open_own

WORDS = "alias ll='ls -l'\nno line break at the end"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    path = tmp_path / "bashrc"
    path.write_text(WORDS)
    (tmp_path / "run").mkdir()
    return path


@pytest.mark.parametrize("name", [NAME, ".annotations.lock"])
def test_an_annotation_changes_no_file_outside(elsewhere: Path, name: str) -> None:
    run = elsewhere.parent / "run"
    (run / name).symlink_to(elsewhere)
    with pytest.raises(RunFolderError, match="symbolic link"):
        add_annotation(run, Annotation("a", note="hm", by="Wen"))
    assert elsewhere.read_text() == WORDS


def test_a_link_to_nothing_makes_nothing(elsewhere: Path) -> None:
    (elsewhere.parent / "run" / "responses.jsonl").symlink_to(elsewhere.parent / "new")
    with pytest.raises(RunFolderError, match="symbolic link"):
        JournalWriter(elsewhere.parent / "run" / "responses.jsonl")
    assert not (elsewhere.parent / "new").exists()


def test_a_pipe_is_no_journal_and_no_lock(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".lock")
    with pytest.raises(RunFolderError, match="no file"), locked(tmp_path):
        pass
    with pytest.raises(RunFolderError, match="no file"):
        JournalWriter(tmp_path / ".lock")


def test_a_run_folder_that_is_a_link_is_the_users_own_choice(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "run").symlink_to(tmp_path / "disk")
    os.close(open_own(tmp_path / "run" / "a.jsonl"))
    assert (tmp_path / "disk" / "a.jsonl").is_file()


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("manifest.json", lambda folder: RunFolder.open(folder.path)),
        ("summary.json", load_summary),
        ("scores/official.jsonl", lambda folder: load_scores(folder, "official")),
        ("ambiguous.jsonl", lambda folder: read_queue(folder.path / "ambiguous.jsonl")),
    ],
)
def test_devices_in_a_run_are_no_files(tmp_path: Path, name: str, read: Callable[[RunFolder], object]) -> None:
    folder = RunFolder.create(tmp_path / "run", manifest())
    (folder.path / "scores").mkdir()
    (folder.path / name).unlink(missing_ok=True)
    (folder.path / name).symlink_to("/dev/null")  # /dev/zero would never end
    with pytest.raises(DataError, match="no file"):
        read(folder)
