"""Tests of `portal/people/managing.py`: an administrator's acts about people, none of which erases anything."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from tests.portal.conftest import visitor
from tests.portal.work.test_work import queue_of_works, send, take
from triptych.errors import DataError
from triptych.portal.people.hours import hours_of
from triptych.portal.people.managing import give_work, pause
from triptych.portal.project import Portal
from triptych.portal.store.tables import queues, submissions, tasks


def test_a_work_is_given_away_whole(portal: Portal) -> None:
    """All of a work is done by one person: earlier results of it don't count any more, and are still paid."""
    queue = queue_of_works(portal, 1, 3)
    first, second = (visitor(portal, "recorder").id for _ in range(2))
    man = visitor(portal, "recorder", gender="man").id
    other, idle = visitor(portal, "participant").id, visitor(portal, "recorder").id
    for number in range(2):
        found = take(portal, queue, first, "woman")
        assert found
        send(portal, found, first, number)
    assert take(portal, queue, second, "woman") is None
    with portal.database.writing() as connection:
        name = connection.execute(select(queues.c.name)).scalar_one()
        work = connection.execute(select(tasks.c.work)).scalars().first() or ""
        with pytest.raises(DataError, match="gender"):
            give_work(connection, first, name, work, man, None)
        with pytest.raises(DataError, match="role"):  # they couldn't open it, and nobody else would get it
            give_work(connection, first, name, work, other, None)
        pause(connection, idle, None)
        with pytest.raises(DataError, match="paused"):
            give_work(connection, first, name, work, idle, None)
        assert give_work(connection, first, name, work, second, None) == 2
        with pytest.raises(DataError, match="doesn't hold"):
            give_work(connection, first, name, work, second, None)
    places = []
    for number in range(3):
        found = take(portal, queue, second, "woman")
        assert found
        places.append(found.position)
        send(portal, found, second, 10 + number)
    assert places == [0, 1, 2] and take(portal, queue, first, "woman") is None
    with portal.database.reading() as connection:
        states = connection.execute(select(submissions.c.state).where(submissions.c.person_id == first)).scalars().all()
        assert list(states) == ["rejected"] * 2 and hours_of(connection, first)[0].submitted == 2
        assert connection.execute(select(tasks.c.filled)).scalars().all() == [1, 1, 1]


def test_a_work_that_is_freed_goes_to_the_next(small: Portal) -> None:
    queue = queue_of_works(small, 1, 2)
    first, second = (visitor(small, "recorder").id for _ in range(2))
    found = take(small, queue, first, "woman")
    assert found
    with small.database.writing() as connection:
        name = connection.execute(select(queues.c.name)).scalar_one()
        assert give_work(connection, first, name, found.work, "", None) == 0
    taken = take(small, queue, second, "woman")
    assert taken and taken.work == found.work
