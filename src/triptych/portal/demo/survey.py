"""A survey in the demo: questions of a mini set, answered by people of whom some know more than others."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from triptych.experiment.planning import plan
from triptych.portal.demo.content import content
from triptych.portal.exchange.local import Local
from triptych.portal.people.records import person_of
from triptych.portal.project import Portal
from triptych.portal.survey.creation import Wanted, make_survey
from triptych.portal.survey.document import Answer, Question
from triptych.portal.survey.keeping import put_survey, survey_of
from triptych.portal.survey.participation import begin, by_id, receive, settings_of
from triptych.portal.survey.rendering import order_for

QUEUE = "people-and-models"
MS = 9000  # that each answer takes


def fill(portal: Portal, participants: list[str]) -> None:
    """Make the survey, and answer it."""
    texts = content()["survey"]
    ready = plan(texts["benchmark"], "baseline/constant", tasks=tuple(texts["tasks"]), seed=1)
    wanted = Wanted(per_cell=texts["per_cell"], break_after=texts["break_after"])
    with tempfile.TemporaryDirectory() as folder:
        made = make_survey(ready, wanted, lambda data, sha: _keep(portal, Path(folder) / "file", data, sha))
    put_survey(portal, QUEUE, made.survey)
    for person, share in zip(participants, texts["right"], strict=True):
        _take_part(portal, person, share)


def _keep(portal: Portal, path: Path, data: bytes, sha: str) -> None:
    path.write_bytes(data)
    Local(portal).put_medium(path, sha, len(data))


def _take_part(portal: Portal, person: str, share: float) -> None:
    """Answer all questions of a person, `share` of them correctly, and every attention check."""
    with portal.database.reading() as connection:
        queue, person_row = survey_of(connection, QUEUE), person_of(connection, person)
    participant = begin(portal.database, queue, person)
    if participant is None or person_row is None:
        return
    draw = random.Random(person_row.label)
    for number, task in enumerate(participant.sequence):
        with portal.database.reading() as connection:
            _, question = by_id(connection, queue, task)
        order = order_for(question, settings_of(queue).seed, person_row.pseudonym)
        answer = _answer(question, order, correct=draw.random() < share, draw=draw)
        receive(portal.database, queue, person, person_row.pseudonym, task, f"demo-{person}-{number:04}", answer)


def _answer(question: Question, order: tuple[int, ...], *, correct: bool, draw: random.Random) -> Answer:
    if question.check is not None:
        return Answer((order.index(question.check.answer),), order, ms=MS)
    item = question.item
    assert item is not None
    if question.form in ("choice", "choices"):
        picked = [order.index(n) for n in item.target_positions] if correct else [draw.randrange(len(order))]
        return Answer(tuple(picked), order, ms=MS)
    return Answer(order=order, text=str(item.targets[0] or "-") if correct and item.targets else "-", ms=MS)
