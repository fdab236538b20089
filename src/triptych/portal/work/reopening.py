"""Results that a recipe sends back: they no longer count, and their tasks are open again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from triptych.portal.store.tables import LIVE, submission_blobs, submissions, tasks
from triptych.portal.work.queues import Queue
from triptych.portal.work.submitting import set_state

REASON = "recipe"  # shown to the person; the recipe's own words are in the audit trail
HASHES_PER_QUERY = 500  # hashes of one query


@dataclass(frozen=True)
class Back:
    """Ids of the tasks that are open again, and the number of submissions that counted until now."""

    tasks: frozenset[int]
    number: int


def send_back(connection: Connection, queue: Queue, media: Mapping[str, str], by: str | None) -> Back:
    """Have the submissions of a queue with these media (SHA-256 -> why) made again.

    Doing so twice changes nothing: what was made since has another SHA-256. Media of other origin are passed over.
    """
    works, number = set(), 0
    for row in _named(connection, queue, list(media)):
        if row.state in LIVE:
            set_state(connection, row.id, "again", [REASON], by, why=media[row.sha256])
            number += 1
        if row.state in (*LIVE, "again"):
            works.add(row.task_id)
    return Back(frozenset(works), number)


def _named(connection: Connection, queue: Queue, names: list[str]) -> list[Any]:
    column = submission_blobs.c
    query = (
        select(submissions.c.id, submissions.c.state, submissions.c.task_id, column.sha256)
        .select_from(submissions.join(tasks).join(submission_blobs))
        .where(tasks.c.queue_id == queue.id, column.form == "original")
    )
    parts = (names[begin : begin + HASHES_PER_QUERY] for begin in range(0, len(names), HASHES_PER_QUERY))
    return [row for some in parts for row in connection.execute(query.where(column.sha256.in_(some)))]
