"""Tests of `running/budget.py`: what a Run, its readings and its judges have left of one budget."""

from __future__ import annotations

from collections.abc import Iterator

from triptych.records import Response, Usage
from triptych.running.budget import remaining_budget
from triptych.running.loop import RunOptions


class Spent:
    """A journal of a session with these Responses."""

    def __init__(self, *responses: Response) -> None:
        self.responses = responses

    def history(self) -> Iterator[Response]:
        return iter(self.responses)


def response(usd: float | None, tokens: tuple[int | None, int | None] = (None, None), **more: object) -> Response:
    usage = Usage(*tokens) if tokens != (None, None) else None
    return Response("q", "", 0, "answered", "A", usage=usage, cost_usd=usd, **more)  # type: ignore[arg-type]


def left(options: RunOptions, *journals: Spent) -> tuple[float | None, int | None]:
    rest = remaining_budget(options, journals)  # type: ignore[arg-type]
    return rest.budget_usd, rest.budget_tokens


def test_what_other_sessions_spent_is_subtracted_once() -> None:
    """1.00 - (0.25 + 0.125) USD and 1,000 - (100 + 20 + 30) tokens: exact in binary."""
    asked = Spent(response(0.25, (100, 20)))
    judged = Spent(response(0.125, (30, None)))
    options = RunOptions(budget_usd=1.0, budget_tokens=1_000)
    assert left(options, asked, judged) == (0.625, 850)
    assert left(options) == (1.0, 1_000)


def test_without_a_budget_no_journal_is_read() -> None:
    class Unread(Spent):
        def history(self) -> Iterator[Response]:
            raise AssertionError("a journal of millions of lines is read for nothing")

    options = RunOptions(concurrency=3)
    assert remaining_budget(options, [Unread()]) is options  # type: ignore[list-item]


def test_each_budget_is_for_itself() -> None:
    spent = Spent(response(0.5, (7, 3)))
    assert left(RunOptions(budget_usd=2.0), spent) == (1.5, None)
    assert left(RunOptions(budget_tokens=100), spent) == (None, 90)


def test_a_budget_that_is_exceeded_is_spent_and_not_negative() -> None:
    assert left(RunOptions(budget_usd=1.0, budget_tokens=5), Spent(response(3.0, (9, 9)))) == (0.0, 0)


def test_replies_from_a_cache_and_impossible_costs_cost_nothing() -> None:
    journal = Spent(
        response(5.0, (500, 500), cached=True), response(None), response(-4.0, (-10, 10)), response(0.5, (1, 1))
    )
    assert left(RunOptions(budget_usd=2.0, budget_tokens=100), journal) == (1.5, 88)


def test_other_options_stay_as_they_are() -> None:
    options = RunOptions(budget_usd=1.0, concurrency=7, retries=2)
    rest = remaining_budget(options, [Spent(response(0.5))])  # type: ignore[list-item]
    assert (rest.concurrency, rest.retries) == (7, 2) and options.budget_usd == 1.0
