"""Fixtures that several files of tests of `models/encoders` share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.comet import stand_in
from tests.support.encoders import no_encoders


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a checkpoint, and a Python that has a stand-in for unbabel-comet."""
    no_encoders(monkeypatch, tmp_path / "empty")
    return stand_in(tmp_path, monkeypatch)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    torch = pytest.importorskip("torch", reason="the extra `embed` is not installed")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
