"""Nobody is stuck: a task that is done is never offered, and nobody is sent away while there is work."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from tests.portal.conftest import visitor
from triptych.errors import DataError
from triptych.portal.project import Portal
from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import LIVE, holders, leases, submissions, tasks
from triptych.portal.work import claims as claiming
from triptych.portal.work.claims import claim, claim_any, renew
from triptych.portal.work.queues import NewTask, Queue, put_queue, put_tasks
from triptych.portal.work.submitting import Sent, submit


def works(portal: Portal, number: int, clips: int, wanted: int = 1) -> Queue:
    with portal.database.writing() as connection:
        queue = put_queue(connection, "record", "recording", {"slots": ["1"] if wanted == 1 else ["1", "2"]}, None)
        new = [
            NewTask(f"{w}/{c}", "d", {}, f"w{w}" if clips > 1 else "", c, wanted)
            for w in range(number)
            for c in range(clips)
        ]
        put_tasks(connection, queue, new)
    return queue


def send(portal: Portal, task: int, person: str, id: str, slot: str = "1") -> Any:
    return submit(portal.database, Sent(id.ljust(16, "-"), task, slot, person, {}, 5), checked=False)


def stale(portal: Portal) -> list[int]:
    """Tasks that somebody has open and has done."""
    same = (leases.c.task_id == submissions.c.task_id) & (leases.c.person_id == submissions.c.person_id)
    with portal.database.reading() as connection:
        query = select(leases.c.task_id).join(submissions, same & submissions.c.state.in_(LIVE))
        return list(connection.execute(query).scalars())


def test_a_page_beside_ones_own_upload_does_not_open_the_task_again(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue, person = works(portal, 2, 3), visitor(portal, "recorder").id
    first = claim(portal.database, queue, person, "1")
    assert first
    found, sent = threading.Event(), threading.Event()
    real = claiming._lease

    def slow(*given: Any) -> None:  # the page has found the open task, and is about to write its lease
        found.set()
        sent.wait(0.5)
        real(*given)

    monkeypatch.setattr(claiming, "_lease", slow)
    with ThreadPoolExecutor(2) as pool:
        page = pool.submit(claim, portal.database, queue, person, "1")
        assert found.wait(10)
        pool.submit(send, portal, first.id, person, "a").add_done_callback(lambda _: sent.set())
        page.result()
    monkeypatch.setattr(claiming, "_lease", real)
    assert stale(portal) == []
    after = claim(portal.database, queue, person, "1")
    assert after and after.id != first.id


def test_a_lease_of_a_done_task_that_an_earlier_version_left_is_removed(portal: Portal) -> None:
    queue, person = works(portal, 1, 2), visitor(portal, "recorder").id
    first = claim(portal.database, queue, person, "1")
    assert first
    send(portal, first.id, person, "a")
    row = {
        "task_id": first.id,
        "slot": "1",
        "person_id": person,
        "taken_at": now_ms(),
        "expires_at": now_ms() + 10**7,
    }
    with portal.database.writing() as connection:
        connection.execute(insert(leases), row)
    assert not renew(portal.database, queue, first.id, person, "1")
    after = claim(portal.database, queue, person, "1")
    assert after and after.id != first.id and stale(portal) == []


@pytest.mark.slow
def test_many_pages_and_uploads_at_once_leave_no_done_task_open(portal: Portal) -> None:
    queue = works(portal, 60, 3)
    readers = [visitor(portal, "recorder").id for _ in range(6)]
    draw = random.Random(3)
    refused: list[str] = []

    def pages(person: str) -> None:
        for _ in range(40):
            claim(portal.database, queue, person, "1")

    def uploads(person: str) -> None:
        for turn in range(25):
            if found := claim(portal.database, queue, person, "1"):
                try:
                    send(portal, found.id, person, f"{person}-{turn}")
                except DataError as error:
                    refused.append(str(error))

    with ThreadPoolExecutor(12) as pool:
        both = [(act, person) for act in (pages, uploads) for person in readers]
        draw.shuffle(both)
        for done in [pool.submit(act, person) for act, person in both]:
            done.result()
    assert stale(portal) == [] and refused == []


def test_nobody_is_sent_away_while_there_is_work(portal: Portal) -> None:
    """Four people of very different speed, of whom others sleep: each page shows a clip until every work is taken."""
    queue = works(portal, 20, 2)
    readers = [visitor(portal, "recorder").id for _ in range(4)]
    for person in readers[1:]:  # they open a page, read a clip, and go to sleep
        found = claim(portal.database, queue, person, "1")
        assert found
        send(portal, found.id, person, f"sleeps-{person}")
    done = Counter[str]()
    for turn in range(100):
        found = claim(portal.database, queue, readers[0], "1")
        if found is None:
            break
        send(portal, found.id, readers[0], f"t{turn}")
        done[readers[0]] += 1
    assert done[readers[0]] == 34  # all clips of the 17 works that nobody else has begun


def test_single_tasks_are_never_kept_from_the_only_one_who_is_here(portal: Portal) -> None:
    queue = works(portal, 12, 1, wanted=2)
    here, away = visitor(portal, "recorder").id, visitor(portal, "recorder").id
    found = claim_any(portal.database, queue, away, ("1", "2"))
    assert found
    send(portal, found.id, away, "away", found.slot)
    taken = 0
    while found := claim_any(portal.database, queue, here, ("1", "2")):
        send(portal, found.id, here, f"here-{taken}", found.slot)
        taken += 1
    assert taken == 12


def test_an_administrator_may_limit_how_much_one_person_does(portal: Portal) -> None:
    queue, person = works(portal, 5, 2), visitor(portal, "recorder").id
    taken = 0
    while found := claim(portal.database, queue, person, "1", max_tasks=3):
        send(portal, found.id, person, f"{taken}")
        taken += 1
    assert taken == 4  # a work that was begun is finished


def test_the_page_says_that_a_limit_is_reached(small: Portal, enter: Callable[..., Any]) -> None:
    (small.path / "portal.toml").write_text("[most]\nrecord = 1\n")
    from triptych.portal.project import open_portal

    again = open_portal(small.path)
    works(again, 3, 1)
    who = visitor(again, "recorder")
    who.client.get("/record/record")
    with again.database.reading() as connection:
        task = connection.execute(select(leases.c.task_id)).scalar_one()
    send(again, task, who.id, "a")
    assert "as much as one person may do" in who.client.get("/record/record").text
    again.close()


def test_a_work_that_nobody_has_touched_for_a_day_is_free(portal: Portal) -> None:
    queue = works(portal, 1, 2)
    idle, eager = visitor(portal, "recorder").id, visitor(portal, "recorder").id
    assert claim(portal.database, queue, idle, "1")
    with portal.database.writing() as connection:
        connection.execute(update(holders).values(since=now_ms() - 25 * 3600 * 1000))
        connection.execute(leases.delete())
    assert claim(portal.database, queue, eager, "1")
    with portal.database.reading() as connection:
        assert connection.execute(select(tasks.c.id)).all()
