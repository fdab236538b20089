"""The talk of a task whose questions begin with the abstract: its media are closed until those are written.

`push --abstract-first` asks for it. That somebody has opened a talk is an entry of the audit trail, so it outlives a
reload, another browser and the lease.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from triptych.construction.stages.talk_questions import Rules
from triptych.portal.people.records import Person
from triptych.portal.store.tables import audit
from triptych.portal.work.audit import note

OPENED = "talk opened"
ABSTRACT = "Abstract"  # the origin of a question that the abstract answers


def wanted_first(body: Mapping[str, Any]) -> int:
    """Return the number of questions from the abstract that come before the talk; 0 if it is open from the beginning.

    >>> wanted_first({"helps": {"abstract_first": True}, "shows": {"summaries": {"en": "We count."}},
    ...               "rules": {"distribution": {"abstract": 2}}})
    2
    """
    if not body.get("helps", {}).get("abstract_first") or not body.get("shows", {}).get("summaries"):
        return 0
    return msgspec.convert(body.get("rules", {}), Rules).distribution.get("abstract", 0)


def from_abstract(answers: Mapping[str, Any]) -> int:
    """Return how many questions from the abstract are written, finished or not."""
    field = answers.get("questions")
    questions = [one for one in field if isinstance(one, Mapping)] if isinstance(field, list) else []
    return sum(one.get("origin") == ABSTRACT and bool(str(one.get("question") or "").strip()) for one in questions)


def has_opened(connection: Connection, task: int, person: str) -> bool:
    """Whether a person has opened the talk of a task."""
    by_person = (audit.c.subject == str(task)) & (audit.c.action == OPENED) & (audit.c.person_id == person)
    return connection.execute(select(audit.c.id).where(by_person).limit(1)).scalar() is not None


def open_talk(connection: Connection, task: int, person: str, queue: str, questions: int) -> None:
    """Note that a person has written the questions from the abstract, and may see the talk from now on."""
    if not has_opened(connection, task, person):
        note(connection, OPENED, person, str(task), queue=queue, number=questions)


def is_closed(connection: Connection, task: Any, person: Person) -> bool:
    """Whether the talk of a task is still closed to a person. `task`: its id, body, filled and wanted.

    Reviewers see it once everybody who was asked has answered, and administrators at any time.
    """
    if not wanted_first(task.body) or "admin" in person.roles:
        return False
    if "reviewer" in person.roles and task.filled >= task.wanted:
        return False
    return not has_opened(connection, task.id, person.id)
