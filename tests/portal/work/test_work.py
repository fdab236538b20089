"""Tasks: each slot goes to one person, all of a work to the same one, results count once, and leave on withdrawal."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import update

from tests.portal.conftest import Visitor, visitor
from triptych.portal.project import Portal
from triptych.portal.store.tables import (
    people,
)
from triptych.portal.work.claims import Claim, claim
from triptych.portal.work.queues import NewTask, Queue, put_queue, put_tasks
from triptych.portal.work.submitting import Sent, submit


def queue_of_works(portal: Portal, works: int, clips: int, name: str = "record") -> Queue:
    with portal.database.writing() as connection:
        queue = put_queue(connection, name, "recording", {}, None)
        new = [NewTask(f"{w}/{c}", "d", {}, f"work-{w}", c, 2) for w in range(works) for c in range(clips)]
        put_tasks(connection, queue, new)
    return queue


def take(portal: Portal, queue: Queue, person: str, slot: str) -> Claim | None:
    return claim(portal.database, queue, person, slot)


def send(portal: Portal, found: Claim, person: str, number: int, **more: object) -> dict[str, object]:
    sent = Sent(f"id-{number:014}", found.id, found.slot, person, {}, 5, **more)  # type: ignore[arg-type]
    return submit(portal.database, sent, checked=False)


def test_the_clip_that_is_open_comes_again_after_a_reload(portal: Portal) -> None:
    queue, person = queue_of_works(portal, 2, 2), visitor(portal, "recorder").id
    first = take(portal, queue, person, "woman")
    assert first and take(portal, queue, person, "woman") == first
    send(portal, first, person, 1)
    second = take(portal, queue, person, "woman")
    assert second and (second.work, second.position) == (first.work, 1)


def test_many_at_once_with_one_id_are_one_submission(portal: Portal) -> None:
    queue, person = queue_of_works(portal, 1, 1), visitor(portal, "recorder").id
    found = take(portal, queue, person, "woman")
    assert found
    with ThreadPoolExecutor(8) as pool:
        receipts = list(pool.map(lambda _: tuple(send(portal, found, person, 1).items()), range(16)))
    assert len(set(receipts)) == 1


def test_hours_are_for_pay_and_cells_are_harmless(enter: Callable[..., Visitor], small: Portal) -> None:
    queue, who = queue_of_works(small, 1, 1), enter("recorder")
    found = take(small, queue, who.id, "woman")
    assert found
    send(small, found, who.id, 1)
    with small.database.writing() as connection:
        connection.execute(update(people).where(people.c.id == who.id).values(label="=1+1"))
    lines = enter("admin").client.get("/hours.csv").text.splitlines()
    assert lines[1].split(",")[1:] == [
        "'=1+1",
        "record",
        "recording",
        "5",
        "1",
        "1",
        "0",
        "1.0",
        "0.0",
        "",
        "0.0",
        "0.0",
        "",
    ]
