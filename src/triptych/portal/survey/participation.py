"""Taking part: places are drawn, questions come in their order, answers are received, and in the end it is decided
whether they count. Everything is in the database, so a reload or another browser goes on at the same question."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, and_, exists, func, insert, select, update

from triptych.errors import DataError
from triptych.portal.store.engine import Database, now_ms
from triptych.portal.store.tables import LIVE, participants, people, queues, submissions, tasks
from triptych.portal.survey.checks import PRACTICE, PREFIX, drawn_checks
from triptych.portal.survey.document import Answer, Question, Settings, parse_question
from triptych.portal.survey.rendering import order_for
from triptych.portal.survey.rules import QuestionAnswer, draw_cells, faults, original, sequence
from triptych.portal.survey.selection import conflicts
from triptych.portal.work import gold
from triptych.portal.work.audit import note
from triptych.portal.work.presence import hold_person
from triptych.portal.work.queues import Queue, hold_tasks, recount
from triptych.portal.work.submitting import Sent, submit

HOUR_MS = 3600 * 1000


@dataclass(frozen=True)
class SurveyProgress:
    """How far a person is: their state, the ids of their tasks in order, those that are done, and the number of wrong
    answers to practice questions after which the question came again."""

    person: str
    state: str
    reasons: tuple[str, ...]
    cells: tuple[str, ...]
    sequence: tuple[int, ...]
    done: frozenset[int]
    wrong: int = 0

    @property
    def attempt_count(self) -> int:
        """How many answers were received; a wrong one to a practice question counts each time."""
        return len(self.done) + self.wrong

    def practice_count(self, settings: Settings) -> int:
        """The number of practice questions that are done; they come first."""
        return sum(task in self.done for task in self.sequence[: settings.practice])

    @property
    def next_task(self) -> int | None:
        """The next task; None if all are done."""
        return next((task for task in self.sequence if task not in self.done), None)


def place_of(connection: Connection, queue: Queue, person: str) -> SurveyProgress | None:
    """Return how far a person is; None for somebody who has not begun."""
    is_participant = (participants.c.queue_id == queue.id) & (participants.c.person_id == person)
    row = connection.execute(select(participants).where(is_participant)).one_or_none()
    return _progress_of(connection, queue, row) if row else None


def begin(database: Database, queue: Queue, person: str) -> SurveyProgress | None:
    """Draw the places of a person, once; None if no cell needs anybody at present."""
    settings = settings_of(queue)
    with database.writing() as connection:
        hold_person(connection, person)
        connection.execute(select(queues.c.id).where(queues.c.id == queue.id).with_for_update())  # one at a time
        if participant := place_of(connection, queue, person):
            return participant
        draw = random.Random(f"{settings.seed}/{queue.id}/{person}")
        counts = counts_of(connection, queue, settings)
        cells = draw_cells(counts, conflicts(settings.cells), settings.people, settings.most_cells, draw)
        if not cells:
            return None
        row = {
            "queue_id": queue.id,
            "person_id": person,
            "cells": cells,
            "state": "open",
            "reasons": [],
            "sequence": _sequence(connection, queue, cells, settings.checks, draw),
            "began_at": now_ms(),
        }
        connection.execute(insert(participants), row)
        note(connection, "survey begun", person, queue.name, cells=cells)
        return place_of(connection, queue, person)


def counts_of(connection: Connection, queue: Queue, settings: Settings) -> dict[str, int]:
    """Return cell -> people who did it validly, or are at it and were seen lately."""
    since = now_ms() - int(settings.patience_h * HOUR_MS)
    counts = Counter[str]()
    column, sent = participants.c, submissions.c
    is_received = exists().where(
        sent.queue_id == queue.id, sent.person_id == column.person_id, sent.received_at > since
    )
    busy = (column.state == "open") & ((column.began_at > since) | is_received)
    query = (
        select(column.cells)
        .join(people)
        .where(column.queue_id == queue.id, people.c.withdrawn_at.is_(None), (column.state == "valid") | busy)
    )
    for cells in connection.execute(query).scalars():
        counts.update(cells)
    return {cell: counts[cell] for cell in settings.cells}


def valid_counts(connection: Connection, queue: Queue, settings: Settings) -> dict[str, int]:
    """Return cell -> people whose answers count."""
    counts = Counter[str]()
    query = (
        select(participants.c.cells)
        .join(people)
        .where(participants.c.queue_id == queue.id, people.c.withdrawn_at.is_(None), participants.c.state == "valid")
    )
    for cells in connection.execute(query).scalars():
        counts.update(cells)
    return {cell: counts[cell] for cell in settings.cells}


def receive(database: Database, queue: Queue, person: str, pseudonym: str, task: int, id: str, answer: Answer) -> Any:
    """Take an answer and return its receipt; the last one decides whether the person's answers count.

    Raises DataError if the task is not the person's, or if the answer doesn't fit its form.
    """
    settings = settings_of(queue)
    with database.reading() as connection:
        participant = place_of(connection, queue, person)
        if participant is None or task not in participant.sequence:
            raise DataError("this question is not among yours", where=queue.name)
        key, question = by_id(connection, queue, task)
    if participant.state != "open" and task not in participant.done:
        raise DataError("the survey has ended for you", where=queue.name)
    check_answer(question, answer, order_for(question, settings.seed, pseudonym), settings)
    sent = Sent(id, task, person, person, msgspec.to_builtins(answer), round(answer.ms / 1000))
    receipt = submit(database, sent, checked=False)
    if key.startswith(PRACTICE) and is_right(question, answer) is False:
        with database.writing() as connection:
            _ask_again(connection, task, person)
    if not set(participant.sequence) - participant.done - {task}:
        with database.writing() as connection:
            _settle(connection, queue, person)
    return receipt


def _ask_again(connection: Connection, task: int, person: str) -> None:
    """Ask a practice question again after a wrong answer, unless it came as often as practice of other queues does."""
    hold_person(connection, person)
    hold_tasks(connection, tasks.c.id == task)
    if gold.tries_of(connection, task, person) >= gold.PRACTICE_TRIES:
        return
    sent = submissions.c
    which = (sent.task_id == task) & (sent.person_id == person) & sent.state.in_(LIVE)
    connection.execute(update(submissions).where(which).values(state="again"))
    recount(connection, tasks.c.id == task)


@dataclass(frozen=True)
class Practised:
    """A practice question that was just answered. `again`: whether it comes again."""

    task: int
    question: Question
    answer: Answer
    again: bool


def practice_answer(connection: Connection, queue: Queue, survey_progress: SurveyProgress) -> Practised | None:
    """Return the last answer of a person, if it was one to a practice question; None otherwise."""
    if not settings_of(queue).practice:
        return None
    sent = submissions.c
    query = (
        select(sent.task_id, sent.answers, sent.state)
        .where(sent.queue_id == queue.id, sent.person_id == survey_progress.person, sent.state != "erased")
        .order_by(sent.received_at.desc(), sent.id.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    key, question = by_id(connection, queue, row.task_id)
    if not key.startswith(PRACTICE):
        return None
    return Practised(row.task_id, question, msgspec.convert(row.answers, Answer), row.state == "again")


def is_right(question: Question, answer: Answer) -> bool | None:
    """Return whether an answer is right; None for a question that has no right answer."""
    item = question.item
    if item is None or question.form == "rating":
        return None
    if question.form in ("choice", "choices"):
        return original(answer.picked, answer.order) == sorted(item.target_positions) if item.target_positions else None
    targets = [target for target in item.targets if target]
    return any(gold.is_right("text", target, answer.text) for target in targets) if targets else None


def check_answer(question: Question, answer: Answer, order: Iterable[int], settings: Settings) -> None:
    """Raise DataError unless an answer fits the form: options that exist, one for a choice, some text or a rating."""
    if answer.declined:
        if not settings.may_decline or question.check is not None:
            raise DataError("this survey needs an answer to every question")
        return
    shown = tuple(order)
    if answer.order != shown:
        raise DataError("the options were shown in another order; reload the page")
    if question.form in ("choice", "choices"):
        good = set(answer.picked) <= set(range(len(shown))) and len(set(answer.picked)) == len(answer.picked)
        number = len(answer.picked)
        if not good or not number or (number > 1 and question.form == "choice"):
            raise DataError("choose one of the options" if question.form == "choice" else "choose at least one option")
    elif question.form == "rating":
        low, high = question.scale
        if answer.text not in {str(value) for value in range(low, high + 1)}:
            raise DataError("not a rating of the scale", got=answer.text[:20], expected=f"{low} to {high}")
    elif not answer.text.strip():
        raise DataError("the answer is empty")


def validity_answer(question: Question, answer: Answer) -> QuestionAnswer:
    """Return what validity depends on."""
    single = answer.picked[0] if question.form == "choice" and len(answer.picked) == 1 else None
    passed = None
    if question.check is not None:
        passed = single is not None and answer.order[single] == question.check.answer
    return QuestionAnswer(answer.ms / 1000, passed, single, len(answer.order), answer.declined)


def exclude(connection: Connection, queue: Queue, person: str, reasons: list[str], by: str | None) -> None:
    """Decide that a person's answers don't count; their places are drawn again."""
    _decide(connection, queue, person, "invalid", reasons, by)


def restore(connection: Connection, queue: Queue, person: str, by: str | None) -> None:
    """Decide that a person's answers count after all."""
    _decide(connection, queue, person, "valid", [], by)


def settings_of(queue: Queue) -> Settings:
    """Return the settings of a survey's queue."""
    return msgspec.convert(queue.settings, Settings)


def _settle(connection: Connection, queue: Queue, person: str) -> None:
    """After the last answer, decide whether a person's answers count."""
    is_participant = and_(participants.c.queue_id == queue.id, participants.c.person_id == person)
    row = connection.execute(select(participants).where(is_participant).with_for_update()).one()
    if row.state != "open" or _progress_of(connection, queue, row).next_task is not None:
        return
    answers = [validity_answer(question, answer) for question, answer in answers_of(connection, queue, person)]
    reasons = faults(answers, settings_of(queue).validity)
    _decide(connection, queue, person, "invalid" if reasons else "valid", reasons, None)


def answers_of(connection: Connection, queue: Queue, person: str) -> list[tuple[Question, Answer]]:
    """Return all answers of a person with their questions, in the order in which they came; those of practice are left
    out."""
    sent = submissions.c
    query = (
        select(tasks.c.body, sent.answers)
        .select_from(submissions.join(tasks))
        .where(sent.queue_id == queue.id, sent.person_id == person, sent.state.in_((*LIVE, "rejected")))
        .where(tasks.c.key.not_like(f"{PRACTICE}%"))
        .order_by(sent.received_at, sent.id)
    )
    return [
        (parse_question(body["question"]), msgspec.convert(answer_, Answer))
        for body, answer_ in connection.execute(query)
    ]


def _decide(connection: Connection, queue: Queue, person: str, state: str, reasons: list[str], by: str | None) -> None:
    is_participant = and_(participants.c.queue_id == queue.id, participants.c.person_id == person)
    connection.execute(
        update(participants).where(is_participant).values(state=state, reasons=reasons, ended_at=now_ms())
    )
    before, after = ("rejected", "accepted") if state == "valid" else ("accepted", "rejected")
    mine = (submissions.c.queue_id == queue.id) & (submissions.c.person_id == person)
    which = mine & (submissions.c.state == before)
    theirs = tasks.c.id.in_(select(submissions.c.task_id).where(mine))
    hold_tasks(connection, theirs)
    connection.execute(update(submissions).where(which).values(state=after, reasons=reasons))
    recount(connection, theirs)
    note(connection, f"participant {state}", by, person, queue=queue.name, reasons=reasons)


def _progress_of(connection: Connection, queue: Queue, row: Row[Any]) -> SurveyProgress:
    sent = submissions.c
    query = select(sent.task_id).where(
        sent.queue_id == queue.id, sent.person_id == row.person_id, sent.state.in_((*LIVE, "rejected"))
    )
    done = frozenset(connection.execute(query).scalars())
    practice = row.sequence[: settings_of(queue).practice]
    repeated = (
        select(func.count())
        .select_from(submissions)
        .where(sent.task_id.in_(practice), sent.person_id == row.person_id, sent.state == "again")
    )
    wrong = int(connection.execute(repeated).scalar() or 0) if practice else 0
    return SurveyProgress(
        row.person_id, row.state, tuple(row.reasons), tuple(row.cells), tuple(row.sequence), done, wrong
    )


def _sequence(connection: Connection, queue: Queue, cells: list[str], checks: int, draw: random.Random) -> list[int]:
    """The tasks of a person in their order: practice, then the questions of the cells, Unit by Unit, with attention
    checks between them."""
    units: dict[tuple[str, str], list[tuple[int, int]]] = {}
    check_ids: dict[str, int] = {}
    practice: list[int] = []
    query = (
        select(tasks.c.id, tasks.c.key, tasks.c.body)
        .where(tasks.c.queue_id == queue.id, tasks.c.closed_at.is_(None))
        .order_by(tasks.c.id)
    )
    for id, key, body in connection.execute(query):
        if key.startswith(PREFIX):
            check_ids[key] = id
        elif key.startswith(PRACTICE):
            practice.append(id)
        elif body["question"]["cell"] in cells:
            item = parse_question(body["question"]).item
            assert item is not None
            units.setdefault((item.task, item.unit_id), []).append((item.place, id))
    chosen = [check_ids[key] for key in drawn_checks(list(check_ids), checks, draw)]
    return practice + sequence([[id for _, id in sorted(unit_group)] for unit_group in units.values()], chosen, draw)


def by_id(connection: Connection, queue: Queue, task: int) -> tuple[str, Question]:
    """Return the key and the question of a task. Raises DataError for another queue's."""
    query = select(tasks.c.key, tasks.c.body).where(tasks.c.id == task, tasks.c.queue_id == queue.id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise DataError("there is no such question", where=queue.name, got=task)
    return row.key, parse_question(row.body["question"])
