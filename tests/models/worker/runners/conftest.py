"""Fixtures that several files of tests of `models/worker/runners` share."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from PIL import Image


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """transformers, torch and desta, which record how they are called."""
    found: dict[str, Any] = {name: MagicMock(name=name) for name in ("transformers", "torch", "desta")}
    for name, module in found.items():
        monkeypatch.setitem(sys.modules, name, module)
    return found


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The folder of a clone, which is put on the path of modules."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    return str(tmp_path)


@pytest.fixture
def asked_film(tmp_path: Path) -> list[dict[str, Any]]:
    """A question about a video of three frames, two seconds apart."""
    for place in range(3):
        Image.new("RGB", (17, 16), (80 * place, 0, 0)).save(tmp_path / f"{place}.png")
    paths = [str(tmp_path / f"{place}.png") for place in range(3)]
    block = {"type": "video", "paths": paths, "times": [1.0, 3.0, 5.0], "fps": 1.0}
    return [{"role": "user", "content": [block, {"type": "text", "text": "What happens?"}]}]


@pytest.fixture
def asked_picture(tmp_path: Path) -> list[dict[str, Any]]:
    Image.new("RGB", (4, 4)).save(tmp_path / "a.png")
    parts = [{"type": "image", "path": str(tmp_path / "a.png")}, {"type": "text", "text": "What is <image>?"}]
    return [{"role": "system", "content": [{"type": "text", "text": "Be brief."}]}, {"role": "user", "content": parts}]
