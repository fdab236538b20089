"""Fixtures that several files of tests of `models/openai` share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.models.openai.test_adapter import WAV


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.wav").write_bytes(WAV)
    (tmp_path / "b.jpg").write_bytes(b"\xff\xd8\xff\xe0 a picture")
    (tmp_path / "c.mp4").write_bytes(b"\x00\x00\x00\x18ftypmp42 a film")
    return tmp_path
