"""Tests of `portal/work/submitting.py`: submissions."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select, update

from tests.portal.conftest import visitor
from tests.portal.work.test_work import queue_of_works, send, take
from triptych.errors import DataError
from triptych.portal.project import Portal
from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import (
    holders,
    leases,
    submissions,
)
from triptych.portal.work.queues import progress
from triptych.portal.work.submitting import Conflict, Sent, set_state, submit


def test_a_work_without_a_result_is_given_up_after_a_day_and_a_begun_one_never(portal: Portal) -> None:
    queue = queue_of_works(portal, 2, 2)
    begun, idle, eager = (visitor(portal, "recorder").id for _ in range(3))
    first, other = take(portal, queue, begun, "woman"), take(portal, queue, idle, "woman")
    assert first and other and first.work != other.work
    send(portal, first, begun, 1)

    def later(hours: int) -> None:
        with portal.database.writing() as connection:
            connection.execute(update(holders).values(since=now_ms() - hours * 3600 * 1000))
            connection.execute(update(submissions).values(received_at=now_ms() - hours * 3600 * 1000))
            connection.execute(leases.delete())

    later(23)
    assert take(portal, queue, eager, "woman") is None
    later(25)
    found = take(portal, queue, eager, "woman")
    assert found and found.work == other.work
    send(portal, found, eager, 2)
    later(300)
    with pytest.raises(Conflict, match="not yours"):
        send(portal, other, idle, 3)
    assert take(portal, queue, idle, "woman") is None
    back = take(portal, queue, begun, "woman")
    assert back and (back.work, back.position) == (first.work, 1)


def test_sending_again_changes_nothing_and_gives_the_same_receipt(portal: Portal) -> None:
    queue, person = queue_of_works(portal, 1, 2), visitor(portal, "recorder").id
    found = take(portal, queue, person, "woman")
    assert found
    first = send(portal, found, person, 1)
    assert send(portal, found, person, 1) == first
    with pytest.raises(Conflict, match="another submission"):
        submit(portal.database, Sent("id-00000000000001", found.id, "woman", person, {"x": 1}), checked=False)
    with pytest.raises(Conflict, match="done already"):
        send(portal, found, person, 2)
    with portal.database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(submissions)).scalar() == 1


def test_somebody_else_cannot_send_for_a_reader(small: Portal) -> None:
    queue = queue_of_works(small, 1, 1)
    reader, other = visitor(small, "recorder").id, visitor(small, "recorder").id
    found = take(small, queue, reader, "woman")
    assert found
    with pytest.raises(Conflict, match="not yours"):
        send(small, found, other, 1)
    with pytest.raises(Conflict, match="no such task"):
        submit(small.database, Sent("x" * 16, 999, "woman", other, {}), checked=False)
    with pytest.raises(DataError, match="id of a submission"):
        submit(small.database, Sent("x", found.id, "woman", reader, {}), checked=False)


def test_a_clip_to_do_again_comes_back_to_its_reader_with_the_reasons(portal: Portal) -> None:
    queue, person = queue_of_works(portal, 1, 2), visitor(portal, "recorder").id
    found = take(portal, queue, person, "woman")
    assert found
    send(portal, found, person, 1)
    with portal.database.writing() as connection:
        set_state(connection, "id-00000000000001", "again", ["silent"], None)
    again = take(portal, queue, person, "woman")
    assert again and again.id == found.id
    send(portal, again, person, 2)
    with portal.database.reading() as connection:
        assert progress(connection, queue) | {"leased": 0} == {
            "wanted": 4,
            "done": 1,
            "received": 0,
            "again": 1,
            "leased": 0,
        }
