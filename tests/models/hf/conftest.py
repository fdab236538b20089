"""Fixtures that several files of tests of `models/hf` share."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: make models")
pytest.importorskip("transformers", minversion="5.0", reason="transformers 5 is not installed: make models")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")
