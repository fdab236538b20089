"""Lists of submissions: in pages of a fixed size, nothing twice and nothing left out, however deep."""

from __future__ import annotations

import pytest
from sqlalchemy import select, text

from tests.portal.conftest import visitor
from triptych.portal.project import Portal
from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import submissions
from triptych.portal.work import queues
from triptych.portal.work.claims import claim
from triptych.portal.work.listing import next_page_start, page_of
from triptych.portal.work.queues import NewTask, Queue, progress, put_queue, put_tasks
from triptych.portal.work.submitting import Sent, submit


def filled(portal: Portal, number: int, kind: str = "annotation") -> Queue:
    """A queue whose tasks one person has done."""
    who = visitor(portal, "annotator").id
    with portal.database.writing() as connection:
        queue = put_queue(connection, "tasks", kind, {}, None)
        body = {"shows": {"text": "one"}, "form": {"answer": "text"}}
        put_tasks(connection, queue, [NewTask(str(n), "d", body) for n in range(number)])
    for n in range(number):
        found = claim(portal.database, queue, who, "1")
        assert found
        submit(portal.database, Sent(f"id-{n:014}", found.id, "1", who, {"answer": "two"}), checked=False)
    return queue


def pages(portal: Portal, queue: Queue, size: int) -> list[list[str]]:
    """The ids on each page, from the first to the last."""
    found, before = [], ""
    query = select(submissions.c.id, submissions.c.received_at)
    with portal.database.reading() as connection:
        while True:
            rows = [dict(r._mapping) for r in connection.execute(page_of(query, queue, "accepted", before, size))]
            found.append([row["id"] for row in rows])
            if not (before := next_page_start(rows, size)):
                return found


def test_pages_hold_everything_once_though_all_came_in_the_same_millisecond(portal: Portal) -> None:
    queue = filled(portal, 7)
    with portal.database.writing() as connection:
        connection.execute(submissions.update().values(received_at=5))
    found = pages(portal, queue, 3)
    assert [len(page) for page in found] == [3, 3, 1]
    assert [id for page in found for id in page] == [f"id-{n:014}" for n in reversed(range(7))]


@pytest.mark.parametrize("before", ["", "x", "5", "-", "٣-id", "9" * 40 + "-id", "99999999999999-'--"])
def test_an_address_that_was_changed_shows_the_first_page(portal: Portal, before: str) -> None:
    queue = filled(portal, 2)
    query = select(submissions.c.id, submissions.c.received_at)
    with portal.database.reading() as connection:
        assert len(connection.execute(page_of(query, queue, "accepted", before, 9)).all()) == 2


def test_results_of_closed_tasks_are_not_counted(portal: Portal) -> None:
    queue = filled(portal, 4)
    with portal.database.writing() as connection:
        put_tasks(connection, queue, [NewTask(str(n), "d", {}) for n in (1, 2, 9)])
        assert progress(connection, queue) == {"wanted": 3, "done": 2, "received": 0, "again": 0, "leased": 0}


def test_a_large_queue_is_counted_once_in_ten_seconds(small: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queues, "LARGE", 3)
    queue = filled(small, 3)
    with small.database.writing() as connection:
        before = progress(connection, queue)
        put_tasks(connection, queue, [NewTask("9", "d", {})])
        assert progress(connection, queue) == before
        later = now_ms() + 11_000
        monkeypatch.setattr(queues, "now_ms", lambda: later)
        monkeypatch.setitem(queues._pause, "until", later + 1)  # another queue was counted just now
        assert progress(connection, queue) == before
        monkeypatch.setitem(queues._pause, "until", later)
        assert progress(connection, queue)["wanted"] == 1


def test_a_new_queue_has_statistics_for_searches(portal: Portal) -> None:
    """PostgreSQL's own analysis comes up to a minute later; until then it would plan searches for tasks badly."""
    with portal.database.writing() as connection:
        if connection.dialect.name != "postgresql":
            pytest.skip("SQLite plans searches without statistics")
        queue = put_queue(connection, "tasks", "annotation", {}, None)
        put_tasks(connection, queue, [NewTask(str(n), "d", {}) for n in range(30)])
        known = connection.execute(text("SELECT reltuples FROM pg_class WHERE oid = 'tasks'::regclass")).scalar()
    assert known == 30
