"""Tests of `models/gemini/content.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.models.gemini.test_adapter import FILM

pytest.importorskip("google.genai")


def test_what_a_condition_changed_is_uploaded_from_memory(root: Path) -> None:
    """A file whose bytes aren't those on disk must not be sent as it lies there."""
    from triptych.models.gemini.content import Media, _on_disk

    changed = Media("0" * 64, "video/mp4", 3, b"abc", root / "c.mp4")
    assert _on_disk(changed).data == b"abc"
    assert _on_disk(Media("0" * 64, "video/mp4", len(FILM), FILM, root / "c.mp4")).data is None
