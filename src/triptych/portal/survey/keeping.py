"""A survey goes into the portal, and its results come out, for the command line and the HTTP API."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from triptych.errors import DataError
from triptych.media.payload import MIME_TYPES
from triptych.portal.project import Portal
from triptych.portal.store.tables import participants, people, submissions, tasks
from triptych.portal.survey.checks import PRACTICE, PREFIX
from triptych.portal.survey.document import (
    KIND,
    Answer,
    Answered,
    Medium,
    Participant,
    Results,
    Survey,
    Task,
    parse_question,
)
from triptych.portal.survey.participation import settings_of
from triptych.portal.work.queues import NewTask, Queue, put_queue, put_tasks, queue_of

SUFFIXES = {type_: suffix for suffix, type_ in reversed(MIME_TYPES.items())} | {
    "audio/mp4": ".m4a",
    "audio/webm": ".webm",
    "video/mp4": ".mp4",
}


def put_survey(portal: Portal, name: str, survey: Survey) -> dict[str, int]:
    """Put a survey into the queue `name`; its media are stored already. Returns counts: added, open, closed.

    Settings that change nothing on the screen (people, breaks, validity) may change at any time. Raises DataError if
    somebody has begun a survey with other questions.
    """
    with portal.database.writing() as connection:
        work_queue = queue_of(connection, name)
        if work_queue is not None and work_queue.kind == KIND:
            begun = select(participants.c.person_id).where(participants.c.queue_id == work_queue.id).limit(1)
            changed = settings_of(work_queue).digest != survey.settings.digest
            if changed and connection.execute(begun).scalar() is not None:
                raise DataError(
                    f"people take part in the survey {name!r} already, and its questions would change",
                    fix="push it under another name: --queue NAME",
                )
        sizes = Counter(task.question.cell for task in survey.tasks if task.question.cell)
        settings = msgspec.structs.replace(survey.settings, questions=dict(sizes))
        queue = put_queue(connection, name, KIND, msgspec.to_builtins(settings), None)
        new = [
            NewTask(task.key, task.shown, _body(task), "", index, survey.settings.people)
            for index, task in enumerate(survey.tasks)
        ]
        return put_tasks(connection, queue, new)


def get_results(portal: Portal, name: str) -> Results:
    """Return the answers of all people who count. Raises DataError for an unknown survey."""
    with portal.database.reading() as connection:
        queue = survey_of(connection, name)
        rows = list(_people(connection, queue))
        counted = [
            _participant(connection, queue, row) for row in rows if row.state == "valid" and not row.withdrawn_at
        ]
        used = {answer.key for person in counted for answer in person.answers}
        tasks_of_queue = [
            Task(row.key, row.shown, parse_question(row.body["question"])) for row in _tasks(connection, queue)
        ]
    left = Counter(reason for row in rows if not row.withdrawn_at for reason in _invalid_reasons(row))
    gone = sorted(row.pseudonym for row in rows if row.withdrawn_at)
    return Results(settings_of(queue), [task for task in tasks_of_queue if task.key in used], counted, dict(left), gone)


def survey_of(connection: Connection, name: str) -> Queue:
    """Return the queue of a survey. Raises DataError."""
    queue = queue_of(connection, name)
    if queue is None or queue.kind != KIND:
        raise DataError(f"the portal has no survey {name!r}", fix="triptych portal survey push BENCH --queue NAME")
    return queue


def _body(task: Task) -> dict[str, Any]:
    """The body of a task in the database. `shows` is how the address of media finds its files."""
    named = {str(number): medium for number, medium in enumerate(task.question.media)}
    shows: dict[str, Any] = {number: _file_name(number, medium) for number, medium in named.items()}
    shows["media"] = {number: medium.sha256 for number, medium in named.items()}
    return {"question": msgspec.to_builtins(task.question), "shows": shows}


def _file_name(number: str, medium: Medium) -> str:
    """A name whose suffix says what the file is; the true one could give the answer away."""
    return f"{number}{SUFFIXES.get(medium.type, '')}"


def _people(connection: Connection, queue: Queue) -> Any:
    query = select(participants, people.c.pseudonym, people.c.withdrawn_at).join(people)
    ordered = query.where(participants.c.queue_id == queue.id).order_by(participants.c.ended_at, people.c.pseudonym)
    return connection.execute(ordered)


def _invalid_reasons(row: Any) -> list[str]:
    return [] if row.state == "valid" else row.reasons if row.state == "invalid" else ["open"]


def _tasks(connection: Connection, queue: Queue) -> Any:
    query = select(tasks.c.key, tasks.c.shown, tasks.c.body).where(tasks.c.queue_id == queue.id)
    return connection.execute(query.order_by(tasks.c.id))


def _participant(connection: Connection, queue: Queue, row: Any) -> Participant:
    sent = submissions.c
    query = (
        select(sent.id, tasks.c.key, sent.answers, sent.received_at)
        .select_from(submissions.join(tasks))
        .where(sent.queue_id == queue.id, sent.person_id == row.person_id, sent.state == "accepted")
        .order_by(sent.received_at, sent.id)
    )
    answers = [
        Answered(id, key, msgspec.convert(order_, Answer), at)
        for id, key, order_, at in connection.execute(query)
        if not key.startswith((PREFIX, PRACTICE))
    ]
    return Participant(row.pseudonym, list(row.cells), row.ended_at or 0, answers)
