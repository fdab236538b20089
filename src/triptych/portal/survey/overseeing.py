"""The administrator's view of a survey: its cells, how many people count in each, and why others don't."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, func, select

from triptych.portal.site.page import Visit
from triptych.portal.site.rendering import go, problem, show
from triptych.portal.store.tables import participants, people, tasks
from triptych.portal.survey.document import KIND
from triptych.portal.survey.rules import typical_seconds
from triptych.portal.survey.taking import (
    answers_of,
    counts_of,
    exclude,
    given_of,
    place_of,
    restore,
    settings_of,
    valid_of,
)
from triptych.portal.work.queues import Queue, queue_of

if TYPE_CHECKING:
    from starlette.responses import Response

REASONS = ("excluded", "knows-the-data", "technical")
SHOWN = 200


@dataclass(frozen=True)
class Seen:
    """A person on the page. `seconds`: the median time of an answer; `failed`, `checks`: attention checks."""

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
        valid = valid_of(connection, queue, settings)
        counts = counts_of(connection, queue, settings)
        numbers = dict(_sizes(connection, queue))
        found = [_seen(connection, queue, row) for row in _rows(connection, queue)]
    rows = [(cell, numbers.get(cell, 0), valid[cell], counts[cell] - valid[cell]) for cell in settings.cells]
    return show(visit, "survey/cells.html", queue=queue, survey=settings, rows=rows, people=found, reasons=REASONS,
                full=sum(count >= settings.people for count in valid.values()))  # fmt: skip


def decide(visit: Visit) -> Response:
    """Decide that a person's answers don't count, for a reason, or that they do."""
    queue = _queue(visit)
    person, state, reason = (visit.form.get(name, "") for name in ("person", "state", "reason"))
    if queue is None or state not in ("valid", "invalid") or (state == "invalid" and reason not in REASONS):
        return problem(visit, 400, "form-is-wrong")
    with visit.portal.database.writing() as connection:
        place = place_of(connection, queue, person)
        if place is None or (state == "valid" and place.next is not None):
            return problem(visit, 400, "form-is-wrong")
        if state == "valid":
            restore(connection, queue, person, visit.person.id)
        else:
            exclude(connection, queue, person, [reason], visit.person.id)
    return go(f"/survey-cells/{queue.name}")


def _queue(visit: Visit) -> Queue | None:
    with visit.portal.database.reading() as connection:
        found = queue_of(connection, visit.part("queue"))
    return found if found and found.kind == KIND else None


def _rows(connection: Connection, queue: Queue) -> list[Any]:
    query = select(participants, people.c.pseudonym).join(people).where(
        participants.c.queue_id == queue.id, people.c.withdrawn_at.is_(None)
    )  # fmt: skip
    return list(connection.execute(query.order_by(participants.c.began_at.desc()).limit(SHOWN)))


def _seen(connection: Connection, queue: Queue, row: Any) -> Seen:
    given = [given_of(question, answer) for question, answer in answers_of(connection, queue, row.person_id)]
    checks = [each for each in given if each.passed is not None]
    return Seen(
        row.person_id, row.pseudonym, row.state, tuple(row.reasons), len(row.cells), len(given), len(row.sequence),
        typical_seconds([each for each in given if each.passed is None]), sum(not each.passed for each in checks),
        len(checks), row.began_at,
    )  # fmt: skip


def _sizes(connection: Connection, queue: Queue) -> list[tuple[str, int]]:
    """The number of questions of each cell."""
    cell = tasks.c.body["question"]["cell"].as_string()
    query = select(cell, func.count()).where(tasks.c.queue_id == queue.id, tasks.c.closed_at.is_(None)).group_by(cell)
    return [(name or "", number) for name, number in connection.execute(query)]
