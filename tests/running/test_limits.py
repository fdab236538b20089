"""Tests of `running/limits.py`: when a session ends before its plan."""

from __future__ import annotations

import pytest

from triptych.records import ErrorInfo, Response, Usage
from triptych.running.limits import Limits
from triptych.running.stop import Stop
from triptych.running.tally import Tally


def limits(tally: Tally, usd: float | None = None, tokens: int | None = None, **more: object) -> tuple[Limits, Stop]:
    stop = Stop()
    return Limits("openai/m", tally, stop, usd, tokens, 4, **more), stop  # type: ignore[arg-type]


def failed(kind: str) -> Response:
    return Response("i", "", 0, "failed", error=ErrorInfo(kind, "refused"))


ANSWER = Response("i", "", 0, "answered", text="A", usage=Usage(100, 20), cost_usd=0.5)


@pytest.mark.parametrize("kind", ["connection", "bad_request", "server"])
def test_failures_one_after_the_other_end_the_session(kind: str) -> None:
    watched, stop = limits(Tally())
    for _ in range(3):
        watched.watch(failed(kind))
    assert not stop.is_set
    watched.watch(failed(kind))
    assert stop.fatal and "openai/m" in str(stop.reason) and "refused" in str(stop.reason)


def test_errors_of_single_items_and_of_a_replay_end_nothing() -> None:
    for kind, hopeful in (("media", False), ("connection", True)):
        watched, stop = limits(Tally(), hopeful=hopeful)
        for _ in range(50):
            watched.watch(failed(kind))
        assert not stop.is_set


def test_an_answer_in_between_begins_the_count_again() -> None:
    tally = Tally()
    watched, stop = limits(tally)
    for response in [failed("server")] * 3 + [ANSWER] + [failed("server")] * 20:
        tally.add(response)
        watched.watch(response)
    assert not stop.is_set  # the endpoint has answered: these are single errors


@pytest.mark.parametrize(
    ("usd", "tokens", "answer", "reason"),
    [
        (1.0, None, Response("i", "", 0, "answered", usage=Usage(1, 1)), "price"),
        (None, 1000, Response("i", "", 0, "answered", cost_usd=0.1), "tokens"),
    ],
)
def test_a_budget_that_cannot_be_counted_ends_the_session(
    usd: float | None, tokens: int | None, answer: Response, reason: str
) -> None:
    tally = Tally()
    watched, stop = limits(tally, usd, tokens)
    tally.add(answer)
    watched.watch(answer)
    assert stop.fatal and reason in str(stop.reason)


@pytest.mark.parametrize(
    ("spent", "on", "budget", "in_progress", "room"),
    [
        (0, 0, 1000, 0, 4),
        (0, 0, 1000, 4, 0),
        (300, 10, 1000, 0, 24),
        (300, 10, 1000, 30, 0),
        (1000, 10, 1000, 0, 0),
        (5000, 1, 1000, 0, 0),
    ],
)
def test_room_within_a_budget(spent: int, on: int, budget: int, in_progress: int, room: int) -> None:
    watched, _ = limits(Tally(spent_tokens=spent, spent_on=on), tokens=budget)
    assert watched.room(in_progress) == room


def test_without_a_budget_there_is_no_limit() -> None:
    watched, stop = limits(Tally(spent_tokens=10**12, spent_usd=1e9, spent_on=5))
    assert watched.room(10**6) is None and not watched.over_budget() and not stop.is_set


def test_a_spent_budget_stops_the_run_and_says_how_to_go_on() -> None:
    watched, stop = limits(Tally(spent_usd=0.9, spent_on=9, in_flight=1), usd=1.0)
    assert watched.over_budget()
    assert not stop.fatal and "0.9000 of 1 USD" in str(stop.reason) and "larger budget" in str(stop.reason)
    assert not limits(Tally(spent_usd=0.9, spent_on=9, in_flight=1), usd=1.0)[0].over_budget(reserved=True)
