"""Tests of `construction/engine/media.py`: the media of a build."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.construction.engine.media import MediaStore
from triptych.errors import DataError, MediaError


def test_media_of_another_folder_are_not_erased_through_a_link(tmp_path: Path) -> None:
    other, own = MediaStore(tmp_path / "other"), tmp_path / "own"
    value = other.put(b"sound", "wav")
    own.mkdir()
    (own / "build.json").write_text("{}")
    (own / "media").symlink_to(tmp_path / "other/media")
    with pytest.raises(MediaError, match="symbolic link"):
        MediaStore(own).forget([])
    assert other.path(value).is_file()


def test_media_that_are_links_out_of_the_build_are_not_read(tmp_path: Path) -> None:
    private = tmp_path / "private.wav"
    private.write_bytes(b"mine")
    store = MediaStore(tmp_path / "build")
    value = store.put(b"sound", "wav")
    (tmp_path / "build" / value).unlink()
    (tmp_path / "build" / value).symlink_to(private)
    with pytest.raises(DataError, match="not part of this build"):
        store.path(value)
