"""Question files in the archive that they were released in: an archive is a stranger's."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from triptych.benchmarks.xmodbench import files
from triptych.errors import DataError


def archive(folder: Path, content: bytes) -> Path:
    with tarfile.open(folder / files.ARCHIVE, "w:xz") as tar:
        member = tarfile.TarInfo("tasks/01_perception/general/a.json")
        member.size = len(content)
        tar.addfile(member, io.BytesIO(content))
    return folder / files.ARCHIVE


def test_a_small_archive_of_large_files_does_not_fill_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 1000)
    archive(tmp_path, b" " * 1001)
    with pytest.raises(DataError, match="too large"):
        files.QuestionFiles(tmp_path).names()
    archive(tmp_path, b" " * 1000)
    assert len(files.QuestionFiles(tmp_path).names()) == 1


def test_a_damaged_archive_is_told(tmp_path: Path) -> None:
    content = bytearray(archive(tmp_path, bytes(range(256)) * 40).read_bytes())
    content[60] ^= 0x55
    (tmp_path / files.ARCHIVE).write_bytes(content)
    with pytest.raises(DataError, match="can't be read"):
        files.QuestionFiles(tmp_path).names()


def test_an_archive_that_was_replaced_is_read_again(tmp_path: Path) -> None:
    """What was unpacked is kept from one reader to the next, but only as long as the archive is the same file."""
    name = "tasks/01_perception/general/a.json"
    for content in (b"[1]", b"[2]"):
        archive(tmp_path, content)
        assert files.QuestionFiles(tmp_path).read(name) == content
        assert files.QuestionFiles(tmp_path).read(name) == content
