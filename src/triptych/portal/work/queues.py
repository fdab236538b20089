"""Queues of tasks: what is to be done, and how far it is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, exists, func, insert, select, text, tuple_, update

from triptych.errors import DataError
from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import (
    DECISION,
    KINDS,
    LIVE,
    PERSON_SLOT,
    UNCOUNTED,
    leases,
    queues,
    submission_blobs,
    submissions,
    tasks,
)
from triptych.portal.work.audit import note

BATCH = 1000
LARGE = 20_000  # wanted results of a queue whose counts take long
RECENT_S = 10
PAUSES = 10  # times as long as a count took
_recent: dict[tuple[str, int], tuple[int, dict[str, int]]] = {}
_pause = {"until": 0}


@dataclass(frozen=True)
class NewTask:
    """A task that is put into a queue.

    key, shown  what a result must repeat: the id of the record, and the digest of what people see
    body        everything that the job's page shows
    work        tasks of one work are all done by the same person; empty: each is on its own
    position       its place in the work, from 0
    wanted      number of different people
    """

    key: str
    shown: str
    body: Mapping[str, Any]
    work: str = ""
    position: int = 0
    wanted: int = 1


@dataclass(frozen=True)
class Queue:
    """A queue. `settings` belong to the kind of job."""

    id: int
    name: str
    kind: str
    settings: Mapping[str, Any]
    closed_at: int | None


def put_queue(connection: Connection, name: str, kind: str, settings: Mapping[str, Any], by: str | None) -> Queue:
    """Return the queue with this name, made if there is none; its settings are replaced.

    Raises DataError for an unknown kind, or if the queue is of another kind.
    """
    if kind not in KINDS:
        raise DataError("unknown kind of queue", got=kind, expected=", ".join(KINDS))
    queue = queue_of(connection, name)
    if queue is None:
        row = {"name": name, "kind": kind, "settings": dict(settings), "created_at": now_ms()}
        connection.execute(insert(queues), row)
        note(connection, "queue made", by, name, kind=kind)
    elif queue.kind != kind:
        raise DataError(f"the queue {name!r} is for another kind of work", expected=queue.kind, got=kind)
    else:
        connection.execute(update(queues).where(queues.c.id == queue.id).values(settings=dict(settings)))
    made = queue_of(connection, name)
    assert made is not None
    return made


def queue_of(connection: Connection, name: str) -> Queue | None:
    """Return a queue by its name."""
    row = connection.execute(select(queues).where(queues.c.name == name)).one_or_none()
    return _queue(row) if row else None


def all_queues(connection: Connection) -> list[Queue]:
    """Return all queues, in the order in which they were made."""
    return [_queue(row) for row in connection.execute(select(queues).order_by(queues.c.id))]


def put_tasks(
    connection: Connection, queue: Queue, new: Iterable[NewTask], more: Collection[int] = ()
) -> dict[str, int]:
    """Make the queue's open tasks exactly these; doing so twice changes nothing. Returns counts: added, open, closed.

    A task that is no longer among them is closed: the build has enough results, or shows something else. What people
    did stays. `more`: ids of tasks of the queue that are open as well.
    """
    column = tasks.c
    rows = connection.execute(
        select(column.id, column.key, column.shown, column.closed_at).where(
            column.queue_id == queue.id, column.filled != UNCOUNTED
        )
    ).all()
    closed_by_task = {(key, shown): closed for _, key, shown, closed in rows}
    new_by_key = {(task.key, task.shown): task for task in new}
    wanted = {*new_by_key, *((key, shown) for id, key, shown, _ in rows if id in more)}
    fresh = [task for name, task in new_by_key.items() if name not in closed_by_task]
    for begin in range(0, len(fresh), BATCH):
        connection.execute(insert(tasks), [_row(queue, task) for task in fresh[begin : begin + BATCH]])
    if fresh and connection.dialect.name == "postgresql":
        # Otherwise it plans searches for the next task without statistics until its own analysis, a minute later.
        connection.execute(text("ANALYZE tasks"))
    closed = [name for name, at in closed_by_task.items() if at is None and name not in wanted]
    _set_closed(connection, queue, closed, now_ms())
    _set_closed(
        connection, queue, [name for name, at in closed_by_task.items() if at is not None and name in wanted], None
    )
    return {"added": len(fresh), "open": len(wanted), "closed": len(closed)}


def recount(connection: Connection, which: ColumnElement[bool]) -> None:
    """Count the results of tasks again, after some of their submissions began to count or ceased to; decisions are
    not counted. Call `hold_tasks` before the submissions change, so that no other process counts meanwhile."""
    sent = submissions.c
    live = (sent.task_id == tasks.c.id) & sent.state.in_(LIVE) & (sent.slot != DECISION)
    number = select(func.count()).select_from(submissions).where(live).scalar_subquery()
    connection.execute(update(tasks).where(which, tasks.c.filled != UNCOUNTED).values(filled=number))


def hold_tasks(connection: Connection, which: ColumnElement[bool]) -> None:
    """Lock tasks until the transaction ends, always in the same order."""
    connection.execute(select(tasks.c.id).where(which).order_by(tasks.c.id).with_for_update())


def progress(connection: Connection, queue: Queue) -> dict[str, int]:
    """Return counts of a queue: `wanted` results, `done` (accepted), `received` (being checked), `again` (waiting
    to be done again), `leased` (somebody has it open).

    Of a large queue they are some seconds old: a process counts each at most every RECENT_S seconds, and so that no
    page waits for several counts, it pauses between two of them.
    """
    name = (str(connection.engine.url), queue.id)
    until, counts = _recent.get(name, (0, {}))
    if (begun := now_ms()) >= until and (not counts or begun >= _pause["until"]):
        counts = _counted(connection, queue)
        if counts["wanted"] >= LARGE:
            _recent[name] = (now_ms() + 1000 * RECENT_S, counts)
            _pause["until"] = now_ms() + PAUSES * (now_ms() - begun)
    return counts


def _counted(connection: Connection, queue: Queue) -> dict[str, int]:
    """The first query reads an index and no table; the others find few rows."""
    of_queue, sent = tasks.c.queue_id == queue.id, submissions.c
    open_ = of_queue & tasks.c.closed_at.is_(None) & (tasks.c.filled > UNCOUNTED)
    if queue.kind == "survey":  # attention checks and practice are in no cell, and nobody is asked all of them
        open_ &= tasks.c.key.not_like("check/%") & tasks.c.key.not_like("practice/%")
    wanted, filled = connection.execute(select(func.sum(tasks.c.wanted), func.sum(tasks.c.filled)).where(open_)).one()
    out = tasks.c.closed_at.is_not(None) | (tasks.c.filled == UNCOUNTED)
    if queue.kind == "survey":
        out |= tasks.c.key.like("practice/%")
    closed = exists().where(of_queue, out, tasks.c.id == sent.task_id)
    votes = (sent.queue_id == queue.id) & (sent.slot != DECISION) & ~closed
    states = select(sent.state, func.count()).where(votes, sent.state.in_(("received", "again"))).group_by(sent.state)
    counts: dict[str, int] = {state: number for state, number in connection.execute(states)}  # noqa: C416 (rows aren't pairs to mypy)
    leased = select(func.count()).select_from(leases.join(tasks)).where(open_ & (leases.c.expires_at > now_ms()))
    received = counts.get("received", 0)
    return {
        "wanted": int(wanted or 0),
        "done": int(filled or 0) - received,
        "received": received,
        "again": counts.get("again", 0),
        "leased": int(connection.execute(leased).scalar() or 0),
    }


def done_by(connection: Connection, queue: Queue, person: str) -> int:
    """Return the number of results of a person in a queue that count: not those of gold tasks and practice."""
    is_own = (submissions.c.queue_id == queue.id) & (submissions.c.person_id == person) & submissions.c.state.in_(LIVE)
    is_own &= submissions.c.slot.not_like(f"{PERSON_SLOT}%")
    return int(connection.execute(select(func.count()).where(is_own)).scalar() or 0)


@dataclass(frozen=True)
class Live:
    """A submission that counts, with its task. `files`: field -> SHA-256 of the original."""

    id: str
    person_id: str
    key: str
    shown: str
    body: Any
    answers: Any
    received_at: int
    slot: str
    files: Mapping[str, str]


def live_submissions(connection: Connection, queue: Queue, state: str = "accepted") -> Iterator[Live]:
    """Yield everything that counts, in the order in which it came, without keeping it. PostgreSQL allows no other query
    of the connection meanwhile."""
    assert state in LIVE
    blob, sent = submission_blobs.c, submissions.c
    query = (
        select(
            sent.id,
            sent.person_id,
            tasks.c.key,
            tasks.c.shown,
            tasks.c.body,
            sent.answers,
            sent.received_at,
            sent.slot,
            blob.field,
            blob.sha256,
        )
        .select_from(
            submissions.join(tasks).outerjoin(
                submission_blobs, (blob.submission_id == sent.id) & (blob.form == "original")
            )
        )
        .where(sent.queue_id == queue.id, sent.state == state, tasks.c.filled != UNCOUNTED)
        .order_by(sent.received_at, sent.id, blob.field)
    )
    rows = connection.execute(query, execution_options={"yield_per": BATCH})
    for _, same in groupby(rows, lambda row: row.id):
        first, *more = same
        files = {row.field: row.sha256 for row in (first, *more) if row.field is not None}
        yield Live(*first[:8], files)


def _set_closed(connection: Connection, queue: Queue, names: list[tuple[str, str]], at: int | None) -> None:
    for begin in range(0, len(names), BATCH // 4):
        some = tuple_(tasks.c.key, tasks.c.shown).in_(names[begin : begin + BATCH // 4])
        connection.execute(update(tasks).where(tasks.c.queue_id == queue.id, some).values(closed_at=at))


def _row(queue: Queue, task: NewTask) -> dict[str, Any]:
    return {
        "queue_id": queue.id,
        "key": task.key,
        "shown": task.shown,
        "body": dict(task.body),
        "work": task.work,
        "place": task.position,
        "wanted": task.wanted,
        "created_at": now_ms(),
    }


def _queue(row: Row[Any]) -> Queue:
    return Queue(row.id, row.name, row.kind, row.settings, row.closed_at)
