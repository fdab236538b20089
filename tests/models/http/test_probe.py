"""Tests of `models/http/probe.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.strange import Strange, listen_until_quiet
from tests.support.survived import survive
from triptych.models.http import probe


@pytest.fixture(autouse=True)
def listen_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may be slower than any server that replies out of order."""
    listen_until_quiet(monkeypatch)


def test_a_server_that_lists_no_models_is_asked_for_them_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "PATIENCE_S", 0.05)
    with Strange("html", share=0.0, latency=0.001, models=0) as server:
        found = survive(tmp_path, server, number=200, width=1)
    assert (found.right, found.asked_twice, server.listed) == (200, 0, 1)
