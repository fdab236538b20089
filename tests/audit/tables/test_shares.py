"""Tests of `audit/tables/shares.py`: shares k / n."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from triptych.audit.tables.interval import Interval
from triptych.audit.tables.shares import is_share


@given(st.integers(1, 2000), st.data(), st.integers(1, 2))
def test_every_true_share_is_possible(n: int, data: st.DataObject, places: int) -> None:
    k = data.draw(st.integers(0, n))
    assert is_share(Interval.printed(f"{100 * k / n:.{places}f}"), n)
