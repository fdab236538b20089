"""Tests of `portal/demo/review.py`: reviews of the demo, some of two people who don't always agree."""

from __future__ import annotations

from sqlalchemy import select

from tests.portal.conftest import visitor
from triptych.portal.demo.content import content
from triptych.portal.demo.review import NUMBER, QUEUE, fill
from triptych.portal.project import Portal
from triptych.portal.review.storing import disagrees, reviewed_tasks
from triptych.portal.store.tables import blobs, tasks
from triptych.portal.work.queues import progress, queue_of


def test_first_questions_are_reviewed_and_one_waits_for_a_decision(small: Portal) -> None:
    one, other = visitor(small, "reviewer"), visitor(small, "reviewer")
    fill(small, [one.id, other.id])
    verdicts = content()["review"]["verdicts"]
    with small.database.reading() as connection:
        queue = queue_of(connection, QUEUE)
        assert queue
        found = list(reviewed_tasks(connection, queue))
        assert [list(task.votes.values()) for task in found] == verdicts
        differ = [task for task in found if disagrees(connection, queue, task)]
        assert 0 < len(differ) < len(verdicts)
        assert progress(connection, queue)["wanted"] == 2 * NUMBER
        bodies = connection.execute(select(tasks.c.body)).scalars().all()
        media = set(connection.execute(select(blobs.c.sha256)).scalars())
    assert {body["shows"]["media"]["audio"] for body in bodies} == media
    assert all(body["guide"] and "zh" in body["guides"] and body["shows"]["options"] for body in bodies)


def test_the_next_reviewer_hears_a_question_that_is_not_reviewed(small: Portal) -> None:
    fill(small, [visitor(small, "reviewer").id, visitor(small, "reviewer").id])
    third = visitor(small, "reviewer")
    page = third.client.get(f"/review/{QUEUE}").text
    source = page.partition("<audio")[2].partition('src="')[2].partition('"')[0]
    assert 'data-task="' in page and third.client.get(source).headers["content-type"].startswith("audio/")
