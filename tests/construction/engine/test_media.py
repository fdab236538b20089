"""Tests of `construction/engine/media.py`: the media of a build."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from triptych.construction.engine.media import MediaStore, media_values
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


def test_the_same_bytes_are_stored_once_under_their_hash(tmp_path: Path) -> None:
    store = MediaStore(tmp_path)
    (tmp_path / "A.WAV").write_bytes(b"sound")
    value = store.put(b"sound", "wav")
    digest = hashlib.sha256(b"sound").hexdigest()
    assert value == f"media/{digest[:2]}/{digest}.wav" == store.add(tmp_path / "A.WAV") == store.put(b"sound", "wav")
    assert store.path(value).read_bytes() == b"sound"
    assert store.put(b"sound", "ogg") != value and len(list((tmp_path / "media").glob("*/*"))) == 2
    (tmp_path / "bare").write_bytes(b"x")
    assert store.add(tmp_path / "bare").endswith(".bin")


@pytest.mark.parametrize("extension", ["", "toolong", "w.v", "../x", "WAV", "音"])
def test_an_extension_has_one_to_five_letters_or_digits(tmp_path: Path, extension: str) -> None:
    with pytest.raises(MediaError, match="file extension"):
        MediaStore(tmp_path).put(b"x", extension)
    assert not (tmp_path / "media").exists()


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(MediaError, match="can't be read") as error:
        MediaStore(tmp_path).add(tmp_path / "gone.wav")
    assert "gone.wav" in str(error.value)


@pytest.mark.parametrize(
    "value",
    ["media/ab/ab.wav", "../secret", "/etc/passwd", "", f"media/ab/ab{'0' * 62}.wav", f"media/cd/{'ab' * 32}.wav"],
)
def test_what_names_no_medium_of_the_build_has_no_path(tmp_path: Path, value: str) -> None:
    with pytest.raises(DataError, match="no media of this build"):
        MediaStore(tmp_path).path(value)


def test_a_released_file_has_the_same_content_and_changes_nothing_in_the_store(tmp_path: Path) -> None:
    store = MediaStore(tmp_path / "build")
    value = store.put(b"sound", "wav")
    store.release(value, tmp_path / "out.wav")
    assert (tmp_path / "out.wav").read_bytes() == b"sound"
    assert (tmp_path / "out.wav").stat().st_mode & 0o222 == 0 or os.name != "posix"
    (tmp_path / "out.wav").unlink()
    assert store.path(value).read_bytes() == b"sound"


def test_a_file_system_without_links_gets_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise OSError("not supported")

    monkeypatch.setattr(os, "link", no_links)
    store = MediaStore(tmp_path / "build")
    value = store.put(b"sound", "wav")
    store.release(value, tmp_path / "out.wav")
    assert (tmp_path / "out.wav").read_bytes() == b"sound"
    assert (tmp_path / "out.wav").stat().st_ino != store.path(value).stat().st_ino


def test_all_media_but_those_kept_are_removed_and_nothing_else(tmp_path: Path) -> None:
    store = MediaStore(tmp_path)
    kept, gone = store.put(b"kept", "wav"), store.put(b"gone", "wav")
    foreign = (tmp_path / gone).with_name("notes.txt")
    foreign.write_text("mine")
    assert store.forget([kept, "media/ab/never.wav"]) == [gone]
    assert store.path(kept).is_file() and not (tmp_path / gone).exists() and foreign.read_text() == "mine"
    assert store.forget([kept]) == []


def test_media_are_found_at_any_depth_of_a_field(tmp_path: Path) -> None:
    one, two = (MediaStore(tmp_path).put(content, "wav") for content in (b"1", b"2"))
    field = {"a": [one, {"b": (two, None, 3)}], "text": f"see {one}", one: "a key is no value"}
    assert list(media_values(field)) == [one, two]
    assert list(media_values(None)) == list(media_values("media/ab/x.wav")) == []
