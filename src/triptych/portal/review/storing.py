"""Reviews in the database: the next task, votes, disagreements, and the decision on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from triptych.construction.people.reviews import Distinct
from triptych.portal.review.fields import Field, fields_of
from triptych.portal.review.rules import Settings, is_unanimous
from triptych.portal.store.engine import Database
from triptych.portal.store.tables import DECISION, LIVE, UNCOUNTED, leases, submissions, tasks
from triptych.portal.work.claims import Claim, claim_any
from triptych.portal.work.gold import Rule
from triptych.portal.work.queues import BATCH, Queue


@dataclass(frozen=True)
class Reviewed:
    """A task with what people made of it, in the order in which it came.

    votes     person -> values
    decision  the values that settled a disagreement; None without one
    decisive  the id of the decision, or else of the first vote
    closed    the task is not asked any more
    """

    id: int
    key: str
    votes: Mapping[str, Mapping[str, Any]]
    decision: Mapping[str, Any] | None
    decisive: str
    closed: bool = False


def fields(body: Mapping[str, Any]) -> list[Field]:
    """Return the fields of a task's form."""
    return fields_of(body.get("form", {}), body.get("shows", {}))


def settings_of(queue: Queue) -> Settings:
    """Return the settings of a queue of reviews."""
    return msgspec.convert(queue.settings, Settings)


def next_task(
    database: Database, queue: Queue, person: str, limit: int | None = None, rule: Rule | None = None
) -> Claim | None:
    """Return the next task for a person; None if there is none. `limit`, `rule`: see `claim`."""
    return claim_any(database, queue, person, settings_of(queue).slots, max_tasks=limit, rule=rule)


def slot_for(connection: Connection, queue: Queue, task: int, person: str, sent: str) -> str:
    """Return the slot of a submission: the one it was sent for before, the one that is leased, else one that is free.

    Without a free slot it is the first, and the submission is refused.
    """
    earlier = connection.execute(select(submissions.c.slot).where(submissions.c.id == sent)).scalar()
    is_own_lease = (leases.c.task_id == task) & (leases.c.person_id == person)
    held = connection.execute(select(leases.c.slot).where(is_own_lease)).scalar()
    if open_slot := earlier or held:
        return str(open_slot)
    live = (submissions.c.task_id == task) & submissions.c.state.in_(LIVE)
    taken = set(connection.execute(select(submissions.c.slot).where(live)).scalars())
    taken |= set(connection.execute(select(leases.c.slot).where(leases.c.task_id == task)).scalars())
    slots = settings_of(queue).slots
    return next((slot for slot in slots if slot not in taken), slots[0])


def reviewed_tasks(connection: Connection, queue: Queue, task: int | None = None) -> Iterator[Reviewed]:
    """Yield the tasks of a queue that have votes, in their order, without keeping them. `task`: only this one.

    The bodies of the tasks are not read, since there may be many. PostgreSQL allows no other query of the connection
    until the last one was yielded.
    """
    sent = submissions.c
    which = (sent.queue_id == queue.id) & (sent.state == "accepted") & (tasks.c.filled != UNCOUNTED)
    query = select(
        tasks.c.id, tasks.c.key, tasks.c.closed_at, sent.id.label("sent"), sent.person_id, sent.slot, sent.answers
    )
    query = query.join(submissions).where(which if task is None else which & (tasks.c.id == task))
    query = query.order_by(tasks.c.id, sent.received_at, sent.id)
    rows = connection.execute(query, execution_options={"yield_per": BATCH} if task is None else {})
    for id_, rows_of_task in groupby(rows, key=lambda row: row.id):
        yield _reviewed(id_, list(rows_of_task))


def _reviewed(task: int, rows: Sequence[Any]) -> Reviewed:
    votes = {row.person_id: row.answers for row in rows if row.slot != DECISION}
    decision = next((row for row in rows if row.slot == DECISION), None)
    decisive = decision or rows[0]
    return Reviewed(
        task, rows[0].key, votes, decision.answers if decision else None, decisive.sent, rows[0].closed_at is not None
    )


def body_of(connection: Connection, queue: Queue, task: int) -> Mapping[str, Any] | None:
    """Return everything that a task shows; None if the queue has no such task."""
    same = (tasks.c.id == task) & (tasks.c.queue_id == queue.id)
    body: Mapping[str, Any] | None = connection.execute(select(tasks.c.body).where(same)).scalar()
    return body


def distinct_texts(
    connection: Connection, queue: Queue, body: Mapping[str, Any], values: Mapping[str, Any]
) -> Distinct | None:
    """Return the texts of a queue's tasks from which an edit must differ; None if nothing of the kind was edited."""
    checks = body.get("checks") or {}
    if not set(checks.get("distinct") or ()) & values.keys():
        return None
    query = select(tasks.c.body).where((tasks.c.queue_id == queue.id) & (tasks.c.filled != UNCOUNTED))
    rows = connection.execute(query, execution_options={"yield_per": BATCH})
    bodies = (row.body for row in rows)
    return Distinct((str(each.get("id")), each.get("shows") or {}, each.get("checks") or {}) for each in bodies)


def first_field(connection: Connection, queue: Queue) -> str:
    """Return the name of the first field of the form that a queue's tasks have; empty for a queue without tasks."""
    body = connection.execute(select(tasks.c.body).where(tasks.c.queue_id == queue.id).limit(1)).scalar()
    return next(iter((body or {}).get("form", {})), "")


def is_whole(queue: Queue, task: Reviewed) -> bool:
    """Return True if nobody is asked about a task any more: all reviewers have answered, or it was decided or
    closed."""
    return task.closed or task.decision is not None or len(task.votes) >= len(settings_of(queue).slots)


def disagrees(connection: Connection, queue: Queue, task: Reviewed, first: str = "") -> bool:
    """Return True if all reviewers of a task have answered, differently, and nobody has decided yet.

    `first`: the name of the first field, if it is known: then few tasks have to be read.
    """
    has_all_votes = len(task.votes) >= len(settings_of(queue).slots) > 1
    return has_all_votes and task.decision is None and not _settled(connection, queue, task, first)


def _settled(connection: Connection, queue: Queue, task: Reviewed, first: str) -> bool:
    """Whether all reviewers of a task made the same decision."""
    votes = list(task.votes.values())
    if all(vote == votes[0] for vote in votes):
        return True
    if first and any(vote.get(first) != votes[0].get(first) for vote in votes):
        return False
    if first and all(_written(vote) == _written(votes[0]) for vote in votes):
        return True
    return is_unanimous(fields(body_of(connection, queue, task.id) or {}), votes)


def _written(vote: Mapping[str, Any]) -> dict[str, Any]:
    """The values that may be an edited text."""
    return {name: value for name, value in vote.items() if isinstance(value, str | list)}


def decided_submissions(connection: Connection, queue: Queue) -> set[str] | None:
    """Return the ids of the submissions that a build gets: in a queue with decisions one for each task; None for all.

    A task without all its votes, or with a disagreement that nobody has settled, has none.
    """
    settings = settings_of(queue)
    if not settings.decided and not settings.verified:
        return None
    first = first_field(connection, queue)
    every = list(reviewed_tasks(connection, queue))
    final = {task.decisive for task in every if task.decision is not None}
    if settings.verified:
        return final
    shared = (
        task
        for task in every
        if task.decision is None and len(task.votes) >= len(settings.slots) and _settled(connection, queue, task, first)
    )
    return final | {task.decisive for task in shared}
