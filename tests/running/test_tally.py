"""Tests of `running/tally.py`: the state of a session."""

from __future__ import annotations

import pytest

from tests.running.test_prices import tally
from triptych.records import Usage
from triptych.running.tally import Tally


def test_the_tally_counts_what_was_used_now() -> None:
    told = tally()
    assert dict(told.counts) == {"answered": 3, "failed": 1} and told.cached == 1
    assert told.usage == Usage(12_001, 31) and (told.spent_tokens, told.spent_usd) == (12_032, 0.5)
    assert told.unpriced == 1 and told.cost_usd is None and told.usd == 0.5
    assert Tally().usage == Usage() and Tally().cost_usd == 0.0 and Tally().remaining_s is None
    assert told.remaining_s == pytest.approx(86 * told.seconds / 4, rel=0.1)
