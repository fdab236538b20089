"""Words to the administrator about a task: comments, and reasons for skipping it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, exists, func, insert, select, update

from triptych.errors import DataError
from triptych.portal.store.engine import now
from triptych.portal.store.tables import REMARKS, leases, people, queues, remarks, tasks
from triptych.portal.work.audit import note
from triptych.portal.work.presence import stay

LONGEST = 1000  # characters
SKIPPED = ("recording", "review", "annotation")  # a survey has its own way to leave a question out


def remark(connection: Connection, person: str, queue: str, task: int, kind: str, text: str) -> None:
    """Write a remark down. A task that is skipped is free for others, and isn't offered to this person again.

    Raises DataError for an unknown kind or task, an empty or long text, a task that can't be skipped, or that somebody
    else has.
    """
    stay(connection, person)
    words = text.strip()
    if kind not in REMARKS or not words or len(words) > LONGEST:
        raise DataError("not a remark", got=f"{kind}, {len(words)} characters", expected=f"1 to {LONGEST} characters")
    query = select(tasks.c.id, queues.c.kind).select_from(tasks.join(queues))
    row = connection.execute(query.where(tasks.c.id == task, queues.c.name == queue)).one_or_none()
    if row is None:
        raise DataError("there is no such task", got=task)
    if kind == "skip":
        own = (leases.c.task_id == task) & (leases.c.person_id == person)
        if row.kind not in SKIPPED or not connection.execute(delete(leases).where(own)).rowcount:
            raise DataError("this task can't be skipped: it is not open with this person", got=task)
    made = {"person_id": person, "task_id": task, "kind": kind, "text": words, "at": now()}
    connection.execute(insert(remarks), made)
    note(connection, "skipped" if kind == "skip" else "commented", person, str(task), queue=queue)


def is_skipped(person: str) -> ColumnElement[bool]:
    """Whether a person has skipped a task, in a query of tasks."""
    own = (remarks.c.task_id == tasks.c.id) & (remarks.c.person_id == person)
    return exists().where(own, remarks.c.kind == "skip", remarks.c.done_at.is_(None))


def latest_remarks(connection: Connection, before: int | None, number: int) -> list[Mapping[str, Any]]:
    """Return remarks, newest first, those that are open before those that are done. `before`: an id."""
    columns = (remarks, people.c.pseudonym, queues.c.name.label("queue"), queues.c.kind.label("job"), tasks.c.key,
               tasks.c.body)  # fmt: skip
    tables = (
        remarks.join(people).join(tasks, tasks.c.id == remarks.c.task_id).join(queues, queues.c.id == tasks.c.queue_id)
    )
    query = select(*columns).select_from(tables).where(remarks.c.done_at.is_(None)).order_by(remarks.c.id.desc())
    if before is not None:
        query = query.where(remarks.c.id < before)
    return [dict(row._mapping) for row in connection.execute(query.limit(number))]


def open_remarks(connection: Connection) -> int:
    """Return the number of remarks that nobody has dealt with."""
    return int(connection.execute(select(func.count()).where(remarks.c.done_at.is_(None))).scalar() or 0)


def settle(connection: Connection, id: int, by: str | None) -> None:
    """Mark a remark as done; a skipped task is then offered to its person again. Raises DataError for an unknown
    one."""
    which = (remarks.c.id == id) & remarks.c.done_at.is_(None)
    if not connection.execute(update(remarks).where(which).values(done_at=now())).rowcount:
        raise DataError("there is no such open remark", got=id)
    note(connection, "remark settled", by, str(id))
