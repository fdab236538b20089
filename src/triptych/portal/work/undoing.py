"""Changing one's last submission: it no longer counts, and its task is open again, with what was sent filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, exists, insert, or_, select, update

from triptych.errors import DataError
from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import DECISION, LIVE, exported, leases, participants, submissions, tasks
from triptych.portal.work.audit import note
from triptych.portal.work.claims import LEASE_MS
from triptych.portal.work.presence import hold_person
from triptych.portal.work.queues import Queue, hold_tasks, recount

UNDONE = "undone"  # the reason of a submission that its person takes back to change it


@dataclass(frozen=True)
class Last:
    """The last submission of a person in a queue, which they may change."""

    id: str
    task: int
    key: str
    body: Mapping[str, Any]
    at: int


def last_of(connection: Connection, queue: Queue, person: str) -> Last | None:
    """Return the last submission of a person in a queue; None if it can't be changed any more.

    It can't once it was exported, decided on by somebody, or its task closed; nor can a gold task or practice, nor the
    last answer of a survey, which decided whether all of them count.
    """
    sent = submissions.c
    query = (
        select(
            sent.id,
            sent.task_id,
            sent.slot,
            sent.state,
            sent.received_at,
            tasks.c.key,
            tasks.c.body,
            tasks.c.purpose,
            tasks.c.closed_at,
        )
        .select_from(submissions.join(tasks))
        .where(sent.queue_id == queue.id, sent.person_id == person)
        .order_by(sent.received_at.desc(), sent.id.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    if row is None or not _is_open(connection, queue, person, row):
        return None
    return Last(row.id, row.task_id, row.key, row.body, row.received_at)


def _is_open(connection: Connection, queue: Queue, person: str, row: Any) -> bool:
    if row.key.startswith("practice/"):  # its right answer was shown
        return False
    if row.state not in LIVE or row.purpose or row.closed_at is not None or row.slot == DECISION:
        return False
    other = submissions.alias("other")
    decided = exists().where(other.c.task_id == row.task_id, other.c.slot == DECISION, other.c.state.in_(LIVE))
    out = exists().where(exported.c.submission_id == row.id)
    if connection.execute(select(or_(decided, out))).scalar():
        return False
    if queue.kind != "survey":
        return True
    is_participant = (participants.c.queue_id == queue.id) & (participants.c.person_id == person)
    return connection.execute(select(participants.c.state).where(is_participant)).scalar() == "open"


def undo(connection: Connection, queue: Queue, person: str, submission: str) -> int:
    """Open the task of a person's last submission again, for them, and return its number.

    Raises DataError if it is not the last one, or can't be changed any more.
    """
    hold_person(connection, person)
    hold_tasks(connection, tasks.c.id.in_(select(submissions.c.task_id).where(submissions.c.id == submission)))
    last = last_of(connection, queue, person)
    if last is None or last.id != submission:
        raise DataError("this answer can't be changed any more", got=submission[:64])
    which = submissions.c.id == submission
    slot = connection.execute(select(submissions.c.slot).where(which)).scalar_one()
    # in a survey, a rejected answer is still an answer
    state = "again" if queue.kind == "survey" else "rejected"
    connection.execute(update(submissions).where(which).values(state=state, reasons=[UNDONE]))
    recount(connection, tasks.c.id == last.task)
    if queue.kind != "survey":
        is_own_lease = (leases.c.task_id == last.task) & (leases.c.person_id == person)
        connection.execute(delete(leases).where(is_own_lease))
        row = {
            "task_id": last.task,
            "slot": slot,
            "person_id": person,
            "taken_at": 0,
            "expires_at": now_ms() + LEASE_MS,
        }
        connection.execute(insert(leases), row)  # before any other task that they have open
    note(connection, "undone", person, submission, queue=queue.name)
    return last.task


def earlier_answers(connection: Connection, task: int, person: str) -> Mapping[str, Any] | None:
    """Return what a person had sent for a task that they are changing; None if they aren't."""
    sent = submissions.c
    query = (
        select(sent.answers, sent.reasons)
        .where(sent.task_id == task, sent.person_id == person)
        .order_by(sent.received_at.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return dict(row.answers) if row is not None and row.reasons == [UNDONE] else None
