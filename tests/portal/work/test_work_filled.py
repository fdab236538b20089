"""The number of results of each task, by which the next task is found."""

from __future__ import annotations

from sqlalchemy import func, select, update

from tests.portal.conftest import visitor
from tests.portal.work.test_work import queue_of_works, send, take
from triptych.portal.project import Portal
from triptych.portal.store.tables import DECISION, LIVE, submissions, tasks
from triptych.portal.work.submitting import set_state
from triptych.portal.work.withdrawing import withdraw


def results_of_tasks(portal: Portal) -> dict[int, tuple[int, int]]:
    """For each task the number of results that is written down, and the true one."""
    counts = select(func.count()).where(
        submissions.c.task_id == tasks.c.id, submissions.c.state.in_(LIVE), submissions.c.slot != DECISION
    )
    with portal.database.reading() as connection:
        rows = connection.execute(select(tasks.c.id, tasks.c.filled, counts.scalar_subquery())).all()
    return {id: (filled, counted) for id, filled, counted in rows}


def test_the_number_of_results_of_a_task_is_kept(portal: Portal) -> None:
    queue = queue_of_works(portal, 1, 3)
    man, woman = (visitor(portal, "recorder", gender=gender).id for gender in ("man", "woman"))
    sent = []
    for person, slot in ((man, "man"), (woman, "woman")):
        for _ in range(2):
            found = take(portal, queue, person, slot)
            assert found
            send(portal, found, person, len(sent))
            sent.append((found.id, f"submission-{len(sent):08}"))
    first = sent[0][0]
    assert results_of_tasks(portal)[first] == (2, 2)
    with portal.database.reading() as connection:
        ids = connection.execute(select(submissions.c.id).order_by(submissions.c.received_at)).scalars().all()
    for state, number in (("again", 1), ("accepted", 2), ("rejected", 1), ("received", 2)):
        with portal.database.writing() as connection:
            set_state(connection, ids[0], state, [], None)
        assert results_of_tasks(portal)[first] == (number, number)
    withdraw(portal.database, portal.blobs, woman, woman)
    found = results_of_tasks(portal)
    assert found[first] == (1, 1) and all(filled == counted for filled, counted in found.values())


def test_tasks_with_all_their_results_are_not_looked_at_for_the_next_one(small: Portal) -> None:
    queue, who = queue_of_works(small, 1, 3), visitor(small, "recorder").id
    with small.database.writing() as connection:
        connection.execute(update(tasks).where(tasks.c.key == "0/0").values(filled=2))
    found = take(small, queue, who, "woman")
    assert found and found.key == "0/1"
