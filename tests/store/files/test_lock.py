"""Tests of `store/files/lock.py`: one writer per Run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from triptych.errors import RunFolderError
from triptych.store.files.lock import locked
from triptych.store.journals.journal import JournalWriter


def test_a_pipe_is_no_journal_and_no_lock(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".lock")
    with pytest.raises(RunFolderError, match="not a regular file"), locked(tmp_path):
        pass
    with pytest.raises(RunFolderError, match="not a regular file"):
        JournalWriter(tmp_path / ".lock")
