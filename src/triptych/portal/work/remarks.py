"""Words to the administrator about a task: comments, and reasons for skipping it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, exists, func, insert, select, update

from triptych.errors import DataError
from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import DECISION, REMARKS, leases, people, queues, remarks, submissions, tasks
from triptych.portal.work.audit import note
from triptych.portal.work.presence import hold_person
from triptych.portal.work.submitting import set_state

MAX_REMARK_LENGTH = 1000  # characters
MAX_REASON_LENGTH = 300
SKIPPED = ("recording", "review", "annotation")  # a survey has its own way to leave a question out


def remark(connection: Connection, person: str, queue: str, task: int, kind: str, text: str) -> None:
    """Write a remark down. A task that is skipped is free for others, and isn't offered to this person again.

    Raises DataError for an unknown kind or task, an empty or long text, a task that can't be skipped, or that somebody
    else has.
    """
    hold_person(connection, person)
    words = text.strip()
    if kind not in REMARKS or not words or len(words) > MAX_REMARK_LENGTH:
        raise DataError(
            f"a comment, or the reason for skipping a task, has 1 to {MAX_REMARK_LENGTH:,} characters",
            got=f"{kind}, {len(words)} characters",
        )
    query = select(tasks.c.id, queues.c.kind).select_from(tasks.join(queues))
    row = connection.execute(query.where(tasks.c.id == task, queues.c.name == queue)).one_or_none()
    if row is None:
        raise DataError("there is no such task", got=task)
    if kind == "skip":
        is_own_lease = (leases.c.task_id == task) & (leases.c.person_id == person)
        if row.kind not in SKIPPED or not connection.execute(delete(leases).where(is_own_lease)).rowcount:
            raise DataError("this task can't be skipped: it is not open with this person", got=task)
    made = {"person_id": person, "task_id": task, "kind": kind, "text": words, "at": now_ms()}
    connection.execute(insert(remarks), made)
    note(connection, "skipped" if kind == "skip" else "commented", person, str(task), queue=queue)


def is_skipped(person: str) -> ColumnElement[bool]:
    """Whether a person has skipped a task, in a query of tasks."""
    is_own_remark = (remarks.c.task_id == tasks.c.id) & (remarks.c.person_id == person)
    return exists().where(is_own_remark, remarks.c.kind == "skip", remarks.c.done_at.is_(None))


def latest_remarks(connection: Connection, before: int | None, number: int) -> list[Mapping[str, Any]]:
    """Return remarks, newest first, those that are open before those that are done. `before`: an id."""
    columns = (
        remarks,
        people.c.pseudonym,
        queues.c.name.label("queue"),
        queues.c.kind.label("job"),
        tasks.c.key,
        tasks.c.body,
    )
    tables = (
        remarks.join(people).join(tasks, tasks.c.id == remarks.c.task_id).join(queues, queues.c.id == tasks.c.queue_id)
    )
    query = select(*columns).select_from(tables).where(remarks.c.done_at.is_(None)).order_by(remarks.c.id.desc())
    if before is not None:
        query = query.where(remarks.c.id < before)
    return [dict(row._mapping) for row in connection.execute(query.limit(number))]


@dataclass(frozen=True)
class Source:
    """A result that a task was made of: the id of the submission, and queue, key and body of its task."""

    id: str
    queue: str
    key: str
    body: Mapping[str, Any]


def sources_of(connection: Connection, remarks: Sequence[Mapping[str, Any]]) -> dict[int, list[Source]]:
    """Return the results that the tasks of remarks were made of: id of a remark -> results that count, of other queues.

    Records that a build splits are named after what they were made of: `talk1/talk/de` is of `talk1/talk` and `talk1`.
    """
    above = {row["id"]: _ancestor_keys(row["key"]) for row in remarks}
    keys = {key for rows in above.values() for key in rows}
    sent = submissions.c
    query = (
        select(sent.id, queues.c.name, tasks.c.key, tasks.c.body)
        .select_from(submissions.join(tasks, tasks.c.id == sent.task_id).join(queues, queues.c.id == tasks.c.queue_id))
        .where(
            tasks.c.key.in_(keys),
            sent.state == "accepted",
            tasks.c.purpose == "",
            sent.slot != DECISION,
            queues.c.kind.in_(("annotation", "recording")),
        )
    )
    made = [Source(*row) for row in connection.execute(query)] if keys else []
    return {
        row["id"]: [each for each in made if each.key in above[row["id"]] and each.queue != row["queue"]]
        for row in remarks
    }


def _ancestor_keys(key: str) -> list[str]:
    parts = key.split("/")
    return ["/".join(parts[:number]) for number in range(1, len(parts) + 1)]


def reopen(connection: Connection, id: int, source: str, by: str | None) -> None:
    """Have a result that the task of a remark was made of made again, with the remark as the reason, and mark the
    remark as done. A verifier's decision on it no longer counts either. Raises DataError for any other result."""
    rows = [row for row in latest_remarks(connection, id + 1, 1) if row["id"] == id]
    if source not in {each.id for source_group in sources_of(connection, rows).values() for each in source_group}:
        raise DataError("the remark is not about something that was made of this result", got=source[:64])
    task = connection.execute(select(submissions.c.task_id).where(submissions.c.id == source)).scalar_one()
    reason = rows[0]["text"][:MAX_REASON_LENGTH]
    decision = (submissions.c.task_id == task) & (submissions.c.slot == DECISION) & (submissions.c.state == "accepted")
    for each in (source, *connection.execute(select(submissions.c.id).where(decision)).scalars().all()):
        set_state(connection, each, "again" if each == source else "rejected", [reason], by)
    settle(connection, id, by)


def open_remarks(connection: Connection) -> int:
    """Return the number of remarks that nobody has dealt with."""
    return int(connection.execute(select(func.count()).where(remarks.c.done_at.is_(None))).scalar() or 0)


def settle(connection: Connection, id: int, by: str | None) -> None:
    """Mark a remark as done; a skipped task is then offered to its person again. Raises DataError for an unknown
    one."""
    which = (remarks.c.id == id) & remarks.c.done_at.is_(None)
    if not connection.execute(update(remarks).where(which).values(done_at=now_ms())).rowcount:
        raise DataError("there is no such open remark", got=id)
    note(connection, "remark settled", by, str(id))
