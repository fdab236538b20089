"""Reviews, annotations and a survey for the portal's lists: as many tasks and results as wanted, written as rows."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

from benchmarks_speed.portal_filling import BATCH, people_with_sessions

FORM = {
    "verdict": ["approve", "edit", "reject"],
    "score": {"type": "integer", "minimum": 1, "maximum": 5},
    "answer": "text",
}
SHOWS = {"question": "Who speaks first, and about what?", "answer": "the older man, about the weather"}
REVIEWERS = 20
ANNOTATORS = 20
ASKED = 100  # questions of one participant
CELLS = 60


def reviews_of(portal: Any, number: int) -> Any:
    """A queue `review` of so many tasks, each reviewed by two of 20 people; every tenth pair disagrees, and nobody has
    decided."""
    queue = _queue(
        portal,
        "review",
        "review",
        {"slots": ["1", "2"], "decided": True},
        number,
        {"shows": SHOWS, "form": FORM, "guide": "Judge."},
        2,
    )
    people = people_with_sessions(portal, REVIEWERS, "reviewer", cookies=False)
    draw = random.Random(1)

    def votes() -> Iterator[dict[str, Any]]:
        for place, task in enumerate(_tasks(portal, queue)):
            one, other = draw.sample(people, 2)
            verdict = draw.choice(["approve", "reject"])
            contrary = "approve" if verdict == "reject" else "reject"
            for slot, person in (("1", one), ("2", other)):
                given = contrary if slot == "2" and not place % 10 else verdict
                answers = {"verdict": given, "score": draw.randint(1, 5)}
                yield {
                    "task_id": task,
                    "queue_id": queue.id,
                    "slot": slot,
                    "person_id": person,
                    "answers": answers,
                    "seconds": 20,
                }

    _submit(portal, "r", votes())
    return queue


def annotations_of(portal: Any, number: int) -> Any:
    """A queue `annotate` of so many tasks, each done once."""
    body = {"shows": {"title": "A talk"}, "form": {"answer": "text"}, "guide": "Write."}
    queue = _queue(portal, "annotate", "annotation", {}, number, body, 1)
    people = people_with_sessions(portal, ANNOTATORS, "annotator", cookies=False)
    _submit(
        portal,
        "a",
        (
            {
                "task_id": task,
                "queue_id": queue.id,
                "slot": "1",
                "person_id": people[place % ANNOTATORS],
                "seconds": 60,
                "answers": {"answer": "The speaker describes the results of the second experiment. " * 3},
            }
            for place, task in enumerate(_tasks(portal, queue))
        ),
    )
    return queue


def survey_of(portal: Any, number: int) -> Any:
    """A survey `survey` of so many questions in 60 cells, and as many answers, 100 by each participant."""
    from sqlalchemy import insert

    from triptych.portal.store.engine import current_milliseconds
    from triptych.portal.store.tables import participants

    settings, questions = _questions(number)
    queue = _queue(portal, "survey", "survey", settings, number, questions, 10)
    people = people_with_sessions(portal, number // ASKED, "participant", cookies=False)
    tasks, at, cells = _tasks(portal, queue), current_milliseconds(), list(settings["cells"])
    rows = []
    for place, person in enumerate(people):
        own = tasks[place * ASKED : (place + 1) * ASKED]
        rows.append(
            {
                "queue_id": queue.id,
                "person_id": person,
                "cells": [cells[place % CELLS]],
                "sequence": own,
                "state": ("valid", "open", "invalid")[place % 3],
                "reasons": [],
                "began_at": at + place,
            }
        )
    with portal.database.writing() as connection:
        connection.execute(insert(participants), rows)
    _submit(
        portal,
        "s",
        (
            {
                "task_id": task,
                "queue_id": queue.id,
                "slot": row["person_id"],
                "person_id": row["person_id"],
                "seconds": 9,
                "answers": {"picked": [1], "order": [2, 0, 1, 3], "ms": 9000 + place},
            }
            for row in rows
            for place, task in enumerate(row["sequence"])
        ),
    )
    return queue


def _questions(number: int) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    """The settings of a survey, and the bodies of its tasks: questions of the mini set, again and again."""
    import msgspec

    from triptych.experiment.planning import plan
    from triptych.portal.survey.creation import Wanted, make_survey

    ready = plan("xmodbench", "baseline/constant", seed=1)
    made = make_survey(ready, Wanted(), lambda data, sha: None).survey
    cells = {f"cell-{n:02}": [f"instance-{n:02}"] for n in range(CELLS)}
    sizes = {name: len(range(n, number, CELLS)) for n, name in enumerate(cells)}
    settings = msgspec.to_builtins(msgspec.structs.replace(made.settings, cells=cells, questions=sizes))
    asked = [msgspec.to_builtins(task.question) for task in made.tasks if task.question.item]
    bodies = (
        {"question": {**asked[n % len(asked)], "cell": f"cell-{n % CELLS:02}"}, "shows": {"media": {}}}
        for n in range(number)
    )
    return settings, bodies


def _queue(portal: Any, name: str, kind: str, settings: Any, number: int, body: Any, wanted: int) -> Any:
    from triptych.portal.work.queues import NewTask, put_queue, put_tasks

    bodies = [body] * number if isinstance(body, dict) else body
    with portal.database.writing() as connection:
        queue = put_queue(connection, name, kind, settings, None)
        put_tasks(
            connection, queue, (NewTask(f"{name}/{n:06}", "d", each, "", n, wanted) for n, each in enumerate(bodies))
        )
    return queue


def _tasks(portal: Any, queue: Any) -> list[int]:
    from sqlalchemy import select

    from triptych.portal.store.tables import tasks

    with portal.database.reading() as connection:
        query = select(tasks.c.id).where(tasks.c.queue_id == queue.id).order_by(tasks.c.id)
        return list(connection.execute(query).scalars())


def _submit(portal: Any, letter: str, rows: Iterable[dict[str, Any]]) -> None:
    """Write accepted submissions with their receipts and their lines in the audit trail."""
    from itertools import islice

    from sqlalchemy import insert

    from triptych.portal.store.engine import current_milliseconds
    from triptych.portal.store.tables import audit, receipts, submissions, tasks
    from triptych.portal.work.queues import recount

    at, made, every = current_milliseconds(), 0, iter(rows)
    with portal.database.writing() as connection:
        while some := list(islice(every, BATCH)):
            sent, told, noted = [], [], []
            for row in some:
                made += 1
                id, moment = f"filled-{letter}-{made:012}", at - 10_000_000 + made
                digest = sha256(id.encode()).hexdigest()
                sent.append(
                    {**row, "id": id, "digest": digest, "state": "accepted", "reasons": [], "received_at": moment}
                )
                told.append({"submission_id": id, "sha256": digest, "size": 0, "issued_at": moment})
                noted.append({"at": moment, "person_id": row["person_id"], "action": "submitted", "subject": id})
            for table, several in ((submissions, sent), (receipts, told), (audit, noted)):
                connection.execute(insert(table), several)
        recount(connection, tasks.c.queue_id == row["queue_id"])
        connection.exec_driver_sql("ANALYZE")  # PostgreSQL does so by itself within a minute
