"""Hours and counts, for pay: how much a person did, and how long it took."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from triptych.portal.store.tables import people, queues, submissions, tasks

_WORD = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]|[^\W_]+(?:['’-][^\W_]+)*")
_IDEOGRAPHS = re.compile(r"([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])")


@dataclass(frozen=True)
class Hours:
    """The work of one person in one queue.

    seconds      time on tasks, as their browser measured it, over all submissions (those done again, too)
    submitted    submissions, those done again among them
    accepted     submissions that count
    """

    person: str
    pseudonym: str
    label: str
    queue: str
    kind: str
    seconds: int
    submitted: int
    accepted: int


def hours_of(connection: Connection, person: str | None = None) -> list[Hours]:
    """Return the hours by person and queue; `person`: of one only. Withdrawn people keep theirs, since work is paid."""
    sent = submissions.c
    accepted = func.count().filter(sent.state == "accepted")
    query = (
        select(
            people.c.id, people.c.pseudonym, people.c.label, queues.c.name, queues.c.kind,
            func.coalesce(func.sum(sent.seconds), 0), func.count(), accepted,
        )
        .select_from(submissions.join(tasks).join(queues).join(people, people.c.id == sent.person_id))
        .group_by(people.c.id, people.c.pseudonym, people.c.label, queues.c.id, queues.c.name, queues.c.kind)
        .order_by(queues.c.id, people.c.pseudonym)
    )  # fmt: skip
    if person is not None:
        query = query.where(people.c.id == person)
    return [
        Hours(id, pseudonym, label, queue, kind, int(seconds), submitted, counted)
        for id, pseudonym, label, queue, kind, seconds, submitted, counted in connection.execute(query)
    ]


def words_in(text: str) -> int:
    """Return the number of words for pay: each Chinese character is one, and so is each word in letters or digits.

    >>> words_in("床前明月光，It's 3 a.m."), words_in("——")
    (9, 0)
    """
    return len(_WORD.findall(_IDEOGRAPHS.sub(r" \1 ", text)))


def words_of(connection: Connection) -> Counter[tuple[str, str]]:
    """Return the words of the texts in accepted submissions: (person, queue) -> number; a task's text counts once for
    each person who did it."""
    sent = submissions.c
    query = (
        select(sent.person_id, queues.c.name, tasks.c.body)
        .select_from(submissions.join(tasks).join(queues))
        .where(sent.state == "accepted")
    )
    found: Counter[tuple[str, str]] = Counter()
    for person, queue, body in connection.execute(query, execution_options={"yield_per": 1000}):
        found[person, queue] += words_in(_text(body))
    return found


def _text(body: Any) -> str:
    shows = body.get("shows") if isinstance(body, dict) else None
    text = shows.get("text") if isinstance(shows, dict) else None
    return text if isinstance(text, str) else ""
