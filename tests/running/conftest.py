"""Fixtures of the run loop's tests: backoff without the waiting, and the time by which Requests wait."""

from __future__ import annotations

import pytest

from tests.support.clock import Clock


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Backoff without the waiting."""
    monkeypatch.setattr("triptych.running.gate.POLL_S", 0.001)
    monkeypatch.setattr("triptych.running.ask.backoff", lambda tries: 0.001 * tries)
    monkeypatch.setattr("triptych.running.gate.backoff", lambda tries, base: 0.001 * tries)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The time by which Requests wait: it passes while all wait, however busy this machine is."""
    clock = Clock()
    monkeypatch.setattr("triptych.running.gate.time", clock)
    return clock
