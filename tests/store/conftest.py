"""Fixtures that several files of tests share."""

from __future__ import annotations

import pytest

from triptych.store import spooled


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of three records, of which two bytes stay in memory."""
    monkeypatch.setattr(spooled, "BLOCK", 3)
    monkeypatch.setattr(spooled, "IN_MEMORY", 2)
