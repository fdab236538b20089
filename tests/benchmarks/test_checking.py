"""Tests of `benchmarks/checking.py`: the media files of Items exist."""

from __future__ import annotations

from pathlib import Path

from triptych.benchmarks.checking import missing_media
from triptych.records import Item, Problem, media, text


def item(id: str, *paths: str, option: str = "") -> Item:
    options = ((media("image", option),),) if option else ()
    return Item(id, "b/t", (text("?"), *(media("audio", path) for path in paths)), options=options)


def test_each_file_that_cannot_be_sent_is_named_once(tmp_path: Path) -> None:
    (tmp_path / "there.wav").write_bytes(b"RIFF")
    (tmp_path / "empty.wav").touch()
    (tmp_path / "folder.wav").mkdir()
    items = [
        item("i1", "there.wav", "gone.wav"),
        item("i2", "gone.wav", "empty.wav", option="gone.png"),
        item("i3", "../etc/passwd"),
    ]
    problems = list(missing_media(items, tmp_path))
    assert [(one.kind, Path(one.where).name) for one in problems] == [
        ("missing-media", "gone.wav"),
        ("empty-media", "empty.wav"),
        ("missing-media", "gone.png"),
        ("unsafe-path", "passwd"),
    ]
    assert all(one.severity == "error" and one.task == "b/t" for one in problems)
    assert "(i2)" in problems[1].message


def test_a_file_that_a_benchmarks_own_check_names_is_not_named_again(tmp_path: Path) -> None:
    before = [Problem("error", "missing-media", "rows.json:3", "gone.wav is missing")]
    assert list(missing_media([item("i1", "gone.wav")], tmp_path, before)) == []
    assert list(missing_media([], tmp_path)) == []
