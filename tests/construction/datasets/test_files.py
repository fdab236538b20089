"""Tests of `construction/datasets/_files.py`: reading the lists of data sets."""

from __future__ import annotations

from pathlib import Path

from tests.construction.datasets.folders import laid
from triptych.construction.datasets import _files


def test_links_are_not_followed(tmp_path: Path) -> None:
    outside = laid(tmp_path / "outside", **{"a.mp4": None})
    inside = laid(tmp_path / "inside", **{"b.mp4": None})
    (inside / "c.mp4").symlink_to(outside / "a.mp4")
    (inside / "folder").symlink_to(outside)
    assert _files.media_files(inside, _files.VIDEOS) == {"b": "b.mp4"}


def test_every_usual_ending_of_a_medium_is_found(tmp_path: Path) -> None:
    folder = laid(tmp_path / "media", **{"a.opus": None, "b.oga": None, "c.m4v": None, "d.jfif": None, "e.txt": None})
    assert _files.media_files(folder, _files.SOUNDS) == {"a": "a.opus", "b": "b.oga"}
    assert _files.media_files(folder, _files.VIDEOS) == {"c": "c.m4v"}
    assert _files.media_files(folder, _files.PICTURES) == {"d": "d.jfif"}
