"""Tests of `portal/people/paying.py`: what people get for their work."""

from __future__ import annotations

import pytest

pytest.importorskip("sqlalchemy", reason="SQLAlchemy comes with the extra [portal]")

from triptych.portal.people.hours import Hours
from triptych.portal.people.paying import accepted_seconds, amount
from triptych.portal.project import Pay, Portal

# An hour and a half of work on 12 results, of which 10 are accepted, with 400 words
ROW = Hours("a", "p-1", "", "transcribe", "annotation", 5400, 12, 10, 400)


@pytest.mark.parametrize(
    ("pay", "seconds", "paid"),
    [
        (Pay(), 600.0, 0.0),
        (Pay(per_hour=12.0), None, 18.0),
        (Pay(per_result=0.5), None, 5.0),
        (Pay(per_word=0.1), None, 40.0),
        (Pay(weight=1.5, per_word=0.1), None, 60.0),
        (Pay(per_minute=3.0), 600.0, 30.0),
        (Pay(per_minute=3.0), 0.0, 0.0),
        (Pay(per_minute=3.0, per_hour=12.0), None, None),
        (Pay(per_word=0.01, per_minute=1.0, per_hour=2.0, per_result=0.1), 90.0, 4 + 1.5 + 3 + 1),
        (Pay(per_hour=10.0 / 3), None, 5.0),
    ],
)
def test_amounts_by_hand(pay: Pay, seconds: float | None, paid: float | None) -> None:
    assert amount(pay, ROW, seconds) == paid


def test_where_nothing_is_paid_by_the_minute_no_length_is_looked_up(small: Portal) -> None:
    assert accepted_seconds(small) == {}
