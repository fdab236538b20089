"""Tests of `media/paths.py`: safe resolution of media paths, which come from benchmark files of any origin."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.errors import MediaError
from triptych.media.paths import resolve_inside
from triptych.media.payload import MediaReader
from triptych.records import media


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../secret.wav", "leads out"),
        ("deep/../../secret.wav", "leads out"),
        ("deep\\..\\..\\x", "leads out"),
        ("/etc/passwd", "absolute"),
        ("~/x.wav", "absolute"),
        ("C:\\x.wav", "absolute"),
        ("\\\\host\\x", "absolute"),
        ("https://example.org/x.wav", "URL"),
        ("file:///etc/passwd", "URL"),
        ("out.wav", "leads out"),
        ("outdir/secret.wav", "leads out"),
        ("none.wav", "not found"),
        ("deep", "not a file"),
        ("", "empty"),
        ("a\x00b.wav", "control"),
        ("a\nb.wav", "control"),
    ],
)
def test_paths_that_lead_out_are_refused(root: Path, name: str, words: str) -> None:
    with pytest.raises(MediaError, match=words):
        resolve_inside(root, name)
    with pytest.raises(MediaError, match=words):
        MediaReader(root).load(media("audio", name))


def test_paths_inside_are_found(root: Path) -> None:
    real = (root / "deep" / "a.wav").resolve()
    for name in ("deep/a.wav", "./deep/a.wav", "deep//a.wav", "in.wav"):
        assert resolve_inside(root, name) == real
