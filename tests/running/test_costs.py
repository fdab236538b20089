"""The sums of costs against sums by hand."""

from __future__ import annotations

from typing import Any

from triptych.records import Response, Usage
from triptych.running.costs import Sum, cost_of, sums


def response(number: int, **told: Any) -> Response:
    return Response(f"i{number}", "", 0, "answered", "A", **told)


def test_an_unreported_value_is_unknown_and_a_cached_reply_costs_nothing() -> None:
    found = sums(
        [
            response(1, usage=Usage(10, 2), seconds=1.5, cost_usd=0.25),
            response(2, usage=Usage(5, None), seconds=0.0),
            response(3, usage=Usage(1000, 1000), seconds=9.0, cost_usd=9.0, cached=True),
        ]
    )
    assert found == {
        "input_tokens": Sum(15, 2, 0),
        "output_tokens": Sum(2, 1, 1),
        "seconds": Sum(1.5, 1, 1),
        "usd": Sum(0.25, 1, 1),
    }
    assert (found["input_tokens"].complete_sum, found["usd"].complete_sum) == (15, None)


def test_nothing_has_no_sum() -> None:
    assert sums([])["usd"].complete_sum is None


def test_the_cost_of_one_response() -> None:
    def usd(reply: Response) -> float | None:
        return reply.cost_usd

    assert cost_of(None, usd) is None
    assert cost_of(response(1), usd) is None
    assert cost_of(response(1, cost_usd=2.0), usd) == 2.0
    assert cost_of(response(1, cost_usd=2.0, cached=True), usd) == 0.0
