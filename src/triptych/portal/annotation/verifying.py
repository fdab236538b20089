"""Verification: somebody who did not annotate a task sees what the annotators wrote, corrects it, and decides.

The decision is a submission of its own, in the slot `decision`; a build gets it, and nothing before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, exists, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from triptych.portal.people.records import Person
from triptych.portal.site.spoken import speaks
from triptych.portal.store.engine import Database, now_ms
from triptych.portal.store.tables import DECISION, LIVE, UNCOUNTED, leases, submissions, tasks
from triptych.portal.work.claims import LEASE_MS, RENEWED_MS, Claim
from triptych.portal.work.presence import Withdrawn, hold_person
from triptych.portal.work.queues import Queue, hold_tasks

TRIES = 200  # other processes may be faster at as many tasks


@dataclass(frozen=True)
class Version:
    """The answers of one annotator."""

    id: str
    answers: Mapping[str, Any]


def is_verified(queue: Queue) -> bool:
    """Return whether a queue has verifiers."""
    return bool(queue.settings.get("verified"))


def tasks_to_verify(connection: Connection, queue: Queue, person: Person, task: int | None = None) -> list[int]:
    """Return the tasks that a person may verify: all annotators are done, the person is none of them, and nobody has
    decided or is at it; that which the person has open comes first. `task`: only this one is looked at."""
    sent, is_own_lease = submissions.c, leases.c.person_id == person.id
    mine = exists().where(sent.task_id == tasks.c.id, sent.person_id == person.id, sent.state.in_(LIVE))
    decided = exists().where(sent.task_id == tasks.c.id, sent.slot == DECISION, sent.state.in_(LIVE))
    at_it = exists().where(
        leases.c.task_id == tasks.c.id,
        leases.c.slot == DECISION,
        ~is_own_lease,
        leases.c.expires_at > now_ms(),
    )
    which: ColumnElement[bool] = (tasks.c.queue_id == queue.id) & tasks.c.closed_at.is_(None)
    which &= (tasks.c.filled != UNCOUNTED) & (tasks.c.filled >= tasks.c.wanted) & ~mine & ~decided & ~at_it
    if task is not None:
        which &= tasks.c.id == task
    opened = exists().where(leases.c.task_id == tasks.c.id, leases.c.slot == DECISION, is_own_lease)
    query = select(tasks.c.id, tasks.c.body, opened.label("opened")).where(which).order_by(tasks.c.id)
    rows = connection.execute(query).all()
    matching_rows = [
        row for row in rows if not queue.settings.get("native") or speaks(person.native_language, row.body)
    ]
    return [row.id for row in sorted(matching_rows, key=lambda row: (not row.opened, row.id))]


def claim_verification(database: Database, queue: Queue, person: Person) -> Claim | None:
    """Return the next task to verify, reserved for the person; None if there is none."""
    for _ in range(TRIES):
        with database.reading() as connection:
            ids = tasks_to_verify(connection, queue, person)
        if not ids:
            return None
        try:
            with database.writing() as connection:
                hold_person(connection, person.id)
                hold_tasks(connection, tasks.c.id == ids[0])
                if tasks_to_verify(connection, queue, person, ids[0]):
                    _lease(connection, ids[0], person.id)
                    row = connection.execute(select(tasks).where(tasks.c.id == ids[0])).one()
                    return Claim(row.id, row.key, row.shown, row.body, row.work, row.place, DECISION)
        except IntegrityError:  # another process was faster
            continue
    return None


def renew_verification(database: Database, queue: Queue, task: int, person: Person) -> bool:
    """Reserve a task that a person verifies for two more hours; False if it doesn't wait for them any more."""
    is_own_lease = (leases.c.task_id == task) & (leases.c.slot == DECISION) & (leases.c.person_id == person.id)
    with database.reading() as connection:
        if not tasks_to_verify(connection, queue, person, task):
            return False
        until = connection.execute(select(leases.c.expires_at).where(is_own_lease)).scalar()
    if until is not None and until - now_ms() > LEASE_MS - RENEWED_MS:
        return True
    try:
        with database.writing() as connection:
            hold_person(connection, person.id)
            hold_tasks(connection, tasks.c.id == task)
            if not tasks_to_verify(connection, queue, person, task):
                return False
            _lease(connection, task, person.id)
            return True
    except (IntegrityError, Withdrawn):  # somebody else took it at this moment, or the person has left
        return False


def _lease(connection: Connection, task: int, person: str) -> None:
    until = now_ms() + LEASE_MS
    slot = (leases.c.task_id == task) & (leases.c.slot == DECISION)
    connection.execute(delete(leases).where(slot, leases.c.person_id != person, leases.c.expires_at <= now_ms()))
    if not connection.execute(
        update(leases).where(slot, leases.c.person_id == person).values(expires_at=until)
    ).rowcount:
        row = {
            "task_id": task,
            "slot": DECISION,
            "person_id": person,
            "taken_at": now_ms(),
            "expires_at": until,
        }
        connection.execute(insert(leases), row)


def may_verify(connection: Connection, queue: Queue, task: int, person: Person, sent: str) -> bool:
    """Return whether a person may decide on a task, or sent this very decision before."""
    same = (submissions.c.id == sent) & (submissions.c.person_id == person.id) & (submissions.c.slot == DECISION)
    if connection.execute(select(submissions.c.id).where(same)).scalar() is not None:
        return True
    return is_verified(queue) and bool(tasks_to_verify(connection, queue, person, task))


def versions(connection: Connection, task: int) -> list[Version]:
    """Return what the annotators of a task wrote, in the order of their slots."""
    sent = submissions.c
    query = (
        select(sent.id, sent.answers)
        .where(sent.task_id == task, sent.state.in_(LIVE), sent.slot != DECISION)
        .order_by(sent.slot)
    )
    return [Version(row.id, row.answers) for row in connection.execute(query)]


def count_unverified(connection: Connection, queue: Queue) -> int:
    """Return the number of tasks that wait for a verifier."""
    sent = submissions.c
    decided = exists().where(sent.task_id == tasks.c.id, sent.slot == DECISION, sent.state.in_(LIVE))
    which = (tasks.c.queue_id == queue.id) & tasks.c.closed_at.is_(None) & (tasks.c.filled != UNCOUNTED)
    query = select(func.count()).select_from(tasks).where(which, tasks.c.filled >= tasks.c.wanted, ~decided)
    return int(connection.execute(query).scalar() or 0)
