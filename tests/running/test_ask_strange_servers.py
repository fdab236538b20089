"""Servers that keep to no rule: nothing is mislabelled, nothing is lost, and what failed says so."""

from __future__ import annotations

import asyncio
import itertools
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.strange import EVENTS, FAULTS, HEAD, STREAMED, Exchange, Fault, Strange, listen_until_quiet
from tests.support.survived import survive
from triptych.models.http import posting
from triptych.models.http.in_step import InStep
from triptych.models.openai.adapter import make

# The Request can't be answered: it is told to have failed, and the others go on
HOPELESS = frozenset({"endless_line", "bomb"})
SLOW = frozenset({"byte_by_byte", "silent"})
STREAMED_TOO = frozenset({"error_object", "other_choices_first", "bomb", "unasked", "closes"})


@pytest.fixture(autouse=True)
def listen_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may be slower than any server that replies out of order."""
    listen_until_quiet(monkeypatch)


@pytest.mark.parametrize(
    ("fault", "stream"),
    [(fault, fault in STREAMED) for fault in FAULTS] + [(fault, True) for fault in sorted(STREAMED_TOO)],
)
def test_a_strange_server_mislabels_and_loses_nothing(tmp_path: Path, fault: str, stream: bool) -> None:
    heavy = fault in HOPELESS
    with Strange(fault, share=0.05 if heavy or fault in SLOW else 0.15, latency=0.005) as server:
        number = 40 if heavy else 120
        slow: dict[str, Any] = {"timeout_s": 2.0, "skip": True} if fault in SLOW else {"timeout_s": 60.0}
        found = survive(tmp_path, server, fault, number, stream, width=8, **slow)
    assert server.met, "the fault should have come"
    assert (found.mislabelled, found.lost) == (0, 0)
    assert found.failed == (len(server.met) if heavy else 0), found.journal[-1]
    assert found.right == number - found.failed
    assert sum(found.outcome.counts.values()) == number, found.outcome.counts


@pytest.mark.parametrize("fault", ["unasked", "unasked_at_once", "garbage_after", "closes", "cut", "old_http"])
def test_large_bodies_are_as_safe_as_small_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """A session sends them (`models/http/posting.py`)."""
    monkeypatch.setattr(posting, "SMALL", -1)
    with Strange(fault, share=0.15, latency=0.005) as server:
        found = survive(tmp_path, server, fault, 120, width=8)
    assert server.met
    assert (found.right, found.mislabelled, found.failed, found.lost) == (120, 0, 0, 0)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("fault", ["unasked", "unasked_at_once", "garbage_after", "closes", "error_object"])
def test_new_connections_for_the_last_questions_mislabel_nothing(tmp_path: Path, fault: str, stream: bool) -> None:
    """A Run that knows its number of Requests checks the connections while the last answers are awaited."""
    with Strange(fault, share=0.3, latency=0.005) as server:
        found = survive(tmp_path, server, fault, 60, stream, width=8, planned=60)
    assert server.met
    assert (found.right, found.mislabelled, found.failed, found.lost) == (60, 0, 0, 0)


@pytest.mark.parametrize("queue", [True, False])
def test_a_second_answer_4_ms_later_mislabels_nothing(tmp_path: Path, queue: bool) -> None:
    """The next Request is under way over the connection by then."""
    with Strange("unasked", share=0.05, latency=0.02, queue=queue) as server:
        found = survive(tmp_path, server, "replies", 400, width=16)
    assert (found.right, found.mislabelled, found.failed, found.lost) == (400, 0, 0, 0)


@pytest.fixture
def listen_never(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any surplus reply comes too late for whoever listens."""
    monkeypatch.setattr(InStep, "seconds_until_in_step", lambda self, line: 0.0)


async def long_after(exchange: Exchange) -> None:
    """The answer, and the same answer again when the next Request has long been there."""
    await exchange.answer()
    await asyncio.sleep(0.05)
    await exchange.answer()


@pytest.mark.usefixtures("listen_never")
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("models", [200, 404, 500])
def test_a_surplus_reply_is_found_however_late_it_comes(tmp_path: Path, stream: bool, models: int) -> None:
    """Nobody listens: what tells is that a last Request gets the reply to the one before."""
    with Strange(long_after, share=0.05, latency=0.002, models=models) as server:
        found = survive(tmp_path, server, number=200, width=8, stream=stream)
    assert server.met
    assert (found.right, found.mislabelled, found.failed, found.lost) == (200, 0, 0, 0)


async def end_later(exchange: Exchange) -> None:
    """The answer to the first question twice; from the fourth on, the body ends some time after `[DONE]`."""
    number = int(exchange.question.rpartition(" ")[2])
    if number == 0:
        await long_after(exchange)
        return
    events = b"".join(b"%x\r\n%s\r\n" % (len(event), event) for event in exchange.events())
    await exchange.send(HEAD % EVENTS, b"Transfer-Encoding: chunked\r\n\r\n", events)
    await asyncio.sleep(0.03 if number > 2 else 0.0)
    await exchange.send(b"0\r\n\r\n")


@pytest.mark.usefixtures("listen_never")
def test_a_stream_whose_body_ends_after_done_does_not_hide_a_surplus_reply(tmp_path: Path) -> None:
    """The connection isn't closed at `[DONE]`, since its earlier answers could then no longer be checked."""
    with Strange(end_later, share=1.0, times=9, latency=0.002) as server:
        found = survive(tmp_path, server, number=6, width=1, stream=True)
    assert (found.right, found.mislabelled, found.failed, found.lost) == (6, 0, 0, 0)


async def lag_by_an_error(exchange: Exchange) -> None:
    """The answer twice to the first question; to the last one an error."""
    number = int(exchange.question.rpartition(" ")[2])
    if number == 0:
        await exchange.answer()
        await long_after(exchange)
    elif number == 3:
        await exchange.send(b"HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\n{}")
    else:
        await exchange.answer()


@pytest.mark.usefixtures("listen_never")
def test_a_reply_that_is_still_owed_may_be_an_error(tmp_path: Path) -> None:
    with Strange(lag_by_an_error, share=1.0, latency=0.002) as server:
        found = survive(tmp_path, server, number=4, width=1)
    assert (found.right, found.mislabelled, found.lost) == (4, 0, 0)


def lagging(last: int) -> Fault:
    """From the third question on, the first connection brings the answer to the question before; at `last`, its own
    too, a little later."""
    lines: list[object] = []

    async def lag(exchange: Exchange) -> None:
        lines[:] = lines or [exchange.writer]
        number = int(exchange.question.rpartition(" ")[2])
        lags = exchange.writer is lines[0] and number > 1
        if not lags:
            await exchange.answer()
            return
        await Exchange(f"question {number - 1}", exchange.streamed, exchange.writer).answer()
        if number == last:
            await asyncio.sleep(0.1)
            await exchange.answer()

    return lag


def test_the_cache_holds_no_answer_that_may_be_another_questions(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with Strange(lagging(5), share=1.0, times=9, latency=0.002) as server:
        survive(tmp_path, server, number=6, width=1, cache=cache, retries=0)
        again = survive(tmp_path, server, "again", number=6, width=1, cache=cache)
    assert (again.right, again.mislabelled) == (6, 0)


def test_a_server_in_step_is_asked_nothing_twice_and_over_few_connections(tmp_path: Path) -> None:
    with Strange("html", share=0.0, latency=0.002) as server:
        found = survive(tmp_path, server, number=600, width=4)
    assert (found.right, found.asked_twice) == (600, 0)
    assert server.connections <= 24


def test_a_clock_that_jumps_changes_no_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's clock is set a million seconds forward and back again all the time; there are rates and pauses."""

    async def turned_away(exchange: Exchange) -> None:
        head = b"HTTP/1.1 429 Wait\r\nDate: %s\r\nRetry-After: %s\r\nContent-Length: 2\r\n\r\n{}"
        await exchange.send(head % (b"Wed, 21 Oct 2015 07:28:00 GMT", b"Wed, 21 Oct 2015 07:28:00 GMT"))

    jumps = itertools.cycle((0.0, 1e6, -1e6))
    true = time.time
    monkeypatch.setattr(time, "time", lambda: true() + next(jumps))
    with Strange(turned_away, share=0.2, latency=0.002) as server:
        found = survive(tmp_path, server, number=60, rate_per_minute=30_000.0)
    assert (found.right, found.lost, found.failed) == (60, 0, 0)


def test_a_name_that_nobody_knows_ends_the_run_and_says_so(tmp_path: Path) -> None:
    adapter = make("m", {"base_url": "http://no.such.host.invalid/v1"})
    with Strange("html") as server:
        found = survive(tmp_path, server, number=60, width=4, retries=1, adapter=adapter)
    assert found.outcome.fatal and not found.mislabelled
    assert found.outcome.stopped and "no connection to http://no.such.host.invalid/v1" in found.outcome.stopped
    assert all(line.error and line.error.kind == "connection" for line in found.journal)
