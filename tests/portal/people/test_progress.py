"""Tests of `portal/people/progress.py`: A volunteer's own progress and goal."""

from __future__ import annotations

from sqlalchemy import select

from tests.portal.conftest import visitor
from tests.portal.dashboard.test_dashboard import back
from tests.portal.review.test_review import offered, put, send
from triptych.portal.people.progress import progress_of, set_goal
from triptych.portal.project import Portal
from triptych.portal.store.tables import people
from triptych.portal.work.withdrawing import withdraw


def test_a_volunteer_has_a_goal_and_progress_of_their_own(portal: Portal) -> None:
    put(portal, 6)
    who, other = visitor(portal, "reviewer"), visitor(portal, "reviewer")
    for _ in range(3):
        task = offered(who)
        assert task
        send(who, task, {"verdict": "approve"})
    assert who.client.post("/goal", data={"token": who.token, "goal": "3"}).status_code == 303
    page = who.client.get("/").text
    assert "You reached your goal" in page and "3 of 3 this week" in page and "All of us together: 3 of 6" in page
    assert "of 3 this week" not in other.client.get("/").text
    back(portal, who.id, 8)
    assert "0 of 3 this week" in who.client.get("/").text and "3 altogether" in who.client.get("/").text
    for wrong in ("0", "-1", "ten", "99999999"):
        assert who.client.post("/goal", data={"token": who.token, "goal": wrong}).status_code == 400
    assert who.client.post("/goal", data={"token": who.token, "goal": ""}).status_code == 303
    with portal.database.reading() as connection:
        assert progress_of(connection, who.id).goal is None
    with portal.database.writing() as connection:
        set_goal(connection, who.id, 7)
    withdraw(portal.database, portal.blobs, who.id, who.id)
    with portal.database.reading() as connection:
        assert connection.execute(select(people.c.goal).where(people.c.id == who.id)).scalar() is None
