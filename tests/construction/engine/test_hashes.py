"""Raw material is hashed once; a file that may have changed, however little shows, is hashed again."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from triptych.construction.engine import hashes
from triptych.construction.engine.hashes import NAME, FileHashes
from triptych.errors import MediaError


class Clock:
    """Says an hour from now; counts how often a file is hashed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, ahead_s: float = 3600.0) -> None:
        self.read = 0
        now = hashes.time.time_ns

        def counted(*arguments: Any) -> Any:
            self.read += 1
            return hashlib.file_digest(*arguments)

        monkeypatch.setattr(hashes, "time", SimpleNamespace(time_ns=lambda: now() + round(ahead_s * 1e9)))
        monkeypatch.setattr(hashes, "hashlib", SimpleNamespace(file_digest=counted))


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film.mp4"
    path.write_bytes(b"abc")
    return path


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_a_file_is_hashed_once_over_all_builds(film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    assert [FileHashes(tmp_path).hash_file(film) for _ in range(3)] == [sha256(b"abc")] * 3
    assert clock.read == 1
    assert str(tmp_path) not in (tmp_path / NAME).read_text()


def test_another_content_of_the_same_size_and_date_is_seen(
    film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Clock(monkeypatch)
    assert FileHashes(tmp_path).hash_file(film) == sha256(b"abc")
    dates = film.stat()
    film.write_bytes(b"abd")
    os.utime(film, ns=(dates.st_atime_ns, dates.st_mtime_ns))
    assert FileHashes(tmp_path).hash_file(film) == sha256(b"abd")


def test_a_file_put_in_its_place_is_seen(film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Clock(monkeypatch)
    FileHashes(tmp_path).hash_file(film)
    dates, other = film.stat(), tmp_path / "other.mp4"
    other.write_bytes(b"xyz")
    os.utime(other, ns=(dates.st_atime_ns, dates.st_mtime_ns))
    other.replace(film)
    assert FileHashes(tmp_path).hash_file(film) == sha256(b"xyz")


def test_a_file_that_changed_a_moment_ago_is_not_remembered(
    film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch, ahead_s=0.0)
    assert FileHashes(tmp_path).hash_file(film) == FileHashes(tmp_path).hash_file(film)
    assert clock.read == 2
    assert not (tmp_path / NAME).exists()


def test_a_look_ahead_writes_nothing(film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Clock(monkeypatch)
    FileHashes(tmp_path, keep=False).hash_file(film)
    assert not (tmp_path / NAME).exists()


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MediaError, match="can't be read"):
        FileHashes(tmp_path).hash_file(tmp_path / "none")
