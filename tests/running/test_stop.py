"""Tests of `running/stop.py`: ending a Run before its plan is finished."""

from __future__ import annotations

import asyncio
import signal
import time
from pathlib import Path

import pytest

from tests.running.test_loop import send
from tests.support.runs import Told, carry_out, requests
from triptych.models.adapter import Reply
from triptych.records import Request
from triptych.running.stop import Stop


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Backoff without the waiting."""
    monkeypatch.setattr("triptych.running.gate.POLL_S", 0.001)
    monkeypatch.setattr("triptych.running.ask.backoff", lambda tries: 0.001 * tries)
    monkeypatch.setattr("triptych.running.gate.backoff", lambda tries, base: 0.001 * tries)


@pytest.fixture
def stops(monkeypatch: pytest.MonkeyPatch) -> list[Stop]:
    """The stop of each Run that a test starts, for models that wait until the Run has heard of a signal."""
    made: list[Stop] = []

    class Kept(Stop):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

    monkeypatch.setattr("triptych.running.loop.Stop", Kept)
    return made


def test_a_first_signal_lets_what_is_under_way_end(tmp_path: Path, stops: list[Stop]) -> None:
    class Interrupted(Told):
        async def respond(self, request: Request, prepared: object) -> Reply:
            self.in_flight += 1
            if self.in_flight == 8:
                send(signal.SIGINT)
            await stops[-1].event.wait()  # all eight are under way when the Run hears of it
            return Reply("A")

    before = signal.getsignal(signal.SIGINT)  # ignored in processes that a script started in the background
    folder, outcome = carry_out(tmp_path, Interrupted(), requests(1000), concurrency=8, grace_s=600)
    assert outcome.interrupted and not outcome.fatal and outcome.counts == {"answered": 8}
    assert signal.getsignal(signal.SIGINT) is before
    assert len(folder.done()) == 8


def test_a_second_signal_ends_at_once(tmp_path: Path, stops: list[Stop]) -> None:
    class Interrupted(Told):
        async def respond(self, request: Request, prepared: object) -> Reply:
            self.in_flight += 1
            if self.in_flight == 4:
                send(signal.SIGTERM)
            await stops[-1].event.wait()
            self.in_flight -= 1
            if self.in_flight == 0:
                send(signal.SIGTERM)
            await asyncio.sleep(600)
            return Reply("A")

    began = time.monotonic()
    _, outcome = carry_out(tmp_path, Interrupted(), requests(10), grace_s=600)
    assert outcome.interrupted and outcome.counts == {}
    assert time.monotonic() - began < 300, "neither the model nor the grace was waited for"
