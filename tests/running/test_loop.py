"""The run loop: everything is asked once, nothing stops it that needn't, and what must stop it does so cleanly."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.clock import Clock
from tests.support.runs import MANIFEST, Told, carry_out, request, requests
from triptych.errors import DataError, MediaError, ProviderError, SpecError
from triptych.media.payload import MediaReader
from triptych.models.adapter import Reply
from triptych.records import Request, Usage
from triptych.running.loop import LAST_ROUNDS, RunOptions, execute, run_sync
from triptych.store.folder import RunFolder

pytestmark = pytest.mark.usefixtures("quick")


def fails(kind: str, **more: object) -> ProviderError:
    return ProviderError("it broke", kind=kind, **more)  # type: ignore[arg-type]


def test_everything_is_asked_once_and_not_again(tmp_path: Path) -> None:
    model = Told()
    folder, outcome = carry_out(tmp_path, model, requests(50))
    assert Counter(model.asked) == {f"{n:05}": 1 for n in range(50)}
    assert (outcome.counts, outcome.already, outcome.stopped) == ({"answered": 50}, 0, None)
    assert outcome.usage == Usage(500, 50)
    assert [r.item for r in folder.responses()] == [i.id for i in folder.items()] == sorted(model.asked)
    _, again = carry_out(tmp_path, model, requests(52))
    assert len(model.asked) == 52 and (again.counts, again.already) == ({"answered": 2}, 50)
    assert (model.opened, model.closed) == (2, 2)


@pytest.mark.parametrize("name", ["items", "responses"])
def test_a_line_that_was_taken_out_comes_back(tmp_path: Path, name: str) -> None:
    model = Told()
    folder, _ = carry_out(tmp_path, model, requests(5))
    before = list(folder.items()), [r.item for r in folder.responses()]
    journal = folder.path / f"{name}.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:2] + lines[3:]))
    carry_out(tmp_path, model, requests(5))
    assert (list(folder.items()), [r.item for r in folder.responses()]) == before
    assert len(model.asked) == (5 if name == "items" else 6), "what was answered isn't asked again"


def test_repeats_are_entries_of_their_own(tmp_path: Path) -> None:
    folder, outcome = carry_out(tmp_path, Told(), [request(1, repeat=r) for r in range(3)])
    assert outcome.counts == {"answered": 3} and len(list(folder.items())) == 1
    assert len({r.key for r in folder.responses()}) == 3


def test_concurrency_is_bounded_and_used(tmp_path: Path, clock: Clock) -> None:
    model = Told(latency=0.005)
    carry_out(tmp_path, model, requests(40), concurrency=7, clock=clock)
    assert model.peak == 7


def test_the_plan_is_drawn_lazily(tmp_path: Path) -> None:
    model, most = Told(latency=0.001), 0

    def plan() -> Iterator[Request]:
        nonlocal most
        for number, one in enumerate(requests(60)):
            most = max(most, number - len(model.asked))
            yield one

    carry_out(tmp_path, model, plan(), concurrency=4)
    assert most <= 4


class Steps:
    """Connections that are always in step."""

    is_settled = True

    def __init__(self, model: Told) -> None:
        self.model = model
        self.asked_before: list[int] = []  # number of Requests that were sent before the last ones

    def context_of(self, request: Request) -> AbstractContextManager[None]:
        return nullcontext()

    def record_answer(self, asking: None, status: str) -> None:
        pass

    def trusted_and_doubted(self) -> tuple[list[Request], list[Request]]:
        return [], []

    def end_soon(self) -> None:
        self.asked_before.append(len(self.model.asked))

    async def settle(self) -> None:
        pass


@pytest.mark.parametrize(("planned", "expected"), [(50, [50 - 3 * LAST_ROUNDS - 1]), (3, [0]), (None, [])])
def test_connections_hear_when_the_last_requests_are_sent(
    tmp_path: Path, planned: int | None, expected: list[int]
) -> None:
    model = Told(latency=0.001)
    model.in_step = Steps(model)  # type: ignore[attr-defined]
    carry_out(tmp_path, model, requests(planned or 20), concurrency=3, planned=planned)
    assert model.in_step.asked_before == expected  # type: ignore[attr-defined]


@pytest.mark.parametrize(("kind", "status"), [("auth", 401), ("unknown_model", 404)])
def test_a_fatal_error_stops_at_once_and_journals_nothing(tmp_path: Path, kind: str, status: int) -> None:
    def answer(asked: Request, times: int) -> Reply:
        raise ProviderError("wrong key", kind=kind, fatal=True, status=status, fix="set the key")

    model = Told(answer, latency=0.001)
    folder, outcome = carry_out(tmp_path, model, requests(1000))
    assert outcome.fatal and outcome.stopped is not None and "wrong key" in outcome.stopped
    assert len(model.asked) <= 4 and list(folder.responses()) == [] and folder.done() == set()
    assert model.closed == 1
    model.answer = lambda asked, times: Reply("A")
    _, again = carry_out(tmp_path, model, requests(10))
    assert again.counts == {"answered": 10}


def test_an_endpoint_out_of_reach_stops_the_run(tmp_path: Path) -> None:
    def answer(asked: Request, times: int) -> Reply:
        raise fails("connection", retryable=True)

    _, outcome = carry_out(tmp_path, Told(answer), requests(1000), retries=1)
    assert outcome.fatal and outcome.stopped is not None and "can't be reached" in outcome.stopped
    assert outcome.counts["failed"] <= 8


def test_an_endpoint_that_rejects_everything_stops_the_run_but_a_few_rejections_do_not(tmp_path: Path) -> None:
    def reject(asked: Request, times: int) -> Reply:
        raise fails("bad_request", status=400)

    _, outcome = carry_out(tmp_path / "all", Told(reject), requests(1000))
    assert outcome.fatal and outcome.stopped is not None and "rejects every Request" in outcome.stopped
    assert outcome.counts["failed"] <= 8

    def reject_late(asked: Request, times: int) -> Reply:
        if int(asked.id) >= 10:
            raise fails("bad_request", status=400)
        return Reply("A")

    _, outcome = carry_out(tmp_path / "late", Told(reject_late), requests(100))
    assert outcome.stopped is None and outcome.counts == {"answered": 10, "failed": 90}


@pytest.mark.parametrize(
    "error",
    [fails("malformed", retryable=True), fails("server", retryable=True), ValueError("no header can hold this key")],
)
def test_an_endpoint_that_never_answers_stops_the_run_but_missing_media_do_not(
    tmp_path: Path, error: Exception
) -> None:
    def answer(asked: Request, times: int) -> Reply:
        raise error

    _, outcome = carry_out(tmp_path / "all", Told(answer), requests(1000), retries=1)
    assert outcome.fatal and outcome.stopped is not None
    assert "has answered no Request" in outcome.stopped and str(error) in outcome.stopped
    assert outcome.counts["failed"] <= 8

    def late(asked: Request, times: int) -> Reply:
        if int(asked.id) >= 10:
            raise error
        return Reply("A")

    _, outcome = carry_out(tmp_path / "late", Told(late), requests(100), retries=1)
    assert outcome.stopped is None and outcome.counts == {"answered": 10, "failed": 90}

    def no_media(asked: Request, times: int) -> Reply:
        raise MediaError("missing")

    _, outcome = carry_out(tmp_path / "media", Told(no_media), requests(100))
    assert outcome.stopped is None and outcome.counts == {"failed": 100}

    model = Told(answer)
    model.reads_media = False  # type: ignore[attr-defined]
    _, outcome = carry_out(tmp_path / "replay", model, requests(100), retries=0)
    assert outcome.stopped is None and outcome.counts == {"failed": 100}, "others' failures are told, all of them"


def test_a_rate_limit_is_waited_out_by_all(tmp_path: Path, clock: Clock) -> None:
    asked: list[float] = []

    def answer(request: Request, count: int) -> Reply:
        asked.append(clock.now)
        if len(asked) > 100 and (left := asked[100] + 0.5 - asked[-1]) >= 0:
            raise fails("rate_limit", retryable=True, status=429, retry_after=left)
        return Reply("A")

    _, outcome = carry_out(tmp_path, Told(answer, latency=0.001), requests(400), retries=1, concurrency=32, clock=clock)
    assert outcome.counts == {"answered": 400}
    rejected = [now for now in asked[100:] if now <= asked[100] + 0.5]
    assert len(rejected) < 150, "nearly every millisecond would see 32"
    assert sum(now > asked[100] + 0.2 for now in rejected) < 20, "and in the end nobody asks"


def test_one_rejection_among_many_answers_holds_only_its_own_request_up(tmp_path: Path, clock: Clock) -> None:
    times: dict[str, list[float]] = {}

    def answer(asked: Request, count: int) -> Reply:
        times.setdefault(asked.id, []).append(clock.now)
        if asked.id == "00020" and count == 1:
            raise fails("rate_limit", retryable=True, status=429, retry_after=0.4)
        return Reply("A")

    carry_out(tmp_path, Told(answer, latency=0.002), requests(60), concurrency=4, clock=clock)
    first, second = times["00020"]
    assert 0.4 <= second - first < 0.6
    gaps = sorted(b - a for a, b in pairwise(sorted(t for n, ts in times.items() if n != "00020" for t in ts)))
    assert 0.03 < gaps[-1] < 0.2, "but all are slowed down a little"


def test_an_endpoint_that_takes_few_at_a_time_loses_nothing(tmp_path: Path, clock: Clock) -> None:
    window: list[float] = []
    turned_away: dict[str, int] = Counter()

    def answer(asked: Request, count: int) -> Reply:
        now = clock.now
        window[:] = [t for t in window if t > now - 0.02]
        if len(window) >= 1:
            turned_away[asked.id] += 1
            raise fails("rate_limit", retryable=True, status=429, retry_after=0.025)
        window.append(now)
        return Reply("A")

    _, outcome = carry_out(tmp_path, Told(answer), requests(60), retries=3, concurrency=32, clock=clock)
    assert outcome.counts == {"answered": 60}
    assert max(turned_away.values()) > 3, "being turned away while others get through costs no retry"
    assert outcome.retries < 1000, "fewer are let through at once"


def test_rates_are_kept(tmp_path: Path, clock: Clock) -> None:
    def seconds(name: str, count: int, per_second: int) -> float:
        began = clock.now
        options = {"rate_per_minute": 60.0 * per_second, "concurrency": count}
        _, outcome = carry_out(tmp_path / name, Told(), requests(count), clock=clock, **options)
        assert outcome.counts == {"answered": count}
        return clock.now - began

    # one second's worth can be saved up
    assert seconds("at once", 30, 50) == pytest.approx(0, abs=0.01)
    assert seconds("as many", 10, 10) == pytest.approx(0, abs=0.01)
    assert seconds("more", 15, 10) == pytest.approx(0.5, abs=0.05), "ten at once, five more at ten a second"


def test_token_rates_are_kept(tmp_path: Path, clock: Clock) -> None:
    model = Told(lambda asked, times: Reply("A", usage=Usage(90, 10)))
    began = clock.now
    carry_out(tmp_path, model, requests(12), tokens_per_minute=60 * 1000, concurrency=2, clock=clock)
    # 1,200 tokens at 1,000 a second, the first second's worth at once
    assert 0.1 <= clock.now - began < 0.3


def test_a_token_budget_ends_the_run_and_a_larger_one_resumes_it(tmp_path: Path) -> None:
    model = Told(latency=0.001)
    _, outcome = carry_out(tmp_path, model, requests(100), budget_tokens=220, concurrency=4)
    assert outcome.stopped is not None and "of 220 tokens" in outcome.stopped and not outcome.fatal
    spent = sum(outcome.counts.values()) * 11
    assert 130 < spent <= 220 + 4 * 11
    _, same = carry_out(tmp_path, model, requests(100), budget_tokens=spent)
    assert same.counts == {} and same.stopped, "earlier sittings count"
    _, rest = carry_out(tmp_path, model, requests(100), budget_tokens=100_000)
    assert rest.stopped is None and rest.already + sum(rest.counts.values()) == 100


def test_a_spent_budget_lets_what_is_paid_for_come_back(tmp_path: Path, clock: Clock) -> None:
    model = Told(latency=0.3)
    options = {"budget_tokens": 22, "concurrency": 4, "grace_s": 0.01}
    _, outcome = carry_out(tmp_path, model, requests(100), clock=clock, **options)
    assert outcome.stopped and outcome.counts["answered"] == len(model.asked) > 0


PRICES = """
as_of = "2026-01-01"
source = "here"
[[price]]
model = "told/*"
input = 1000.0
output = 10000.0
"""


def test_a_budget_in_usd_follows_the_price_file(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text(PRICES)
    # 10 tokens in, 1 out: 0.01 + 0.01 USD a Request
    folder, outcome = carry_out(
        tmp_path / "run", Told(), requests(100), budget_usd=0.2, prices=tmp_path / "prices.toml", concurrency=1
    )
    assert outcome.counts == {"answered": 10} and outcome.cost_usd == pytest.approx(0.2)
    assert outcome.stopped is not None and "0.2000 of 0.2 USD" in outcome.stopped
    assert next(folder.responses()).cost_usd == pytest.approx(0.02)


def test_unknown_prices_are_unknown(tmp_path: Path) -> None:
    folder, outcome = carry_out(tmp_path, Told(), requests(3))
    assert outcome.cost_usd is None and outcome.unpriced == 3
    assert all(r.cost_usd is None for r in folder.responses())
    with pytest.raises(SpecError, match="price is unknown"):
        carry_out(tmp_path, Told(), requests(3), budget_usd=1.0)


def test_tokens_that_nobody_counts_keep_no_budget(tmp_path: Path) -> None:
    model = Told(lambda asked, times: Reply("A"))
    _, outcome = carry_out(tmp_path, model, requests(100), budget_tokens=10, concurrency=1)
    assert outcome.fatal and outcome.counts == {"answered": 1}


def test_a_broken_plan_ends_the_run_and_keeps_what_is_done(tmp_path: Path) -> None:
    def plan() -> Iterator[Request]:
        yield from requests(5)
        raise DataError("row 6 is malformed")

    with pytest.raises(DataError, match="row 6"):
        carry_out(tmp_path, Told(), plan(), concurrency=1)
    assert len(RunFolder.open(tmp_path).done()) == 5


def send(number: signal.Signals) -> None:
    os.kill(os.getpid(), number)


def test_grace_has_an_end(tmp_path: Path) -> None:
    class Interrupted(Told):
        async def respond(self, request: Request, prepared: object) -> Reply:
            send(signal.SIGINT)
            await asyncio.sleep(600)
            return Reply("A")

    _, outcome = carry_out(tmp_path, Interrupted(), requests(10), grace_s=0.2, concurrency=1)
    assert outcome.interrupted and outcome.counts == {}


def test_waiting_requests_do_not_use_the_grace(tmp_path: Path) -> None:
    def answer(asked: Request, times: int) -> Reply:
        send(signal.SIGINT)
        raise fails("server", retryable=True, retry_after=500.0)

    began = time.monotonic()
    _, outcome = carry_out(tmp_path, Told(answer), requests(10), grace_s=600, concurrency=1)
    assert outcome.interrupted and not outcome.counts
    assert time.monotonic() - began < 300, "neither the pause nor the grace was waited for"


def test_signals_reach_a_run_whose_model_never_waits(tmp_path: Path) -> None:
    class Busy(Told):
        async def respond(self, request: Request, prepared: object) -> Reply:
            self.asked.append(request.id)
            if len(self.asked) == 200:
                send(signal.SIGINT)
            return Reply("A")

    _, outcome = carry_out(tmp_path, Busy(), requests(100_000))
    assert outcome.interrupted and 200 <= outcome.counts["answered"] < 5000


def test_run_sync_inside_a_running_loop(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, MANIFEST)

    async def notebook() -> int:
        outcome = run_sync(execute(requests(5), Told(), folder, MediaReader(None), RunOptions()))
        return outcome.counts["answered"]

    assert asyncio.run(notebook()) == 5

    async def breaks() -> None:
        async def wrong() -> None:
            raise DataError("as it should")

        run_sync(wrong())

    with pytest.raises(DataError, match="as it should"):
        asyncio.run(breaks())


def test_a_cancelled_run_lets_go_of_everything(tmp_path: Path) -> None:
    model = Told(latency=30)
    folder = RunFolder.create(tmp_path, MANIFEST)

    async def cancelled() -> None:
        task = asyncio.create_task(execute(requests(5), model, folder, MediaReader(None)))
        while not model.in_flight:
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(cancelled())
    assert model.closed == 1 and model.in_flight == 0
    with folder.writer():
        pass


def test_no_worker_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="concurrency"):
        carry_out(tmp_path, Told(), requests(1), concurrency=0)
