"""Fixtures that several files of tests of `models/gemini` share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.models.gemini.test_adapter import FILM, KEY, WAV

pytest.importorskip("google.genai")


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_GENAI_USE_VERTEXAI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    monkeypatch.setattr("triptych.models.gemini.files.POLL_S", 0.01)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.wav").write_bytes(WAV)
    (tmp_path / "b.jpg").write_bytes(b"\xff\xd8\xff\xe0 a picture")
    (tmp_path / "c.mp4").write_bytes(FILM)
    return tmp_path
