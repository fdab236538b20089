"""Tests of `portal/people/hours.py`: hours and counts, for pay."""

from __future__ import annotations

from collections.abc import Callable

from tests.portal.conftest import Visitor
from tests.portal.people.test_admin import act
from tests.portal.review.test_review import offered, put
from tests.portal.review.test_review import send as send_review
from triptych.portal.people.hours import hours_of
from triptych.portal.project import Portal


def test_a_pause_stops_work_and_erases_nothing(small: Portal, enter: Callable[..., Visitor]) -> None:
    put(small, 3)
    boss, who, other = enter("admin"), enter("reviewer"), enter("reviewer")
    first = offered(who) or 0
    assert send_review(who, first, {"verdict": "approve"}).status_code == 201
    second = offered(who) or 0
    assert act(boss, who.id, "pause") == 303
    assert who.client.get("/review/review").status_code == 403
    refused = send_review(who, second, {"verdict": "approve"})
    assert refused.status_code == 403 and refused.json()["problem"] == "you-are-paused"
    assert offered(other) == second  # what was open is free
    with small.database.reading() as connection:
        assert hours_of(connection, who.id)[0].accepted == 1
    assert who.client.get("/your-data").status_code == 200
    assert act(boss, who.id, "resume") == 303 and offered(who) == 3
