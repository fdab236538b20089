"""Tests of `portal/demo/annotation.py`: questions about a talk, a transcript with a draft, and a translation."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from tests.portal.conftest import visitor
from triptych.portal.annotation.rules import check
from triptych.portal.demo.annotation import QUESTIONS, TRANSCRIPTS, TRANSLATIONS, fill
from triptych.portal.demo.content import content
from triptych.portal.project import Portal
from triptych.portal.store.tables import queues, submissions, tasks

pytest.importorskip("av", reason="PyAV comes with the extra [local]")


def test_one_talk_is_done_by_the_rules_and_the_others_wait(small: Portal) -> None:
    who = visitor(small, "annotator")
    fill(small, who.id)
    bodies: dict[str, list[dict[str, Any]]] = {}
    with small.database.reading() as connection:
        of_queues = select(queues.c.name, tasks.c.body).join(tasks, tasks.c.queue_id == queues.c.id)
        for name, body in connection.execute(of_queues.order_by(tasks.c.id)):
            bodies.setdefault(name, []).append(body)
        sent = connection.execute(select(submissions.c.state, submissions.c.person_id, submissions.c.answers)).all()
    assert sent == [("accepted", who.id, {"questions": content()["annotation"]["questions"]})]
    assert check(bodies[QUESTIONS][0], sent[0].answers).passes
    assert bodies.keys() == {QUESTIONS, TRANSCRIPTS, TRANSLATIONS} and len(bodies[QUESTIONS]) > 1
    assert all(body["shows"]["summaries"]["en"] and body["shows"]["seconds"] > 0 for body in bodies[QUESTIONS])
    (transcript,) = bodies[TRANSCRIPTS]
    lines, times = transcript["shows"]["draft"].split("\n"), transcript["helps"]["draft_times"]
    assert len(lines) == len(times) and times == sorted(times) and times[0] == 0
    assert any(line.startswith("Um, ") for line in lines)
    (translation, *_) = bodies[TRANSLATIONS]
    source, draft = translation["shows"]["source"], translation["shows"]["draft"]
    assert len(source) == len(draft) and draft[2] == source[2] and draft[4] == ""  # left in English, lacking
    assert not check(translation, {"text": "\n".join(draft)}).passes


def test_each_queue_has_a_task_for_another_annotator(small: Portal) -> None:
    fill(small, visitor(small, "annotator").id)
    other = visitor(small, "annotator")
    for queue in (QUESTIONS, TRANSCRIPTS, TRANSLATIONS):
        page = other.client.get(f"/annotate/{queue}").text
        assert 'name="kind" value="skip"' in page, queue
