"""The queue of checks in the database: each is taken by one process, and taken again if that process dies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, or_, select, update

from triptych.portal.blobs.store import Blobs
from triptych.portal.store.engine import Database, now_ms
from triptych.portal.store.tables import checks, queues, submission_blobs, submissions, tasks
from triptych.portal.work.keeping import Keep, Medium, storing
from triptych.portal.work.queues import hold_tasks
from triptych.portal.work.submitting import set_state

STALE_MS = 10 * 60 * 1000  # a check that runs for so long belongs to a process that died
MAX_TRIES = 3


@dataclass(frozen=True)
class Waiting:
    """A submission to check: its task, its answers and its file."""

    id: str
    kind: str
    settings: Mapping[str, Any]
    body: Mapping[str, Any]
    answers: Mapping[str, Any]
    sha256: str


def take(database: Database) -> Waiting | None:
    """Take the check that has waited longest; None if none waits.

    A check that ended its process is tried again, three times in all: then the recording counts as unreadable.
    """
    with database.writing() as connection:
        column = checks.c
        stale = (column.state == "running") & (column.changed_at < now_ms() - STALE_MS)
        query = select(checks).where(or_(column.state == "waiting", stale)).order_by(column.changed_at).limit(1)
        row = connection.execute(query.with_for_update(skip_locked=True)).one_or_none()
        if row is None:
            return None
        if row.tries >= MAX_TRIES:
            _finish(connection, row.submission_id, {}, ["unreadable"], "broken")
            return None
        begun = {"state": "running", "tries": row.tries + 1, "changed_at": now_ms()}
        connection.execute(update(checks).where(column.submission_id == row.submission_id).values(**begun))
        return _waiting(connection, row.submission_id)


def release(database: Database) -> None:
    """Let checks that a process of this server left running wait again; called when a new process begins."""
    with database.writing() as connection:
        running = update(checks).where(checks.c.state == "running")
        connection.execute(running.values(state="waiting", changed_at=now_ms()))


def finish(
    database: Database,
    id: str,
    measures: Mapping[str, Any],
    reasons: Sequence[str],
    made: Medium | None = None,
    media: Blobs | None = None,
    source: Path | None = None,
) -> None:
    """Write down the result of a check: the submission is accepted, or must be done again for these reasons.

    `made`, `media`, `source`: the 16 kHz version, where media are, and its file. Nothing happens, and no file is
    stored, if the submission was withdrawn meanwhile.
    """
    with ExitStack() as stack:
        keep = None
        if made is not None:
            assert media is not None and source is not None
            keep = stack.enter_context(storing(database, media, source, made))
        _written(database, id, measures, reasons, made, keep)


def _written(
    database: Database,
    id: str,
    measures: Mapping[str, Any],
    reasons: Sequence[str],
    made: Medium | None,
    keep: Keep | None,
) -> None:
    with database.writing() as connection:
        its = tasks.c.id == select(submissions.c.task_id).where(submissions.c.id == id).scalar_subquery()
        hold_tasks(connection, its)  # a withdrawal holds them too
        state = connection.execute(select(submissions.c.state).where(submissions.c.id == id)).scalar()
        if state in (None, "erased"):
            return
        if made is not None and keep is not None:
            keep(connection, made)
            same = (submission_blobs.c.submission_id == id) & (submission_blobs.c.form == "16k")
            if connection.execute(select(submission_blobs.c.sha256).where(same)).scalar() is None:
                named = {"submission_id": id, "field": made.field, "form": "16k", "sha256": made.sha256}
                connection.execute(insert(submission_blobs), named)
        _finish(connection, id, measures, reasons, "failed" if reasons else "passed", decided=state != "received")


def _finish(
    connection: Connection,
    id: str,
    measures: Mapping[str, Any],
    reasons: Sequence[str],
    state: str,
    decided: bool = False,
) -> None:
    values = {
        "state": state,
        "measures": dict(measures),
        "reasons": list(reasons),
        "changed_at": now_ms(),
    }
    connection.execute(update(checks).where(checks.c.submission_id == id).values(**values))
    if not decided:  # a person was faster
        set_state(connection, id, "again" if reasons else "accepted", reasons, None, by_check="yes")


def _waiting(connection: Connection, id: str) -> Waiting:
    row = connection.execute(
        select(queues.c.kind, queues.c.settings, tasks.c.body, submissions.c.answers, submission_blobs.c.sha256)
        .select_from(submissions.join(tasks, tasks.c.id == submissions.c.task_id).join(queues).join(submission_blobs))
        .where(submissions.c.id == id, submission_blobs.c.form == "original")
        .limit(1)
    ).one()
    return Waiting(id, row.kind, row.settings, row.body, row.answers, row.sha256)
