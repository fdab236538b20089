"""Tests of `store/files/lock.py`: one writer per Run."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from triptych.errors import RunFolderError
from triptych.store.files import lock
from triptych.store.files.lock import locked
from triptych.store.journals.journal import JournalWriter


def test_a_pipe_is_no_journal_and_no_lock(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".lock")
    with pytest.raises(RunFolderError, match="not a regular file"), locked(tmp_path):
        pass
    with pytest.raises(RunFolderError, match="not a regular file"):
        JournalWriter(tmp_path / ".lock")


def test_the_lock_of_a_folder_of_others_says_to_work_on_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(lock, "open_own", refuse)
    with pytest.raises(RunFolderError, match="work on a copy: cp -r"), locked(tmp_path / "a b"):
        pass


def test_on_a_full_disk_a_lock_holds_without_its_holders_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", refuse)
    with locked(tmp_path), pytest.raises(RunFolderError, match="another process"), locked(tmp_path):
        pass
