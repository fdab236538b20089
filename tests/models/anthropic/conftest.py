"""Fixtures that several files of tests of `models/anthropic` share."""

from __future__ import annotations

import pytest

from tests.models.anthropic.test_adapter import KEY

pytest.importorskip("anthropic")


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
