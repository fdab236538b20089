"""Gold tasks and practice: tasks whose right answers are known, of every person the same.

Practice comes before any other task of a queue, and its page says afterwards what was right. A gold task looks like any
other. Both are done by everybody, in a slot of their own (`own_slot`), and never leave the portal: they are not counted
and not exported. A task without expected values (a recording) is judged by its state: accepted is right.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeGuard

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, delete, exists, func, insert, select, update

from triptych.construction.people.stage import multiple_choices
from triptych.errors import DataError
from triptych.metrics.raters.annotated import boxes_difference, spans_difference, text_difference
from triptych.portal.review.fields import Field, Unfit, fields_of, spans_of, values_of
from triptych.portal.store.engine import Database, now_ms
from triptych.portal.store.tables import (
    LIVE,
    PERSON_SLOT,
    UNCOUNTED,
    exported,
    holders,
    leases,
    people,
    queues,
    standings,
    submissions,
    tasks,
)
from triptych.portal.work.audit import note
from triptych.portal.work.queues import hold_tasks, recount
from triptych.records.repeated_keys import decode_once
from triptych.records.unreadable import UNREADABLE

PRACTICE_TRIES = 3  # of one practice task; then the right answer was shown twice
ALIKE = 0.9  # similarity from which a text counts as right; spaces, punctuation and case are not compared
OVERLAP = 0.5  # shared part of spans or boxes from which they count as right
EXPECTED = {"spans": "START-END; START-END … in seconds", "boxes": "[[x, y, width, height], …]"}
BARRED = "gold"  # the reason of results that don't count, since too many gold tasks of the person were wrong


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[gold.QUEUE]`: how often gold tasks come, and what happens below a limit.

    every  tasks of a person to each gold task
    least  share of right gold tasks below which the rule applies
    after  number of gold tasks before it applies
    then   tell: the dashboard shows it; pause: the person gets no more tasks of the queue; reject: nor do their results
           that were not exported count
    """

    every: Annotated[int, msgspec.Meta(ge=1)] = 10
    least: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.7
    after: Annotated[int, msgspec.Meta(ge=1)] = 5
    then: Literal["tell", "pause", "reject"] = "tell"


@dataclass(frozen=True)
class KnownTask:
    """A gold task or a practice task: the key of the task that it repeats, the right values (field -> values of which
    each is right), and why they are right (language -> text)."""

    key: str
    values: Mapping[str, Sequence[Any]]
    why: Mapping[str, str]


@dataclass(frozen=True)
class Standing:
    """How a person does in a queue: gold tasks that were judged, the share that is right (None without any), and
    whether they get no more tasks."""

    judged: int
    right: float | None
    barred: bool

    def is_below(self, rule: Rule) -> bool:
        """Whether the rule applies."""
        return self.judged >= rule.after and self.right is not None and self.right < rule.least


@dataclass(frozen=True)
class Feedback:
    """The feedback on a practice task.

    task, body, answers  the task, and what the person sent
    share                of the expected values that are right; None while a check goes on
    again                whether the task comes again
    expected             field -> right values
    why, reasons         why they are right (language -> text); reasons of a check
    """

    task: int
    body: Mapping[str, Any]
    answers: Mapping[str, Any]
    share: float | None
    again: bool
    expected: Mapping[str, Sequence[Any]]
    why: Mapping[str, str]
    reasons: Sequence[str]


def own_slot(person: str) -> str:
    """Return the slot in which a person does tasks that everybody does."""
    return f"{PERSON_SLOT}{person}"


def put_known(
    connection: Connection,
    queue: int,
    purpose: Literal["gold", "practice"],
    known_tasks: Sequence[KnownTask],
    by: str | None,
) -> int:
    """Make these the gold tasks, or the practice, of a queue; others are closed. Returns their number.

    Each repeats a task of the queue. Raises DataError for a key without a task, or a value that the form can't have.
    """
    is_known_task = (tasks.c.queue_id == queue) & (tasks.c.purpose == purpose)
    connection.execute(update(tasks).where(is_known_task).values(closed_at=now_ms()))
    for each in known_tasks:
        same = (tasks.c.queue_id == queue) & (tasks.c.key == each.key) & (tasks.c.purpose == "")
        row = connection.execute(select(tasks).where(same).order_by(tasks.c.id.desc()).limit(1)).one_or_none()
        if row is None:
            raise DataError("the queue has no such task", where=each.key)
        _check(each, row.body.get("form", {}), row.body.get("shows", {}))
        _check_once(connection, queue, purpose, each.key)
        values = {
            "body": row.body,
            "expected": {"values": {n: list(v) for n, v in each.values.items()}, "why": dict(each.why)},
            "closed_at": None,
        }
        name = {"queue_id": queue, "key": f"{purpose}/{each.key}", "shown": row.shown}
        which = is_known_task & (tasks.c.key == name["key"]) & (tasks.c.shown == row.shown)
        if not connection.execute(update(tasks).where(which).values(**values)).rowcount:
            made = {
                **name,
                **values,
                "purpose": purpose,
                "work": "",
                "place": 0,
                "wanted": 1,
                "filled": UNCOUNTED,
                "created_at": now_ms(),
            }
            connection.execute(insert(tasks), made)
    note(connection, "gold set", by, str(queue), kind=purpose, number=len(known_tasks))
    return len(known_tasks)


def _check_once(connection: Connection, queue: int, purpose: str, key: str) -> None:
    """Practice shows the right answer, so that nobody can be tested with the same task afterwards."""
    other = "practice" if purpose == "gold" else "gold"
    which = (tasks.c.queue_id == queue) & (tasks.c.purpose == other) & tasks.c.closed_at.is_(None)
    if connection.execute(select(tasks.c.id).where(which, tasks.c.key == f"{other}/{key}")).first() is not None:
        raise DataError(
            f"the task is already {'practice' if other == 'practice' else 'a gold task'} of this queue",
            where=key,
            fix="choose another task: practice shows the correct answer",
        )


def _check(known_task: KnownTask, form: Mapping[str, Any], shows: Mapping[str, Any]) -> None:
    fields = {field.name: field for field in fields_of(form, shows)}
    for name, values in known_task.values.items():
        if name not in form:
            raise DataError(f"the task has no field {name!r}", where=known_task.key, expected=", ".join(form))
        kind = form[name]
        if kind == "media":
            raise DataError(
                f"values of {name!r} aren't compared: a recording is correct if it is accepted", where=known_task.key
            )
        if (field := fields.get(name)) is not None and field.kind == "json":
            raise DataError(
                f"{name!r} has no single correct value to compare with",
                where=known_task.key,
                fix="let a verifier see each annotation: triptych portal push --verify",
            )
        among = multiple_choices(kind) or (list(kind) if isinstance(kind, list) else None)
        for value in values if among is not None else ():
            for one in value if isinstance(value, list) else [value]:
                if str(one) not in {str(choice) for choice in among or ()}:
                    raise DataError(
                        f"not a choice of {name!r}",
                        where=known_task.key,
                        got=one,
                        expected=", ".join(map(str, among or ())),
                    )
        if field is not None and field.kind in EXPECTED:
            _check_times_and_boxes(known_task.key, field, values)


def _check_times_and_boxes(key: str, field: Field, values: Sequence[Any]) -> None:
    for value in values:
        try:
            values_of([field], {field.name: value})
        except Unfit:
            raise DataError(
                f"not {field.kind} for {field.name!r}", where=key, got=value, expected=EXPECTED[field.kind]
            ) from None


def next_known(
    connection: Connection, queue: int, person: str, rule: Rule, which: ColumnElement[bool]
) -> Row[Any] | None:
    """Return the practice task, or the gold task, that comes next for a person; None if a usual task comes.

    `which`: tasks that may come, since the person has not skipped them.

    The n-th gold task comes after between (n - 1) and n times `every` tasks, at a place drawn for the person.
    """
    task_row = connection.execute(
        select(tasks).where(_is_known_task(queue), ~_has_result(person), which).order_by(tasks.c.id)
    ).all()
    practice = next((row for row in task_row if row.purpose == "practice"), None)
    if practice is not None:
        return practice
    golds = [row for row in task_row if row.purpose == "gold"]
    if not golds:
        return None
    is_own = (submissions.c.queue_id == queue) & (submissions.c.person_id == person)
    columns = (tasks.c.key, tasks.c.purpose, submissions.c.state)
    sent = connection.execute(select(*columns).select_from(submissions.join(tasks)).where(is_own)).all()
    usual = sum(row.purpose == "" and row.state in LIVE for row in sent)
    done = sum(row.purpose == "gold" and row.state in LIVE for row in sent)
    draw = random.Random(f"{queue}/{person}/{done}")
    if usual < done * rule.every + draw.randrange(max(rule.every, 1)):
        return None
    seen = {row.key for row in sent if row.purpose == ""}
    new = [row for row in golds if row.key.partition("/")[2] not in seen]
    return draw.choice(new) if new else None


def repeated_by(connection: Connection, task: int) -> tuple[str, int] | None:
    """Return work and place of the usual task that a gold task or a practice task repeats; None if it is gone."""
    column = tasks.c
    query = select(column.queue_id, column.key, column.purpose).where(column.id == task)
    cells = connection.execute(query).one_or_none()
    if cells is None:
        return None
    same = (column.queue_id == cells.queue_id) & (column.key == cells.key.removeprefix(f"{cells.purpose}/"))
    usual = select(column.work, column.place).where(same, column.purpose == "").order_by(column.id.desc()).limit(1)
    row = connection.execute(usual).one_or_none()
    return (row.work, row.place) if row is not None else None


def _is_known_task(queue: int) -> ColumnElement[bool]:
    return (tasks.c.queue_id == queue) & tasks.c.closed_at.is_(None) & (tasks.c.filled == UNCOUNTED)


def _has_result(person: str) -> ColumnElement[bool]:
    sent = submissions.c
    return exists().where(sent.task_id == tasks.c.id, sent.person_id == person, sent.state.in_(LIVE))


def not_seen_as_known(queue: int, person: str) -> ColumnElement[bool]:
    """Whether a person has not answered a task as a gold task or in practice, in a query of tasks."""
    known_tasks, sent = tasks.alias("known"), submissions.c
    did = exists().where(sent.task_id == known_tasks.c.id, sent.person_id == person)
    # an index finds the few tasks with known answers, whatever the number of results
    keys = select(func.substr(known_tasks.c.key, func.length(known_tasks.c.purpose) + 2)).where(
        known_tasks.c.queue_id == queue, known_tasks.c.closed_at.is_(None), known_tasks.c.filled == UNCOUNTED, did
    )
    return tasks.c.key.not_in(keys)


def grade_answers(task: Row[Any], answers: Mapping[str, Any]) -> float | None:
    """Return the share of the expected values that answers have; None for a task that has none."""
    expected = (task.expected or {}).get("values") or {}
    if not expected:
        return None
    form = task.body.get("form", {})
    right = [
        any(is_right(form.get(name), value, answers.get(name)) for value in values) for name, values in expected.items()
    ]
    return sum(right) / len(right)


def is_right(kind: Any, wanted: Any, answer: Any) -> bool:
    """Return whether a value is right. `kind`: of the field, as its form declares it.

    >>> is_right(["approve", "reject"], "reject", "reject"), is_right("text", "Hello, world.", "hello world")
    (True, True)
    >>> is_right("spans", "1-3", "1.2-3"), is_right("text", "Hello, world.", "goodbye")
    (True, False)
    """
    if answer is None:
        return wanted in (None, "", [])
    if multiple_choices(kind) is not None:
        return {str(each) for each in _list(wanted)} == {str(each) for each in _list(answer)}
    if kind == "spans":
        return 1 - spans_difference(_spans(wanted), _spans(answer)) >= OVERLAP
    if isinstance(kind, Mapping) and answer and _is_boxes(answer):
        boxes = _decoded(wanted)
        return _is_boxes(boxes) and 1 - boxes_difference(boxes, answer) >= OVERLAP
    if kind in ("text", "list"):
        return 1 - text_difference(_letters_and_digits(wanted), _letters_and_digits(answer)) >= ALIKE
    try:
        return float(wanted) == float(answer)
    except (TypeError, ValueError):
        return str(wanted) == str(answer)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _spans(value: Any) -> list[tuple[float, float]]:
    return spans_of(str(value).replace(" ", ""))


def _is_boxes(value: Any) -> TypeGuard[list[list[float]]]:
    return isinstance(value, list) and all(
        isinstance(box, list) and len(box) == 4 and all(type(each) in (int, float) for each in box) for box in value
    )


def _decoded(value: Any) -> Any:
    """A value of a table as JSON; unchanged if it is none."""
    try:
        return decode_once(value, object) if isinstance(value, str) else value
    except UNREADABLE:
        return value


def _letters_and_digits(value: Any) -> str:
    text = unicodedata.normalize("NFKC", "\n".join(map(str, _list(value)))).casefold()
    return "".join(each for each in text if unicodedata.category(each)[0] in "LNSM")


def state_of(task: Row[Any], share: float | None, tries: int) -> str:
    """Return the state of an answer to a task of which the right values are known: practice comes again while it is
    wrong."""
    wrong = share is not None and share < 1 and task.purpose == "practice"
    return "again" if wrong and tries + 1 < PRACTICE_TRIES else "accepted"


def tries_of(connection: Connection, task: int, person: str) -> int:
    """Return how often a person has sent a task."""
    is_own_try = (
        (submissions.c.task_id == task) & (submissions.c.person_id == person) & (submissions.c.state != "erased")
    )
    return int(connection.execute(select(func.count()).select_from(submissions).where(is_own_try)).scalar() or 0)


def judge_by_state(connection: Connection, submission: str, state: str) -> None:
    """Write down whether a task without expected values is right, after a check or a person has decided; the last
    decision counts."""
    which = (submissions.c.id == submission) & (tasks.c.filled == UNCOUNTED)
    row = connection.execute(select(tasks.c.expected).select_from(submissions.join(tasks)).where(which)).one_or_none()
    if row is None or (row.expected or {}).get("values") or state not in ("accepted", "again", "rejected"):
        return
    is_submission = submissions.c.id == submission
    connection.execute(update(submissions).where(is_submission).values(gold=float(state == "accepted")))


def standing_of(connection: Connection, queue: int, person: str) -> Standing:
    """Return how a person does in a queue."""
    return standings_of(connection, queue, person).get(person, Standing(0, None, False))


def standings_of(connection: Connection, queue: int, person: str | None = None) -> dict[str, Standing]:
    """Return how people do in a queue; `person`: only this one."""
    column, sent = standings.c, submissions.c
    rows = connection.execute(
        select(column.person_id, column.barred_at, column.since).where(
            column.queue_id == queue, *([column.person_id == person] if person else [])
        )
    ).all()
    since = {row.person_id: row.since for row in rows}
    barred = {row.person_id for row in rows if row.barred_at is not None}
    which = (sent.queue_id == queue) & sent.gold.is_not(None) & (sent.state != "erased") & (tasks.c.purpose == "gold")
    query = select(sent.person_id, sent.gold, sent.received_at).select_from(submissions.join(tasks))
    if person:
        query = query.where(which, sent.person_id == person)
    else:  # the tasks first: they are few
        of_queue = (tasks.c.queue_id == queue) & (tasks.c.filled == UNCOUNTED)
        golds = connection.execute(select(tasks.c.id).where(of_queue)).scalars().all()
        query = query.where(which, sent.task_id.in_(golds))
    shares: dict[str, list[float]] = {who: [] for who in barred}
    for who, share, at in connection.execute(query):
        if at >= since.get(who, 0):
            shares.setdefault(who, []).append(float(share))
    return {
        who: Standing(len(who_shares), sum(who_shares) / len(who_shares) if who_shares else None, who in barred)
        for who, who_shares in shares.items()
    }


def apply_rule(connection: Connection, queue: int, person: str, rule: Rule) -> Standing:
    """Return how a person does, after the rule was applied where their gold tasks are below the limit."""
    standing = standing_of(connection, queue, person)
    if standing.barred or rule.then == "tell" or not standing.is_below(rule):
        return standing
    _set(connection, queue, person, barred_at=now_ms())
    is_own_lease = (leases.c.person_id == person) & leases.c.task_id.in_(
        select(tasks.c.id).where(tasks.c.queue_id == queue)
    )
    connection.execute(delete(leases).where(is_own_lease))
    number = _reject(connection, queue, person) if rule.then == "reject" else 0
    name = connection.execute(select(queues.c.name).where(queues.c.id == queue)).scalar()
    note(connection, "barred", None, person, queue=name, results=number)
    return Standing(standing.judged, standing.right, True)


def apply_rules(database: Database, queue: int, rule: Rule) -> None:
    """Apply the rule to everybody of a queue: before its results are exported.

    Each person has a transaction of their own: in one for all, two processes could wait for each other's people.
    """
    with database.reading() as connection:
        everybody = sorted(standings_of(connection, queue))
    for person in everybody:
        with database.writing() as connection:
            apply_rule(connection, queue, person, rule)


def _reject(connection: Connection, queue: int, person: str) -> int:
    """Let results of a person that were not exported no longer count, and their works go to others."""
    sent = submissions.c
    usual = select(tasks.c.id).where(tasks.c.queue_id == queue, tasks.c.filled != UNCOUNTED)
    out = exists().where(exported.c.submission_id == sent.id)
    which = (
        (sent.queue_id == queue) & (sent.person_id == person) & sent.state.in_(LIVE) & sent.task_id.in_(usual) & ~out
    )
    theirs = tasks.c.id.in_(connection.execute(select(sent.task_id).where(which)).scalars().all())
    hold_tasks(connection, theirs)
    number = connection.execute(update(submissions).where(which).values(state="rejected", reasons=[BARRED])).rowcount
    recount(connection, theirs)
    connection.execute(delete(holders).where(holders.c.queue_id == queue, holders.c.person_id == person))
    return int(number)


def let_in(connection: Connection, queue: str, person: str, by: str | None) -> None:
    """Give a person tasks of a queue again; gold tasks from now on decide. Raises DataError for an unknown queue."""
    number = connection.execute(select(queues.c.id).where(queues.c.name == queue)).scalar()
    if number is None:
        raise DataError("there is no such queue", got=queue[:80])
    _set(connection, number, person, barred_at=None, since=now_ms())
    note(connection, "let in", by, person, queue=queue)


def _set(connection: Connection, queue: int, person: str, **values: Any) -> None:
    connection.execute(select(people.c.id).where(people.c.id == person).with_for_update())
    is_standing = (standings.c.queue_id == queue) & (standings.c.person_id == person)
    if not connection.execute(update(standings).where(is_standing).values(**values)).rowcount:
        connection.execute(insert(standings), {"queue_id": queue, "person_id": person, **values})


def feedback_of(connection: Connection, queue: int, person: str) -> Feedback | None:
    """Return the feedback on the practice task that a person sent last; None if it was a usual task."""
    has = select(tasks.c.id).where(_is_known_task(queue), tasks.c.purpose == "practice").limit(1)
    if connection.execute(has).scalar() is None:
        return None
    sent = submissions.c
    last = (
        select(
            tasks.c.id,
            tasks.c.purpose,
            tasks.c.body,
            tasks.c.expected,
            sent.answers,
            sent.gold,
            sent.state,
            sent.reasons,
        )
        .select_from(submissions.join(tasks))
        .where(sent.queue_id == queue, sent.person_id == person)
        .order_by(sent.received_at.desc(), sent.id)
        .limit(1)
    )
    row = connection.execute(last).one_or_none()
    if row is None or row.purpose != "practice" or row.state == "erased":
        return None
    expected = row.expected or {}
    return Feedback(
        row.id,
        row.body,
        row.answers,
        row.gold,
        row.state == "again",
        expected.get("values", {}),
        expected.get("why", {}),
        row.reasons,
    )
