"""Hours and counts, for pay: how much a person did, and how long it took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, func, select

from triptych.portal.store.tables import PERSON_SLOT, people, queues, submissions


@dataclass(frozen=True)
class Hours:
    """The work of one person in one queue.

    seconds      time on tasks, as their browser measured it, over all submissions (those done again, too)
    submitted    submissions, those done again among them
    accepted     submissions that count; gold tasks and practice do not
    words        of the texts in those, for pay
    arrived      parameters of the link by which the person came
    """

    person: str
    pseudonym: str
    label: str
    queue: str
    kind: str
    seconds: int
    submitted: int
    accepted: int
    words: int
    arrived: Mapping[str, str] = field(default_factory=dict)


def hours_of(connection: Connection, person: str | None = None) -> list[Hours]:
    """Return the hours by person and queue; `person`: of one only. Withdrawn people keep theirs, since work is paid."""
    sent = submissions.c
    counted = (sent.state == "accepted") & sent.slot.not_like(f"{PERSON_SLOT}%")
    summed = select(
        sent.person_id,
        sent.queue_id,
        func.sum(sent.seconds).label("seconds"),
        func.count().label("submitted"),
        func.count().filter(counted).label("accepted"),
        func.sum(sent.words).filter(counted).label("words"),
    ).group_by(sent.person_id, sent.queue_id)
    if person is not None:
        summed = summed.where(sent.person_id == person)
    totals = summed.subquery()
    query = (
        select(
            people.c.id,
            people.c.pseudonym,
            people.c.label,
            queues.c.name,
            queues.c.kind,
            totals.c.seconds,
            totals.c.submitted,
            totals.c.accepted,
            totals.c.words,
            people.c.arrived,
        )
        .join(totals, totals.c.person_id == people.c.id)
        .join(queues, queues.c.id == totals.c.queue_id)
        .order_by(queues.c.id, people.c.pseudonym)
    )
    rows = connection.execute(query)
    return [_hours(row) for row in rows]


def _hours(row: Sequence[Any]) -> Hours:
    who, pseudonym, label, queue, kind, *numbers, arrived = row
    seconds, submitted, accepted, words = (int(each or 0) for each in numbers)
    return Hours(who, pseudonym, label, queue, kind, seconds, submitted, accepted, words, arrived or {})
