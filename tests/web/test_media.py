"""Tests of `web/media.py`: media of one Item."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from triptych.records import Part
from triptych.web.media import differs, media_type


@pytest.mark.parametrize(
    ("head", "name", "kind", "expected"),
    [
        (b"OggS....", "a.ogg", "audio", "audio/ogg"),
        (b"OggS....", "a.ogv", "video", "video/ogg"),
        (b"\x00\x00\x00\x18ftypisom", "a.mp4", "video", "video/mp4"),
        (b"\x00\x00\x00\x18ftypisom", "a.m4a", "audio", "audio/mp4"),
        (b"\x00\x00\x00\x18ftypM4A ", "a.m4a", "audio", "audio/mp4"),
        (b"\x1aE\xdf\xa3....", "a.webm", "video", "video/webm"),
        (b"\x89PNG\r\n\x1a\n", "a.html", "image", "image/png"),
        (b"\x89PNG\r\n\x1a\n", "a.wav", "audio", ""),
        (b"<svg xmlns=", "a.svg", "image", ""),
        (b"<html>", "a.png", "image", ""),
        (b"<?xml ", "a.mp4", "video", ""),
        (b"", "a.wav", "audio", ""),
    ],
)
def test_types_by_first_bytes(head: bytes, name: str, kind: str, expected: str) -> None:
    assert media_type(head, name, kind) == expected  # type: ignore[arg-type]


def test_another_file_than_was_sent_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"one")
    digest = hashlib.sha256(b"one").hexdigest()
    assert differs(Part("image", path="a.png", sha256=digest), path) is False
    assert differs(Part("image", path="a.png", sha256="0" * 64), path) is True
    assert differs(Part("image", path="a.png"), path) is None
