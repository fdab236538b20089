"""Tests of `portal/demo/recording.py`: clips that a synthetic voice has read, and one recording that comes back."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from tests.portal.conftest import visitor
from triptych.portal.demo.content import content
from triptych.portal.demo.recording import QUEUE, READ, fill
from triptych.portal.project import Portal
from triptych.portal.store.tables import submissions, tasks
from triptych.portal.work.queues import progress, queue_of

pytest.importorskip("av", reason="PyAV comes with the extra [local]")


def test_first_clips_are_read_and_the_silent_one_comes_back_with_its_reason(small: Portal) -> None:
    woman, man = visitor(small, "recorder"), visitor(small, "recorder", gender="man")
    fill(small, [woman.id, man.id])
    with small.database.reading() as connection:
        queue = queue_of(connection, QUEUE)
        assert queue
        query = select(submissions.c.person_id, submissions.c.state, submissions.c.reasons)
        found = sorted(tuple(row[:2]) for row in connection.execute(query))
        reasons = [row.reasons for row in connection.execute(query) if row.state == "again"]
        bodies = connection.execute(select(tasks.c.body)).scalars().all()
        done = progress(connection, queue)
    assert found == sorted([(woman.id, "accepted"), (woman.id, "again"), (man.id, "accepted")])
    assert reasons == [["silent"]] and sum(READ.values()) == len(found)
    assert (done["done"], done["again"], done["received"]) == (2, 1, 0)
    assert len(bodies) == len(content()["recording"]["clips"]) and all(body["shows"]["text"] for body in bodies)
    page = woman.client.get(f"/record/{QUEUE}").text
    assert "almost nothing is heard" in page and "<ruby>" in page
