"""Tests of `portal/work/undoing.py`: changing one's last submission."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select, update

from tests.portal.conftest import Visitor, visitor
from tests.portal.review.test_review import offered, put, results, send
from tests.portal.surveys import answer_next, participant, pushed, takes_part
from tests.portal.work.test_gold import RIGHT, record_queue, upload
from triptych.portal.checking import check_next
from triptych.portal.exchange.local import Local
from triptych.portal.project import Portal
from triptych.portal.store.tables import submissions, tasks
from triptych.portal.survey.participation import place_of
from triptych.portal.work.queues import queue_of
from triptych.portal.work.undoing import last_of


def undo(who: Visitor, queue: str, id: str) -> int:
    return who.client.post("/undo", data={"token": who.token, "queue": queue, "id": id}).status_code


def test_the_last_review_is_changed(portal: Portal) -> None:
    put(portal, 3)
    who = visitor(portal, "reviewer")
    one = offered(who)
    assert one is not None
    send(who, one, {"verdict": "approve"}, id="the-first-review-1")
    two = offered(who)
    assert two not in (one, None) and "Change your last answer" in who.client.get("/review/review").text
    assert undo(who, "review", "the-first-review-1") == 303
    page = who.client.get("/review/review").text
    assert offered(who) == one and "data-before" in page and "approve" in page  # before the task that was open
    assert send(who, one, RIGHT, id="the-first-review-2").status_code == 201
    assert [each["verdict"] for each in results(portal)] == ["reject"] and offered(who) == two
    assert undo(who, "review", "the-first-review-1") == 409  # not the last any more


def test_what_was_exported_or_decided_or_is_of_somebody_else_stays(portal: Portal) -> None:
    put(portal, 2, reviewers=2)
    one, other, boss = visitor(portal, "reviewer"), visitor(portal, "reviewer"), visitor(portal, "admin")
    for who, verdict in ((one, "approve"), (other, "reject")):
        given = {"verdict": verdict, **({"criterion": ["harmful"]} if verdict == "reject" else {})}
        send(who, 1, given, id=f"disagree-{who.id}")
    assert undo(other, "review", f"disagree-{one.id}") == 409
    assert send(boss, 1, RIGHT, path="/reviews/review", id="a-decision-of-the-boss").status_code == 201
    assert undo(one, "review", f"disagree-{one.id}") == 409
    assert undo(boss, "review", "a-decision-of-the-boss") == 403
    two = offered(one)
    assert two is not None
    send(one, two, {"verdict": "approve"}, id=f"exported-{one.id}")
    Local(portal).confirm("review", {f"exported-{one.id}"}, "somewhere")
    assert undo(one, "review", f"exported-{one.id}") == 409


def test_a_recording_is_read_again_by_choice(portal: Portal) -> None:
    record_queue(portal, 2)
    who = visitor(portal, "recorder")
    task = offered(who, "/record/record")
    assert task is not None
    first = upload(who, task, 1)
    assert undo(who, "record", first) == 303
    while check_next(portal):  # the check of what was undone changes nothing
        pass
    assert offered(who, "/record/record") == task and not list(Local(portal).results("record")[1])
    assert "Please read this clip again" not in who.client.get("/record/record").text
    better = upload(who, task, 2)
    while check_next(portal):
        pass
    assert [each.id for each in Local(portal).results("record")[1]] == [better]


def test_an_answer_of_a_survey_is_changed_until_the_last_one(portal: Portal) -> None:
    pushed(portal, "cmdar", per_cell=2, people=2, checks=0)
    who = participant(portal)
    who.client.post("/survey/survey", data={"token": who.token})
    assert answer_next(portal, who) == 201
    with portal.database.reading() as connection:
        queue = queue_of(connection, "survey")
        assert queue
        last = last_of(connection, queue, who.id)
        before = place_of(connection, queue, who.id)
    assert last and before and len(before.done) == 1
    assert undo(who, "survey", last.id) == 303
    page = who.client.get("/survey/survey").text
    assert (f'data-task="{last.task}"' in page and " checked" in page) or "<textarea" in page
    takes_part(portal, who)
    with portal.database.reading() as connection:
        queue = queue_of(connection, "survey")
        assert queue and last_of(connection, queue, who.id) is None  # it decided whether all of them count
        live = select(func.count()).select_from(submissions).where(submissions.c.state == "accepted")
        place = place_of(connection, queue, who.id)
        assert place and connection.execute(live).scalar() == len(place.sequence) and place.state == "valid"


@pytest.mark.parametrize("purpose", ["", "gold", "practice"])
def test_an_answer_to_a_known_task_is_not_changed(small: Portal, purpose: str) -> None:
    """Whoever could change it would learn that it is one, or has seen the right answer."""
    put(small, 2)
    who = visitor(small, "reviewer")
    send(who, 1, {"verdict": "approve"}, id="the-first-review-1")
    with small.database.writing() as connection:
        queue = queue_of(connection, "review")
        assert queue and last_of(connection, queue, who.id)
        connection.execute(update(tasks).where(tasks.c.id == 1).values(purpose=purpose))
        assert (last_of(connection, queue, who.id) is None) == bool(purpose)
    assert undo(who, "review", "the-first-review-1") == (409 if purpose else 303)
