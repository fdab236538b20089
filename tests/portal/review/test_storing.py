"""Tests of `portal/review/storing.py`: votes, disagreements and decisions in the database."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select, update

from tests.portal.conftest import visitor
from triptych.portal.project import Portal
from triptych.portal.review.storing import (
    body_of,
    decided_submissions,
    disagrees,
    distinct_texts,
    first_field,
    is_whole,
    next_task,
    reviewed_tasks,
    slot_for,
)
from triptych.portal.store.tables import DECISION, leases, submissions, tasks
from triptych.portal.work.queues import NewTask, Queue, put_queue, put_tasks
from triptych.portal.work.submitting import Sent, submit

FORM = {"verdict": ["approve", "reject"], "why": "text"}
APPROVE, REJECT = {"verdict": "approve"}, {"verdict": "reject"}


def queue_with(portal: Portal, number: int, slots: int = 2, **settings: Any) -> tuple[Queue, list[int]]:
    """A queue of tasks that each of some reviewers does, with the numbers of the tasks."""
    with portal.database.writing() as connection:
        names = [str(slot + 1) for slot in range(slots)]
        queue = put_queue(connection, "review", "review", {"slots": names, **settings}, None)
        body = {"form": FORM, "shows": {"question": "谁？"}}
        put_tasks(connection, queue, [NewTask(f"k{n}", "d", body, wanted=slots) for n in range(number)])
        query = select(tasks.c.id).where(tasks.c.queue_id == queue.id).order_by(tasks.c.id)
        return queue, list(connection.execute(query).scalars())


def vote(portal: Portal, task: int, slot: str, values: dict[str, Any], person: str = "") -> str:
    name = f"vote-{task:06}-{slot:0>10}"
    person = person or visitor(portal, "reviewer").id
    submit(portal.database, Sent(name, task, slot, person, values, 5), checked=False)
    return name


def test_a_build_gets_one_result_of_each_task_on_which_reviewers_agree(portal: Portal) -> None:
    queue, (same, differ, settled, half, _) = queue_with(portal, 5, decided=True)
    first = vote(portal, same, "1", APPROVE)
    vote(portal, same, "2", APPROVE)
    for task in (differ, settled):
        vote(portal, task, "1", APPROVE)
        vote(portal, task, "2", REJECT)
    decision = vote(portal, settled, DECISION, REJECT)
    vote(portal, half, "1", APPROVE)
    with portal.database.reading() as connection:
        found = {task.id: task for task in list(reviewed_tasks(connection, queue))}
        assert list(found) == [same, differ, settled, half]
        assert {id: len(task.votes) for id, task in found.items()} == {same: 2, differ: 2, settled: 2, half: 1}
        assert (found[settled].decision, found[settled].decisive) == (REJECT, decision)
        assert [is_whole(queue, found[task]) for task in (same, differ, settled, half)] == [True, True, True, False]
        name = first_field(connection, queue)
        for first_name in ("", name):  # with and without the name, by which few tasks have to be read
            asked = [disagrees(connection, queue, found[task], first_name) for task in (same, differ, settled, half)]
            assert asked == [False, True, False, False]
        assert decided_submissions(connection, queue) == {first, decision}
        (alone,) = reviewed_tasks(connection, queue, differ)
        assert alone == found[differ]


def test_without_decisions_every_vote_counts_and_verifiers_decide_alone(small: Portal) -> None:
    queue, (task,) = queue_with(small, 1, slots=1)
    vote(small, task, "1", APPROVE)
    with small.database.writing() as connection:
        assert decided_submissions(connection, queue) is None
        queue = put_queue(connection, "review", "review", {"slots": ["1"], "verified": True}, None)
        assert decided_submissions(connection, queue) == set()  # nobody has verified it
    decision = vote(small, task, DECISION, REJECT)
    with small.database.reading() as connection:
        assert decided_submissions(connection, queue) == {decision}


def test_a_task_that_was_closed_is_whole(small: Portal) -> None:
    queue, (task,) = queue_with(small, 1)
    vote(small, task, "1", APPROVE)
    with small.database.writing() as connection:
        connection.execute(update(tasks).values(closed_at=5))
        (found,) = reviewed_tasks(connection, queue)
        assert found.closed and is_whole(queue, found) and not disagrees(connection, queue, found)


def test_a_submission_goes_into_the_slot_that_is_its_persons(portal: Portal) -> None:
    queue, (task, other) = queue_with(portal, 2, slots=3)
    one, two = visitor(portal, "reviewer").id, visitor(portal, "reviewer").id
    with portal.database.reading() as connection:
        assert slot_for(connection, queue, task, one, "id-of-a-submission") == "1"
    claimed = next_task(portal.database, queue, one)
    assert claimed and claimed.id == task
    with portal.database.reading() as connection:
        assert slot_for(connection, queue, task, one, "id-of-a-submission") == claimed.slot
        assert slot_for(connection, queue, task, two, "id-of-a-submission") != claimed.slot
    name = vote(portal, other, "3", APPROVE, two)
    with portal.database.writing() as connection:
        connection.execute(leases.delete())
        assert slot_for(connection, queue, other, one, name) == "3"  # it was sent before
    vote(portal, other, "1", APPROVE)
    with portal.database.reading() as connection:
        assert slot_for(connection, queue, other, one, "id-of-a-submission") == "2"
    vote(portal, other, "2", APPROVE)
    with portal.database.reading() as connection:
        assert slot_for(connection, queue, other, one, "id-of-a-submission") == "1"  # none is free: it is refused


def test_a_body_is_that_of_the_queue_and_an_empty_queue_has_no_field(small: Portal) -> None:
    queue, (task,) = queue_with(small, 1)
    with small.database.writing() as connection:
        other = put_queue(connection, "empty", "review", {}, None)
        assert (body_of(connection, queue, task) or {})["form"] == FORM
        assert body_of(connection, other, task) is None and body_of(connection, queue, 99) is None
        assert first_field(connection, queue) == "verdict" and first_field(connection, other) == ""
        assert list(reviewed_tasks(connection, other)) == [] and decided_submissions(connection, queue) in (None, set())


@pytest.mark.parametrize(
    ("edited", "compared"), [({"question": "x"}, True), ({"verdict": "approve"}, False), ({}, False)]
)
def test_texts_are_compared_only_if_one_was_edited(small: Portal, edited: dict[str, Any], compared: bool) -> None:
    queue, _ = queue_with(small, 1)
    body = {"checks": {"distinct": ["question"]}}
    with small.database.reading() as connection:
        assert (distinct_texts(connection, queue, body, edited) is not None) is compared
        assert distinct_texts(connection, queue, {}, edited) is None


def test_rejected_votes_and_those_of_other_queues_are_not_votes(small: Portal) -> None:
    queue, (task, other) = queue_with(small, 2)
    name = vote(small, task, "1", APPROVE)
    vote(small, other, "1", REJECT)
    with small.database.writing() as connection:
        connection.execute(update(submissions).where(submissions.c.id == name).values(state="rejected"))
        assert [found.id for found in reviewed_tasks(connection, queue)] == [other]
