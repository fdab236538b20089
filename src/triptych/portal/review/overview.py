"""Agreement and open disagreements of a queue: counted at once in a small queue, in the background in a large one.

To count 200,000 votes takes seconds. So the page of a large queue shows the last count and its time, and asks for a new
one; the process of checks makes it. Both are the same computation over all votes.
"""

from __future__ import annotations

import time
from itertools import islice
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from triptych.portal.review.fields import FREE, Field
from triptych.portal.review.rules import Figures, figures, free_figures, pairs
from triptych.portal.review.storing import body_of, disagrees, fields, first_field, reviewed_tasks
from triptych.portal.site.titles import title_of
from triptych.portal.store.engine import Database, now_ms
from triptych.portal.store.tables import DECISION, overviews, queues, submissions, tasks
from triptych.portal.work.queues import Queue, queue_of

LIVE = 5000  # votes that are counted while somebody waits for the page
PAUSE_MS = 10_000  # between two counts, at least
SHARE = 10  # of the time that a count takes, at least this many times between two of them
LISTED = 200  # disagreements


class Rated(msgspec.Struct, frozen=True):
    """Agreement on a field."""

    name: str
    kind: str
    figures: Figures


class Pair(msgspec.Struct, frozen=True):
    """Agreement of two people on the first field."""

    one: str
    other: str
    figures: Figures


class Open(msgspec.Struct, frozen=True):
    """A disagreement that nobody has decided. `voters`: ids of the people who may not decide it; `title`: what the page
    calls the task."""

    id: int
    key: str
    voters: tuple[str, ...]
    title: str = ""


class Overview(msgspec.Struct, frozen=True):
    """The figures and disagreements on the page. `free`: agreement on texts, spans, boxes and numbers; `at`: when it
    was counted, in milliseconds since 1970; 0: just now."""

    rated: tuple[Rated, ...]
    pairs: tuple[Pair, ...]
    open: tuple[Open, ...]
    at: int = 0
    free: tuple[Rated, ...] = ()


def overview_of(database: Database, queue: Queue) -> Overview | None:
    """Return the overview of a queue; of a large one the last that was counted, None if there is none yet."""
    with database.reading() as connection:
        if not _is_large(connection, queue):
            return count_votes(connection, queue)
        row = connection.execute(select(overviews).where(overviews.c.queue_id == queue.id)).one_or_none()
        made = _current_overview(connection, queue, row) if row and row.made_at else None
    if row is None or (row.asked_at <= row.made_at and row.made_at + PAUSE_MS < now_ms()):
        _ask(database, queue)
    return made


def count_votes(connection: Connection, queue: Queue) -> Overview:
    """Count all votes of a queue."""
    reviews = list(reviewed_tasks(connection, queue))
    every = voted_fields(connection, queue)
    rating_fields = [field for field in every if field.is_rating]
    votes = {each.key: each.votes for each in reviews}
    first = first_field(connection, queue)
    disputed = list(islice((each for each in reviews if disagrees(connection, queue, each, first)), LISTED))
    bodies = select(tasks.c.id, tasks.c.body).where(tasks.c.id.in_([each.id for each in disputed]))
    titles = {row.id: title_of(row.body, "") for row in connection.execute(bodies)}
    return Overview(
        tuple(Rated(field.name, field.kind, figures(field, votes)) for field in rating_fields),
        tuple(Pair(one, other, each) for one, other, each in pairs(rating_fields[0], votes)) if rating_fields else (),
        tuple(Open(each.id, each.key, tuple(each.votes), titles.get(each.id, "")) for each in disputed),
        free=tuple(
            Rated(field.name, field.kind, made)
            for field in every
            if field.kind in FREE and (made := free_figures(field, votes)) is not None
        ),
    )


def rated_fields(connection: Connection, queue: Queue) -> list[Field]:
    """Return the fields with choices or scores."""
    return [field for field in voted_fields(connection, queue) if field.is_rating]


def voted_fields(connection: Connection, queue: Queue) -> list[Field]:
    """Return the fields of a queue that has votes, none otherwise; all tasks of a queue have the same form."""
    voted = (submissions.c.queue_id == queue.id) & (submissions.c.state == "accepted")
    first = connection.execute(select(func.min(submissions.c.task_id)).where(voted)).scalar()
    body = body_of(connection, queue, first) if first is not None else None
    return fields(body) if body else []


def count_next(database: Database) -> bool:
    """Count a queue that somebody has asked for; False if there is none, or if it was counted just now."""
    column = overviews.c
    wait = now_ms() - PAUSE_MS
    due = (
        (column.asked_at > column.made_at) & (column.made_at < wait) & (column.made_at + SHARE * column.took < now_ms())
    )
    with database.reading() as connection:
        name = connection.execute(select(queues.c.name).join(overviews).where(due).limit(1)).scalar()
        queue = queue_of(connection, name) if name else None
        if queue is None:
            return False
        begun, at = time.monotonic(), now_ms()
        document = msgspec.to_builtins(count_votes(connection, queue))
    values = {"made_at": at, "took": round(1000 * (time.monotonic() - begun)), "document": document}
    with database.writing() as connection:
        connection.execute(update(overviews).where(column.queue_id == queue.id).values(**values))
    return True


def _is_large(connection: Connection, queue: Queue) -> bool:
    which = (submissions.c.queue_id == queue.id) & (submissions.c.state == "accepted")
    return connection.execute(select(submissions.c.id).where(which).offset(LIVE).limit(1)).scalar() is not None


def _current_overview(connection: Connection, queue: Queue, row: Row[Any]) -> Overview:
    """The overview that was counted, without the disagreements that have been decided since."""
    overview, sent = msgspec.convert(row.document, Overview), submissions.c
    which = (sent.queue_id == queue.id) & (sent.state == "accepted") & (sent.slot == DECISION)
    among = sent.task_id.in_([each.id for each in overview.open])
    decided = set(connection.execute(select(sent.task_id).where(which, among)).scalars())
    left = tuple(each for each in overview.open if each.id not in decided)
    return msgspec.structs.replace(overview, at=row.made_at, open=left)


def _ask(database: Database, queue: Queue) -> None:
    try:
        with database.writing() as connection:
            statement = update(overviews).where(overviews.c.queue_id == queue.id).values(asked_at=now_ms())
            if not connection.execute(statement).rowcount:
                row = {
                    "queue_id": queue.id,
                    "asked_at": now_ms(),
                    "made_at": 0,
                    "took": 0,
                    "document": {},
                }
                connection.execute(insert(overviews), row)
    except IntegrityError:  # somebody else asked at this moment
        pass
