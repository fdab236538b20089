"""Tests of `viewer/pages/item.py`: the page of one Item."""

from __future__ import annotations

from pathlib import Path

from triptych.media.payload import DataFolder
from triptych.records import Item, media
from triptych.viewer.pages.item import files


def test_a_page_says_how_to_show_what_it_does_not_show(tmp_path: Path) -> None:
    part = media("image", "x.png")
    for folder in (None, DataFolder(tmp_path, named=False)):
        (tmp_path / "x.png").write_bytes(b"\x89PNG\r\n\x1a\n")
        assert "--data BENCHMARK=DIR" in files("run", Item("a", "t", (part,)), folder)[part].problem
