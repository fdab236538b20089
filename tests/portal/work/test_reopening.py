"""Tests of `portal/work/reopening.py`: results that a recipe sends back."""

from __future__ import annotations

from hashlib import sha256

from sqlalchemy import select

from tests.portal.conftest import visitor
from tests.portal.work.test_work import queue_of_works, send, take
from triptych.portal.project import Portal
from triptych.portal.store.tables import (
    audit,
    submissions,
)
from triptych.portal.work.claims import Claim
from triptych.portal.work.keeping import Medium
from triptych.portal.work.queues import put_queue, put_tasks
from triptych.portal.work.reopening import Back, send_back
from triptych.portal.work.submitting import set_state


def test_what_the_recipe_sends_back_is_done_again_by_its_reader(portal: Portal) -> None:
    queue, person = queue_of_works(portal, 1, 2), visitor(portal, "recorder").id
    names = [sha256(content).hexdigest() for content in (b"first", b"other", b"newer")]

    def take_and_send(number: int) -> Claim:
        found = take(portal, queue, person, "woman")
        assert found
        send(portal, found, person, number, media=(Medium("audio", names[number], 5, "audio/wav"),))
        return found

    first = take_and_send(0)
    take_and_send(1)
    with portal.database.writing() as connection:
        put_tasks(connection, queue, [])  # the build has enough results
        for changed in (1, 0):  # the second time nothing changes
            back = send_back(connection, queue, {names[0]: "asr 0.3", "0" * 64: "of another portal"}, None)
            assert (back.tasks, back.number) == ({first.id}, changed)
            assert put_tasks(connection, queue, [], back.tasks)["open"] == 1
    assert take_and_send(2).id == first.id
    with portal.database.writing() as connection:
        back = send_back(connection, queue, {names[0]: "asr 0.3"}, None)
        assert (back.tasks, back.number) == ({first.id}, 0)  # what was made since counts
        put_tasks(connection, queue, [], back.tasks)
        why = connection.execute(select(audit.c.detail).where(audit.c.action == "submission again")).scalar_one()
    assert why == {"reasons": ["recipe"], "why": "asr 0.3"}
    assert take(portal, queue, person, "woman") is None


def test_media_that_nobody_here_sent_and_results_that_count_no_more_are_passed_over(portal: Portal) -> None:
    """More hashes than one query takes, those of another queue among them."""
    queue, other, person = (
        queue_of_works(portal, 1, 2),
        queue_of_works(portal, 1, 1, "other"),
        visitor(portal, "recorder").id,
    )
    names = [sha256(content).hexdigest() for content in (b"first", b"second", b"elsewhere")]
    for number, where in enumerate((queue, queue, other)):
        found = take(portal, where, person, "woman")
        assert found
        send(portal, found, person, number, media=(Medium("audio", names[number], 5, "audio/wav"),))
    strangers = {f"{number:064x}": "unknown" for number in range(1200)}
    with portal.database.writing() as connection:
        set_state(connection, f"id-{0:014}", "rejected", ["other"], None)
        back = send_back(connection, queue, {**strangers, **dict.fromkeys(names, "too quiet")}, None)
        found = connection.execute(select(submissions.c.id, submissions.c.state, submissions.c.task_id)).all()
    states, of_task = {row.id: row.state for row in found}, {row.id: row.task_id for row in found}
    assert states == {f"id-{0:014}": "rejected", f"id-{1:014}": "again", f"id-{2:014}": "accepted"}
    assert (back.tasks, back.number) == ({of_task[f"id-{1:014}"]}, 1)


def test_nothing_to_send_back_is_nothing(small: Portal) -> None:
    with small.database.writing() as connection:
        assert send_back(connection, put_queue(connection, "r", "recording", {}, None), {}, None) == Back(
            frozenset(), 0
        )
