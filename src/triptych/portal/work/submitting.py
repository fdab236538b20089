"""Submissions: what a person did, sent as often as the network needs, counted once, with a receipt."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, and_, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from triptych.errors import DataError
from triptych.portal.store.engine import Database, now_ms
from triptych.portal.store.tables import (
    DECISION,
    LIVE,
    SUBMISSION_STATES,
    checks,
    holders,
    leases,
    receipts,
    submission_blobs,
    submissions,
    tasks,
)
from triptych.portal.work.audit import note
from triptych.portal.work.gold import grade_answers, judge_by_state, own_slot, state_of, tries_of
from triptych.portal.work.keeping import Keep, Medium, put_blob
from triptych.portal.work.presence import hold_person
from triptych.portal.work.queues import hold_tasks, recount
from triptych.portal.work.words import words_of

ID = re.compile(r"[0-9A-Za-z_-]{16,64}")
MAX_SECONDS = 6 * 3600  # of work on one task; longer was not work


class Conflict(DataError):
    """A submission that can't be taken: its id was used for something else, or the task is somebody else's."""


@dataclass(frozen=True)
class Sent:
    """A result as a browser sends it. `id` is made there, once, before the first attempt to send it."""

    id: str
    task: int
    slot: str
    person: str
    answers: Mapping[str, Any]
    seconds: int = 0
    media: tuple[Medium, ...] = ()


def submit(database: Database, sent: Sent, *, checked: bool, keep: Keep = put_blob) -> dict[str, Any]:
    """Take a submission and return its receipt: `{"id", "sha256", "size", "at"}`; the same one if it was taken before.

    `checked`: a check decides whether it is accepted; otherwise it is at once. `keep`: stores a medium and its row, in
    the transaction (`work.keeping`). Raises Conflict if the id was used for something else, if the slot has a
    submission already, or if somebody else has the task; Withdrawn; DataError for a bad id.
    """
    if not ID.fullmatch(sent.id):
        raise DataError("not an id of a submission", got=sent.id[:80], expected="16 to 64 letters, digits, - or _")
    try:
        with database.writing() as connection:
            hold_person(connection, sent.person)  # before the tasks, as in a withdrawal
            hold_tasks(connection, tasks.c.id == sent.task)  # one at a time
            if connection.execute(select(tasks.c.purpose).where(tasks.c.id == sent.task)).scalar():
                sent = replace(sent, slot=own_slot(sent.person))
            return _earlier_submission(connection, sent) or _take(connection, sent, checked, keep)
    except IntegrityError:  # another process took the same id, or the slot, at the same moment
        with database.reading() as connection:
            if earlier := _earlier_submission(connection, sent):
                return earlier
        raise Conflict("somebody has done this task already", where=sent.id) from None


def set_state(
    connection: Connection, submission: str, state: str, reasons: Sequence[str], by: str | None, **details: str
) -> None:
    """Accept or reject a submission, or have it done again; the reasons are shown to the person who does it again.

    `details`: more for the audit trail.
    """
    assert state in SUBMISSION_STATES
    its = tasks.c.id == select(submissions.c.task_id).where(submissions.c.id == submission).scalar_subquery()
    hold_tasks(connection, its)
    changed = update(submissions).where(submissions.c.id == submission, submissions.c.state != "erased")
    connection.execute(changed.values(state=state, reasons=list(reasons)))
    judge_by_state(connection, submission, state)
    recount(connection, its)
    note(connection, f"submission {state}", by, submission, reasons=list(reasons), **details)


def _earlier_submission(connection: Connection, sent: Sent) -> dict[str, Any] | None:
    row = connection.execute(
        select(submissions.c.digest, submissions.c.person_id, receipts)
        .join(receipts)
        .where(submissions.c.id == sent.id)
    ).one_or_none()
    if row is None:
        return None
    if (row.digest, row.person_id) != (_digest(sent), sent.person):
        raise Conflict("the id was used for another submission", where=sent.id)
    return {"id": sent.id, "sha256": row.sha256, "size": row.size, "at": row.issued_at}


def _take(connection: Connection, sent: Sent, checked: bool, keep: Keep) -> dict[str, Any]:
    task, at = _owned(connection, sent), now_ms()
    share = grade_answers(task, sent.answers) if task.purpose else None
    if task.purpose and not checked:
        state = state_of(task, share, tries_of(connection, sent.task, sent.person))
    else:
        state = "received" if checked else "accepted"
    connection.execute(
        insert(submissions),
        {
            "id": sent.id,
            "task_id": sent.task,
            "queue_id": task.queue_id,
            "slot": sent.slot,
            "person_id": sent.person,
            "digest": _digest(sent),
            "answers": dict(sent.answers),
            "seconds": min(max(sent.seconds, 0), MAX_SECONDS),
            "words": words_of(task.body),
            "state": state,
            "reasons": [],
            "received_at": at,
            "gold": share,
        },
    )
    recount(connection, tasks.c.id == sent.task)
    for medium in sent.media:
        keep(connection, medium)
        named = {"submission_id": sent.id, "field": medium.field, "form": "original", "sha256": medium.sha256}
        connection.execute(insert(submission_blobs), named)
    if checked:
        connection.execute(insert(checks), {"submission_id": sent.id, "changed_at": at})
    connection.execute(delete(leases).where(leases.c.task_id == sent.task, leases.c.person_id == sent.person))
    decision = {"decision": True} if sent.slot == DECISION else {}
    note(
        connection,
        "submitted",
        sent.person,
        sent.id,
        task=sent.task,
        media=[each.sha256 for each in sent.media],
        **decision,
    )
    name, size = (sent.media[0].sha256, sent.media[0].size) if sent.media else (_digest(sent), 0)
    connection.execute(insert(receipts), {"submission_id": sent.id, "sha256": name, "size": size, "issued_at": at})
    return {"id": sent.id, "sha256": name, "size": size, "at": at}


def _owned(connection: Connection, sent: Sent) -> Row[Any]:
    """Return the task. Raises Conflict unless it is this person's: leased to them, or of a work that they hold."""
    task = connection.execute(select(tasks).where(tasks.c.id == sent.task)).one_or_none()
    if task is None:
        raise Conflict("there is no such task", where=sent.id, got=sent.task)
    leased = connection.execute(
        select(leases.c.slot).where(leases.c.task_id == sent.task, leases.c.person_id == sent.person)
    ).scalar()
    same = and_(holders.c.queue_id == task.queue_id, holders.c.work == task.work, holders.c.person_id == sent.person)
    held = connection.execute(select(holders.c.slot).where(same)).scalar() if task.work else None
    taken = select(leases.c.person_id).where(leases.c.task_id == sent.task, leases.c.slot == sent.slot)
    free = not task.work and connection.execute(taken).scalar() is None  # a lease that ended, and nobody came since
    if sent.slot not in (leased, held) and not free:
        raise Conflict("the task is not yours any more: it was open for too long", where=sent.id)
    live = and_(submissions.c.task_id == sent.task, submissions.c.state.in_(LIVE), submissions.c.slot == sent.slot)
    if connection.execute(select(submissions.c.id).where(live)).scalar() is not None:
        raise Conflict("the task is done already", where=sent.id)
    return task


def _digest(sent: Sent) -> str:
    media = [[each.field, each.sha256] for each in sent.media]
    encoded = msgspec.json.encode([sent.task, sent.slot, sent.answers, media], order="deterministic")
    return hashlib.sha256(encoded).hexdigest()
