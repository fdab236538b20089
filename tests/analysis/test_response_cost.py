"""Tests of `analysis/response_cost.py`: cost of a Run."""

from __future__ import annotations

import pytest
from msgspec import structs

from tests.scoring.toy import response
from triptych.analysis.response_cost import Cost

pytest.importorskip("matplotlib")


def test_costs_are_told_only_as_far_as_they_are_known() -> None:
    told = response("1")
    told = structs.replace(told, seconds=90.0, cost_usd=0.5, usage=None)
    cost = Cost.sum_of([told, structs.replace(told, item="2", cached=True)])
    assert (cost.tokens, cost.time, cost.money, cost.cached) == ("not reported", "1.5 min", "$0.5", 1)
    assert Cost.sum_of([structs.replace(told, cost_usd=None), told]).money == "unknown"
    assert Cost.sum_of([]).money == "unknown"
