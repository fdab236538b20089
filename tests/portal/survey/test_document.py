"""Tests of `portal/survey/document.py`: a survey as data, which crosses from one computer to another."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.viewer.runs import manifest
from triptych.portal.survey.document import Answer, Medium, Question, Results, Settings, Survey, Task, parse_question
from triptych.portal.survey.rules import Validity
from triptych.records import Item, text

MEDIUM = Medium("clip.wav", "a" * 64, "audio/wav", "audio")
ITEM = Item(
    "cmdar/题 1", "main", (text("谁在说话？", "question"),), options=((text("老人"),), (text("孩子"),)), target="A"
)


def survey() -> Survey:
    settings = Settings(manifest(), {}, {"en": ["i1"]}, people=3, validity=Validity(), patience_h=1.5)
    asked = Question(ITEM, "p", "en", "choice", media=(MEDIUM,))
    return Survey(
        settings, [Task("cmdar/题 1", "d", asked), Task("check/1", "d", Question(form="rating", scale=(0, 10)))]
    )


def test_a_survey_is_the_same_after_the_way_as_json() -> None:
    made = survey()
    again = msgspec.json.decode(msgspec.json.encode(made), type=Survey)
    assert again == made
    results = Results(made.settings, made.tasks, [], {"open": 2}, ["p-1"])
    assert msgspec.json.decode(msgspec.json.encode(results), type=Results) == results


def test_a_question_is_read_from_what_a_database_holds() -> None:
    """A document of JSON: lists where a question has tuples, and without what has its default."""
    for task in survey().tasks:
        body = msgspec.json.decode(msgspec.json.encode(task.question))
        assert parse_question(body) == task.question
    assert parse_question({}) == Question()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"form": "essay"}, "form"),
        ({"scale": [1]}, "scale"),
        ({"check": {"kind": "smell", "answer": 1}}, "check.kind"),
        ({"media": [{"name": "a", "sha256": "b"}]}, "type"),
        ({"colour": "red"}, "colour"),
        (None, "object"),
        ([], "object"),
    ],
)
def test_what_is_not_a_question_is_refused_with_its_place(body: Any, message: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=message):
        parse_question(body)


@pytest.mark.parametrize("body", [{"picked": ["A"]}, {"picked": 1}, {"ms": 1.5}, {"text": None}, {"correct": True}])
def test_what_a_browser_sends_is_an_answer_or_refused(body: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(body, Answer)
