"""Tests of `models/http/in_step.py`: detecting persistent connections whose answers no longer match the Requests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.running.test_ask_strange_servers import lagging
from tests.support.strange import EVENTS, HEAD, Exchange, Strange, listen_until_quiet
from tests.support.survived import survive
from triptych.models.http import in_step
from triptych.models.http.in_step import CHAIN, InStep


@pytest.fixture(autouse=True)
def listen_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may be slower than any server that replies out of order."""
    listen_until_quiet(monkeypatch)


async def end_never(exchange: Exchange) -> None:
    """A stream that is complete, and a body that never ends."""
    await exchange.send(HEAD % EVENTS, b"Transfer-Encoding: chunked\r\n\r\n")
    for event in exchange.events():
        await exchange.send(b"%x\r\n%s\r\n" % (len(event), event))
    await exchange.hung_up()


def test_a_body_that_never_ends_after_done_is_waited_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(in_step, "END_S", 0.05)
    finished = InStep.read_rest

    async def counted(self: InStep, content: Any) -> None:
        waits.append(0.0 if self.once else in_step.END_S)
        await finished(self, content)

    monkeypatch.setattr(InStep, "read_rest", counted)
    with Strange(end_never, share=1.0, times=9, latency=0.002) as server:
        found = survive(tmp_path, server, number=6, width=1, stream=True)
    assert (found.right, found.asked_twice, found.failed) == (6, 0, 0)
    assert waits == [0.05, 0, 0, 0, 0, 0], "each answer is complete, and each connection is used once"


@pytest.mark.parametrize("number", [6, 100])
def test_what_a_connection_out_of_step_has_brought_is_asked_again(tmp_path: Path, number: int) -> None:
    """One connection that lags from the third question on: what tells is that the last one's own answer comes when
    nothing is asked any more, or that the connection is listened to in between."""
    last = min(number, CHAIN) - 1
    with Strange(lagging(last), share=1.0, times=9, latency=0.002) as server:
        found = survive(tmp_path, server, number=number, width=1)
    assert (found.right, found.mislabelled, found.failed, found.lost) == (number, 0, 0, 0)
    doubted = [line for line in found.journal if line.status == "failed"]
    assert len(doubted) == found.asked_twice == last, "all over that connection but the first"
    assert all("another question" in line.error.message for line in doubted if line.error)
    assert found.outcome.counts == {"answered": number}
