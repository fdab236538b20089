"""Cells of a question file name media by paths, bare names, lists and dictionaries; nothing outside is ever opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.questions.test_items_released_columns import head
from triptych.benchmarks._questions import media_cells
from triptych.benchmarks._questions.media_cells import (
    Folder,
    Named,
    conversion,
    files_in_cell,
    is_address,
    kind_by_column,
    kind_of,
)
from triptych.errors import DataError
from triptych.media.payload import MIME_TYPES


@pytest.mark.parametrize(
    ("cell", "column", "named"),
    [
        ("audio/01.WAV", "x", [Named("audio", "audio/01.WAV")]),
        (" clip.mp4 ", "x", [Named("video", "clip.mp4")]),
        ("3fa85f64", "video_id", [Named("video", "3fa85f64")]),
        (17, "image", [Named("image", "17")]),
        ("noise", "question", [Named(None, "noise")]),
        ('["a.wav", "b.jpg"]', "media", [Named("audio", "a.wav"), Named("image", "b.jpg")]),
        ({"type": "image_url", "url": "pics/1"}, "x", [Named("image", "pics/1")]),
        ({"Modality": "Speech", "input": "s1"}, "x", [Named("audio", "s1")]),
        (
            {"path": "t.mp3", "start": 0, "end_time": "12.5"},
            "x",
            [Named("audio", "t.mp3", (0, "12.5"))],
        ),
        ([[], None, "", ["a.ogg"]], "x", [Named("audio", "a.ogg")]),
        (None, "audio", []),
        ("  ", "audio", []),
    ],
)
def test_what_a_cell_names(cell: Any, column: str, named: list[Named]) -> None:
    assert files_in_cell(cell, column) == named


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ({"embedded file": 1}, "the embedded file (1 byte) is not audio"),
        ({"embedded file": 2048}, "the embedded file (2,048 bytes) is not audio"),
        ({"caption": "a dog"}, "no path among caption"),
        ("line\nline", "neither a path nor the name of a file"),
        ("x" * 1000, "neither a path nor the name of a file"),
        (3.5, "neither a path nor the name of a file"),
    ],
)
def test_what_names_no_file_is_said_in_words(cell: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words.replace("(", r"\(").replace(")", r"\)")):
        files_in_cell(cell)


def test_kinds_follow_from_endings_and_from_columns_that_name_one() -> None:
    assert [kind_of(name) for name in ("a.FLAC", "b.jpeg", "c.webm", "d.txt", "mp4", "x.mp4?t=3", "")] == [
        "audio",
        "image",
        "video",
        None,
        None,
        "video",
        None,
    ]
    names = ("audioPath", "image_1", "videoID", "clip2", "audio_video", "media", "Audio 1")
    assert [kind_by_column(name) for name in names] == ["audio", "image", "video", "video", None, None, "audio"]


def test_an_address_is_told_from_a_windows_path() -> None:
    assert all(map(is_address, ("https://x.org/a.wav", "s3://b/a", "data:audio/wav;base64,AA", "file:///etc/passwd")))
    assert not any(map(is_address, ("C:\\a.wav", "d:/a.wav", "a.wav", "a/b:c.wav", "1:2.wav")))


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    root = tmp_path / "media"
    for name in ("audio/01.wav", "video/01.mp4", "deep/er/clip.mp4", "v1_video.mp4", "v1_audio.wav", "twice/x.wav"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(head(name))
    (root / "more/twice").mkdir(parents=True)
    (root / "more/twice/x.wav").write_bytes(head("x.wav"))
    (root / "empty.wav").write_bytes(b"")
    (root / "notes.txt").write_text("x", encoding="utf-8")
    (tmp_path / "secret.wav").write_bytes(head("x.wav"))
    return Folder(root)


@pytest.mark.parametrize(
    ("named", "path"),
    [
        (Named("audio", "audio/01.wav"), "audio/01.wav"),
        (Named("audio", "./audio\\01.wav"), "audio/01.wav"),
        (Named("video", "clip.mp4"), "deep/er/clip.mp4"),
        (Named("video", "er/clip"), "deep/er/clip.mp4"),
        (Named("audio", "01"), "audio/01.wav"),
        (Named("video", "01"), "video/01.mp4"),
        (Named("video", "v1"), "v1_video.mp4"),
        (Named("audio", "v1"), "v1_audio.wav"),
        (Named(None, "more/twice/x.wav"), "more/twice/x.wav"),
    ],
)
def test_a_file_is_found_by_its_path_its_end_or_its_bare_name(folder: Folder, named: Named, path: str) -> None:
    assert folder.find(named) == path


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("https://x.org/a.wav", "is an address; media are never downloaded"),
        ("../secret.wav", "leads out of the folder"),
        ("/etc/passwd", "leads out of the folder"),
        ("a\0.wav", "leads out of the folder"),
        ("empty.wav", "is an empty file"),
        ("none.wav", "no file 'none.wav' below"),
        ("01", "2 files could be '01': "),
        ("x", "2 files could be 'x': "),
        ("notes.txt", "no file 'notes.txt'"),
    ],
)
def test_missing_unsafe_and_ambiguous_names_are_refused_in_words(folder: Folder, name: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        folder.find(Named(None, name))


def test_a_link_out_of_the_folder_is_not_followed(folder: Folder, tmp_path: Path) -> None:
    (folder.root / "link.wav").symlink_to(tmp_path / "secret.wav")
    for name in ("link.wav", "link"):
        with pytest.raises(ValueError, match=r"leads out|unsafe path"):
            folder.find(Named("audio", name))


def test_first_bytes_of_another_type_are_noticed(folder: Folder) -> None:
    (folder.root / "page.wav").write_bytes(b"<!DOCTYPE html><html>not found</html>")
    assert folder.wrong_type("page.wav", "audio") and not folder.wrong_type("audio/01.wav", "audio")
    (folder.root / "page.wav").unlink()
    assert folder.wrong_type("page.wav", "audio"), "each file is looked at once"


def test_a_file_that_vanished_after_it_was_found_is_a_fault_in_words(folder: Folder) -> None:
    path = folder.find(Named("audio", "audio/01.wav"))
    (folder.root / path).unlink()
    assert folder.wrong_type(path, "audio") == "can't be read: media file not found"


def test_a_recording_next_to_a_film_is_found_if_it_is_the_only_one(folder: Folder) -> None:
    assert folder.adjacent_recording("v1_video.mp4", "v1_audio") == "v1_audio.wav"
    assert folder.adjacent_recording("video/01.mp4", "01") == "", "it is in another folder"
    (folder.root / "v1_audio.mp3").write_bytes(head("x.mp3"))
    assert Folder(folder.root).adjacent_recording("v1_video.mp4", "v1_audio") == ""


def test_a_folder_of_too_many_files_is_refused(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(media_cells, "MAX_FILES", 5)
    with pytest.raises(DataError, match="too many files") as refused:
        folder.find(Named(None, "clip"))
    assert refused.value.expected == "at most 5" and refused.value.where == str(folder.root)
    assert folder.find(Named(None, "audio/01.wav")) == "audio/01.wav", "a path needs no search"


@pytest.mark.parametrize(("name", "kind"), [("a.OGA", "audio"), ("a.jfif", "image"), ("a.m4v", "video")])
def test_rarer_endings_of_formats_that_are_read(name: str, kind: str) -> None:
    assert kind_of(name) == kind and Path(name).suffix.lower() in MIME_TYPES


def test_a_file_that_must_be_converted_is_named_with_the_command(tmp_path: Path) -> None:
    (tmp_path / "a.tiff").write_bytes(b"II*\x00" + bytes(100))
    with pytest.raises(ValueError, match=r"convert it \(`ffmpeg -i a.tiff a.png`\)"):
        Folder(tmp_path).find(Named("image", "a.tiff"))
    assert conversion("x/photo.HEIC", "image") == "magick photo.HEIC photo.png"
    assert conversion("$(rm -r x).aiff", "audio") == "ffmpeg -i '$(rm -r x).aiff' '$(rm -r x).wav'"
