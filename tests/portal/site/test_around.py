"""Tests of `portal/site/around.py`: what every page of work shows around a task."""

from __future__ import annotations

from dataclasses import replace

import msgspec
from sqlalchemy import insert
from starlette.requests import Request

from tests.portal.conftest import Visitor, visitor
from tests.portal.review.test_review import offered, put, send
from triptych.portal.project import Portal
from triptych.portal.site.around import rule_of, surrounding_values
from triptych.portal.site.page import Visit
from triptych.portal.store.tables import standings
from triptych.portal.work.gold import KnownTask, Rule, put_known
from triptych.portal.work.queues import Queue, queue_of


def visit_of(portal: Portal, who: Visitor) -> Visit:
    return Visit(portal, Request({"type": "http", "headers": []}), who.session, "en")


def queue(portal: Portal) -> Queue:
    with portal.database.reading() as connection:
        found = queue_of(connection, "review")
    assert found
    return found


def test_somebody_who_begins_sees_nothing_around_the_task(small: Portal) -> None:
    put(small, 2)
    nothing = {"feedback": None, "last": None, "barred": False, "last_title": ""}
    assert surrounding_values(visit_of(small, visitor(small, "reviewer")), queue(small)) == nothing


def test_the_last_answer_is_offered_with_its_title_to_the_one_who_gave_it(portal: Portal) -> None:
    put(portal, 2)
    who, other = visitor(portal, "reviewer"), visitor(portal, "reviewer")
    task = offered(who)
    assert task
    send(who, task, {"verdict": "approve"}, id="the-first-review-1")
    found = surrounding_values(visit_of(portal, who), queue(portal))
    assert (found["last"].id, found["last"].task, found["last_title"]) == ("the-first-review-1", task, "谁在说话？")
    assert surrounding_values(visit_of(portal, other), queue(portal))["last"] is None


def test_practice_has_its_feedback_and_is_not_changed(small: Portal) -> None:
    put(small, 2)
    with small.database.writing() as connection:
        known = KnownTask("talk/0", {"verdict": ["reject"]}, {"en": "It is harmful."})
        put_known(connection, queue(small).id, "practice", [known], None)
    who = visitor(small, "reviewer")
    task = offered(who)
    assert task
    send(who, task, {"verdict": "approve"})
    found = surrounding_values(visit_of(small, who), queue(small))
    assert found["feedback"].why == {"en": "It is harmful."} and found["feedback"].share == 0
    assert found["last"] is None and found["last_title"] == ""


def test_whoever_gets_no_more_tasks_is_told(small: Portal) -> None:
    put(small, 1)
    who, other = visitor(small, "reviewer"), visitor(small, "reviewer")
    with small.database.writing() as connection:
        row = {"queue_id": queue(small).id, "person_id": who.id, "barred_at": 5}
        connection.execute(insert(standings), row)
    assert surrounding_values(visit_of(small, who), queue(small))["barred"] is True
    assert surrounding_values(visit_of(small, other), queue(small))["barred"] is False


def test_the_rule_of_a_queue_is_that_of_its_own_settings(small: Portal) -> None:
    put(small, 1)
    strict = Rule(every=3, least=0.9)
    settings = msgspec.structs.replace(small.settings, gold={"review": strict, "reviews": Rule(every=1)})
    who = visitor(small, "reviewer")
    assert rule_of(visit_of(replace(small, settings=settings), who), queue(small)) == strict
    assert rule_of(visit_of(small, who), queue(small)) == Rule()
