"""Surveys for tests: made of a mini set, and answered by scripted people over HTTP."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import select

from tests.portal.conftest import Visitor, visitor
from triptych.experiment.planning import plan
from triptych.portal.exchange.local import Local
from triptych.portal.project import Portal
from triptych.portal.store.tables import tasks
from triptych.portal.survey.creation import Wanted, make_survey
from triptych.portal.survey.document import Question, Settings, Survey, parse_question
from triptych.portal.survey.keeping import put_survey, survey_of
from triptych.portal.survey.participation import by_id, place_of, settings_of
from triptych.portal.survey.rendering import order_for

Says = Callable[[Question, Sequence[int]], dict[str, Any]]
_numbers = itertools.count()


def pushed(portal: Portal, bench: str, name: str = "survey", *, conditions: Sequence[str] = (), **more: Any) -> Survey:
    """A survey of a mini set in a portal."""
    ready = plan(bench, "baseline/constant", seed=1, conditions=conditions)
    made = make_survey(ready, Wanted(**more), lambda data, sha: _store(portal, data, sha))
    put_survey(portal, name, made.survey)
    return made.survey


def _store(portal: Portal, data: bytes, sha: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(data)
        Local(portal).put_medium(path, sha, len(data))


def participant(portal: Portal) -> Visitor:
    """A new person who may take part."""
    return visitor(portal, "participant")


def correct(question: Question, order: Sequence[int]) -> dict[str, Any]:
    """What somebody who knows everything sends."""
    if question.check is not None:
        return {"picked": [order.index(question.check.answer)]}
    item = question.item
    assert item is not None
    if question.form in ("choice", "choices"):
        return {"picked": [order.index(n) for n in item.target_positions]}
    if question.form == "rating":
        return {"text": str(question.scale[1])}
    return {"text": item.targets[0] if item.targets and item.targets[0] else "nothing"}


def pseudonym_of(portal: Portal, who: Visitor) -> str:
    return who.session.person.pseudonym


def answer_next(portal: Portal, who: Visitor, says: Says = correct, name: str = "survey", ms: int = 9000) -> int | None:
    """Answer the next question over HTTP; returns the status of the receipt, None if there is no question."""
    with portal.database.reading() as connection:
        queue = survey_of(connection, name)
        place = place_of(connection, queue, who.id)
        task = place.next_task if place and place.state == "open" else None
        if task is None:
            return None
        _, question = by_id(connection, queue, task)
    order = order_for(question, settings_of(queue).seed, pseudonym_of(portal, who))
    body = {"order": list(order), "ms": ms, **says(question, order)}
    return send(who, task, body, name)


def send(who: Visitor, task: int, body: dict[str, Any], name: str = "survey", id: str = "") -> int:
    address = f"/survey/{name}/{task}/{id or f'id-{next(_numbers):020}'}"
    answer = who.client.put(address, content=msgspec.json.encode(body), headers={"x-form-token": who.token})
    return answer.status_code


def takes_part(portal: Portal, who: Visitor, says: Says = correct, name: str = "survey", ms: int = 9000) -> int:
    """Begin a survey and answer everything; returns the number of answers."""
    who.client.post(f"/survey/{name}", data={"token": who.token})
    number = 0
    while (status := answer_next(portal, who, says, name, ms)) is not None:
        assert status == 201, status
        number += 1
    return number


def settings(portal: Portal, name: str = "survey") -> Settings:
    with portal.database.reading() as connection:
        return settings_of(survey_of(connection, name))


def question_of(portal: Portal, task: int) -> Question:
    with portal.database.reading() as connection:
        return parse_question(
            connection.execute(select(tasks.c.body).where(tasks.c.id == task)).scalar_one()["question"]
        )
