"""Tests of `store/files/atomic.py`: atomic file writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.errors import RunFolderError
from triptych.store.files.atomic import write_atomically


def test_writing_atomically_replaces_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "scores.jsonl"
    write_atomically(path, b"one")
    write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert [p.name for p in path.parent.iterdir()] == ["scores.jsonl"]
    with pytest.raises(RunFolderError, match="can't be written"):
        write_atomically(path / "below a file", b"")
