"""Fixtures that several files of tests of `models/local` share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name, content in {"a.wav": "hello", "b.png": "GOODBYE", "c.wav": "goodbye", "bad.wav": "broken"}.items():
        (tmp_path / name).write_text(content)
    return tmp_path
