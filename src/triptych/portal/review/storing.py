"""Reviews in the database: the next task, votes, disagreements, and the decision on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select

from triptych.portal.review.fields import Field, fields_of
from triptych.portal.review.rules import Settings, settled
from triptych.portal.store.engine import Database
from triptych.portal.store.tables import DECISION, LIVE, leases, submissions, tasks
from triptych.portal.work.claiming import Claim, claim
from triptych.portal.work.queues import Queue


@dataclass(frozen=True)
class Reviewed:
    """A task with what people made of it: person -> values, in the order in which they came; the decision, if any."""

    id: int
    key: str
    body: Mapping[str, Any]
    votes: Mapping[str, Mapping[str, Any]]
    decision: Mapping[str, Any] | None = None

    @property
    def fields(self) -> list[Field]:
        """The fields of its form."""
        return fields(self.body)


def fields(body: Mapping[str, Any]) -> list[Field]:
    """Return the fields of a task's form."""
    return fields_of(body.get("form", {}), body.get("shows", {}))


def settings_of(queue: Queue) -> Settings:
    """Return the settings of a queue of reviews."""
    return msgspec.convert(queue.settings, Settings)


def next_task(database: Database, queue: Queue, person: str) -> Claim | None:
    """Return the next task for a person, in the first slot that is free; None if there is none."""
    found = (claim(database, queue, person, slot, fair=False) for slot in settings_of(queue).slots)
    return next((each for each in found if each is not None), None)


def slot_for(connection: Connection, queue: Queue, task: int, person: str, sent: str) -> str:
    """Return the slot of a submission: the one it was sent for before, the one that is leased, else one that is free.

    Without a free slot it is the first, and the submission is refused.
    """
    earlier = connection.execute(select(submissions.c.slot).where(submissions.c.id == sent)).scalar()
    own = (leases.c.task_id == task) & (leases.c.person_id == person)
    held = connection.execute(select(leases.c.slot).where(own)).scalar()
    if found := earlier or held:
        return str(found)
    live = (submissions.c.task_id == task) & submissions.c.state.in_(LIVE)
    taken = set(connection.execute(select(submissions.c.slot).where(live)).scalars())
    taken |= set(connection.execute(select(leases.c.slot).where(leases.c.task_id == task)).scalars())
    slots = settings_of(queue).slots
    return next((slot for slot in slots if slot not in taken), slots[0])


def reviewed(connection: Connection, queue: Queue, task: int | None = None) -> Iterator[Reviewed]:
    """Yield the tasks of a queue that have votes, in their order. `task`: only this one, also without votes."""
    of_queue = tasks.c.queue_id == queue.id if task is None else (tasks.c.queue_id == queue.id) & (tasks.c.id == task)
    live = (submissions.c.task_id == tasks.c.id) & (submissions.c.state == "accepted")
    sent = submissions.c
    joined = tasks.join(submissions, live, isouter=task is not None)
    query = (
        select(tasks.c.id, tasks.c.key, tasks.c.body, sent.person_id, sent.slot, sent.answers)
        .select_from(joined)
        .where(of_queue)
    )
    found: dict[int, list[Any]] = defaultdict(list)
    for row in connection.execute(query.order_by(tasks.c.id, submissions.c.received_at, submissions.c.id)):
        found[row.id].append(row)
    for id_, rows in found.items():
        votes = {row.person_id: row.answers for row in rows if row.person_id and row.slot != DECISION}
        decision = next((row.answers for row in rows if row.slot == DECISION), None)
        yield Reviewed(id_, rows[0].key, rows[0].body, votes, decision)


def disagrees(queue: Queue, task: Reviewed) -> bool:
    """Return True if all reviewers of a task have answered, differently, and nobody has decided yet."""
    whole = len(task.votes) >= len(settings_of(queue).slots) > 1
    return whole and task.decision is None and not settled(task.fields, list(task.votes.values()))


def done_by(connection: Connection, queue: Queue, person: str) -> int:
    """Return the number of tasks that a person has reviewed in a queue."""
    own = (tasks.c.queue_id == queue.id) & (submissions.c.person_id == person) & submissions.c.state.in_(LIVE)
    return int(connection.execute(select(func.count()).select_from(submissions.join(tasks)).where(own)).scalar() or 0)


def decided(queue: Queue, rows: Sequence[Any]) -> set[str]:
    """Return the ids of the submissions that a build gets: all, or in a queue with decisions one for each task.

    `rows`: accepted submissions (`id`, `key`, `shown`, `body`, `slot`, `answers`) in the order in which they came. A
    task without all its votes, or with a disagreement that nobody has settled, has none.
    """
    settings = settings_of(queue)
    if not settings.decided:
        return {row.id for row in rows}
    by_task: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for row in rows:
        by_task[row.key, row.shown].append(row)
    return {row.id for own in by_task.values() if (row := _decisive(own, len(settings.slots))) is not None}


def _decisive(rows: Sequence[Any], wanted: int) -> Any:
    decision = next((row for row in rows if row.slot == DECISION), None)
    if decision is not None:
        return decision
    votes = [row.answers for row in rows]
    return rows[0] if len(votes) >= wanted and settled(fields(rows[0].body), votes) else None
