"""The gate: buckets by arithmetic, widths by who was turned away."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

import pytest

from triptych.running import gate as module
from triptych.running.gate import Bucket, Gate, backoff


def test_backoff_is_jittered_under_a_growing_ceiling() -> None:
    for tries, ceiling in ((1, 0.5), (2, 1.0), (5, 8.0), (30, 60.0)):
        waits = [backoff(tries) for _ in range(400)]
        assert 0 <= min(waits) < ceiling / 4 and ceiling * 3 / 4 < max(waits) <= ceiling


def test_a_bucket_fills_evenly_up_to_its_capacity() -> None:
    bucket = Bucket(per_minute=120)
    now = time.monotonic() + 100
    assert bucket.wait(now) == 0 and bucket.level == 2, "one second's worth is saved up, no more"
    bucket.level -= 2
    assert bucket.wait(now) == pytest.approx(0.5)
    assert bucket.wait(now + 0.25) == pytest.approx(0.25)
    assert bucket.wait(now + 0.5) == pytest.approx(0)
    assert Bucket(per_minute=6).capacity == 1, "at less than one a second, one can be saved up"


def enter(gate: Gate) -> float:
    """How long an attempt would have to wait; 0 lets it in."""
    waits: list[float] = []

    class Enough(Exception):
        pass

    async def nap(seconds: float) -> None:
        waits.append(seconds)
        raise Enough

    async def once() -> None:
        with suppress(Enough):
            await gate.enter(nap)

    asyncio.run(once())
    return waits[0] if waits else 0.0


def test_a_pause_is_as_long_as_the_share_of_those_turned_away() -> None:
    gate = Gate(4)
    assert enter(gate) == 0
    assert 80 <= gate.turned_away(80.0) < 91, "its own Request waits the whole time"
    assert 9 < gate.paused_s <= 10 and 9 < enter(gate) <= 11.25
    for _ in range(40):
        gate.turned_away(80.0)
    assert 79 < gate.paused_s <= 80
    gate.turned_away(2.0)
    assert gate.paused_s > 79, "the longest counts"


def test_fewer_are_let_through_while_most_are_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: clock[0])
    gate = Gate(16)

    def burst(answers: int, rejections: int) -> float:
        clock[0] += 10
        for _ in range(answers):
            gate.record_answer(None)
        for _ in range(rejections):
            gate.turned_away(1.0)
        return gate._width

    assert burst(1, 15) == 16, "the first burst is judged when the next begins"
    assert burst(2, 6) == 8
    assert burst(3, 5) == pytest.approx(4, abs=0.7)
    for _ in range(400):
        gate.record_answer(None)
    assert gate._width == 16, "answers widen it again"
    assert burst(100, 1) == 16 and burst(100, 1) == 16, "few among many change nothing"


def test_token_rates_learn_what_a_request_costs() -> None:
    gate = Gate(100, tokens_per_minute=6000)
    assert enter(gate) == 0
    gate.record_answer(400)  # 300 more than a second's worth
    assert 2.5 < enter(gate) <= 5
