"""The administrator's view of a survey: its cells, how many people count in each, and why others don't."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import JSON, Connection, case, func, null, select, tuple_, type_coerce

from triptych.portal.site.page import Visit
from triptych.portal.site.rendering import go, problem, show
from triptych.portal.store.tables import LIVE, participants, people, submissions, tasks
from triptych.portal.survey.checks import PRACTICE, PREFIX
from triptych.portal.survey.document import KIND, Answer, Question, parse_question
from triptych.portal.survey.participation import (
    counts_of,
    exclude,
    place_of,
    restore,
    settings_of,
    valid_counts,
    validity_answer,
)
from triptych.portal.survey.rules import QuestionAnswer, typical_seconds
from triptych.portal.work.queues import Queue, queue_of

if TYPE_CHECKING:
    from starlette.responses import Response

REASONS = ("excluded", "knows-the-data", "technical")
PAGE_SIZE = 50  # people on one page


@dataclass(frozen=True)
class ParticipantRow:
    """A person on the page, without practice. `seconds`: the median time of an answer; `failed`, `checks`: attention
    checks."""

    person: str
    pseudonym: str
    state: str
    reasons: tuple[str, ...]
    cells: int
    done: int
    of: int
    seconds: float
    failed: int
    checks: int
    began_at: int


def cells(visit: Visit) -> Response:
    """Cells with the people who count and those who are at it; people, those who began last first."""
    queue = _queue(visit)
    if queue is None:
        return problem(visit, 404, "not-found")
    settings = settings_of(queue)
    with visit.portal.database.reading() as connection:
        valid = valid_counts(connection, queue, settings)
        counts = counts_of(connection, queue, settings)
        rows = _rows(connection, queue, visit.request.query_params.get("before", ""))
        seen = _participant_rows(connection, queue, rows)
        sizes = settings.questions or dict(_sizes(connection, queue))
    cells = [(cell, sizes.get(cell, 0), valid[cell], counts[cell] - valid[cell]) for cell in settings.cells]
    return show(
        visit,
        "survey/cells.html",
        queue=queue,
        survey=settings,
        rows=cells,
        people=seen,
        reasons=REASONS,
        older=_next_page_start(rows),
        full=sum(count >= settings.people for count in valid.values()),
    )


def decide(visit: Visit) -> Response:
    """Decide that a person's answers don't count, for a reason, or that they do."""
    queue = _queue(visit)
    person, state, reason = (visit.form.get(name, "") for name in ("person", "state", "reason"))
    if queue is None or state not in ("valid", "invalid") or (state == "invalid" and reason not in REASONS):
        return problem(visit, 400, "form-is-wrong")
    with visit.portal.database.writing() as connection:
        participant = place_of(connection, queue, person)
        if participant is None or (state == "valid" and participant.next_task is not None):
            return problem(visit, 400, "form-is-wrong")
        if state == "valid":
            restore(connection, queue, person, visit.person.id)
        else:
            exclude(connection, queue, person, [reason], visit.person.id)
    return go(f"/survey-cells/{queue.name}")


def _queue(visit: Visit) -> Queue | None:
    with visit.portal.database.reading() as connection:
        queue = queue_of(connection, visit.part("queue"))
    return queue if queue and queue.kind == KIND else None


def _rows(connection: Connection, queue: Queue, before: str) -> list[dict[str, Any]]:
    """A page of participants, those who began last first. `before`: where it begins, see `_next_page_start`."""
    column = participants.c
    query = (
        select(participants, people.c.pseudonym)
        .join(people)
        .where(column.queue_id == queue.id, people.c.withdrawn_at.is_(None))
    )
    at, _, person = before.partition("-")
    if person and at.isascii() and at.isdecimal() and len(at) < 16:
        query = query.where(tuple_(column.began_at, column.person_id) < (int(at), person))
    ordered = query.order_by(column.began_at.desc(), column.person_id.desc()).limit(PAGE_SIZE)
    return [dict(row._mapping) for row in connection.execute(ordered)]


def _next_page_start(rows: list[dict[str, Any]]) -> str:
    """Where the next page begins; empty after the last one."""
    return f"{rows[-1]['began_at']}-{rows[-1]['person_id']}" if len(rows) == PAGE_SIZE else ""


def _participant_rows(connection: Connection, queue: Queue, rows: list[dict[str, Any]]) -> list[ParticipantRow]:
    """The people of a page with what they answered. Of questions, only attention checks are read."""
    sent, answers = submissions.c, defaultdict[str, list[QuestionAnswer]](list)
    body = case((tasks.c.key.startswith(PREFIX), tasks.c.body), else_=null())
    query = (
        select(sent.person_id, sent.answers, type_coerce(body, JSON).label("body"))
        .select_from(submissions.join(tasks))
        .where(
            sent.queue_id == queue.id,
            sent.person_id.in_([row["person_id"] for row in rows]),
            sent.state.in_((*LIVE, "rejected")),
            tasks.c.key.not_like(f"{PRACTICE}%"),
        )
    )
    for row in connection.execute(query):
        question = parse_question(row.body["question"]) if row.body else Question()
        answers[row.person_id].append(validity_answer(question, msgspec.convert(row.answers, Answer)))
    practice = settings_of(queue).practice
    return [_person(row, answers[row["person_id"]], practice) for row in rows]


def _person(row: dict[str, Any], answers: list[QuestionAnswer], practice: int) -> ParticipantRow:
    checks = [each for each in answers if each.passed is not None]
    return ParticipantRow(
        row["person_id"],
        row["pseudonym"],
        row["state"],
        tuple(row["reasons"]),
        len(row["cells"]),
        len(answers),
        max(len(row["sequence"]) - practice, 0),
        typical_seconds([each for each in answers if each.passed is None]),
        sum(not each.passed for each in checks),
        len(checks),
        row["began_at"],
    )


def _sizes(connection: Connection, queue: Queue) -> list[tuple[str, int]]:
    """The number of questions of each cell, of a survey whose settings don't state them."""
    cell = tasks.c.body["question"]["cell"].as_string()
    query = select(cell, func.count()).where(tasks.c.queue_id == queue.id, tasks.c.closed_at.is_(None)).group_by(cell)
    return [(name or "", number) for name, number in connection.execute(query)]
