"""Tests of `portal/work/opening.py`: a talk stays closed until the questions from its abstract are written."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tests.portal.conftest import visitor
from triptych.portal.project import Portal
from triptych.portal.work.audit import latest_entries
from triptych.portal.work.opening import from_abstract, has_opened, is_closed, open_talk, wanted_first

ABSTRACT_FIRST = {
    "helps": {"abstract_first": True},
    "shows": {"summaries": {"en": "We count swifts."}},
    "rules": {"distribution": {"abstract": 3, "audio": 2}},
}


@pytest.mark.parametrize(
    ("change", "number"),
    [
        ({}, 3),
        ({"helps": {}}, 0),
        ({"helps": {"abstract_first": False}}, 0),
        ({"shows": {"summaries": {}}}, 0),  # without an abstract nothing can be asked about it
        ({"shows": {}}, 0),
        ({"rules": {"distribution": {"audio": 2}}}, 0),
    ],
)
def test_how_many_questions_come_first(change: dict[str, Any], number: int) -> None:
    assert wanted_first({**ABSTRACT_FIRST, **change}) == number


@pytest.mark.parametrize(
    ("answers", "number"),
    [
        ({}, 0),
        ({"questions": None}, 0),
        ({"questions": "Abstract"}, 0),
        ({"questions": [None, "x", {"origin": "Abstract"}, {"origin": "Abstract", "question": "  "}]}, 0),
        ({"questions": [{"origin": "Abstract", "question": "谁?"}, {"origin": "Audio", "question": "Who?"}]}, 1),
        (
            {
                "questions": [
                    {"origin": "Abstract", "question": "a"},
                    {"origin": "Abstract", "question": "b", "answer": ""},
                ]
            },
            2,
        ),
    ],
)
def test_questions_from_the_abstract_are_counted_in_any_answers(answers: dict[str, Any], number: int) -> None:
    assert from_abstract(answers) == number


def test_a_talk_is_opened_once_for_one_person(portal: Portal) -> None:
    one, other = visitor(portal, "annotator").id, visitor(portal, "annotator").id
    with portal.database.writing() as connection:
        assert not has_opened(connection, 7, one)
        open_talk(connection, 7, one, "talks", 3)
        open_talk(connection, 7, one, "talks", 4)
        assert has_opened(connection, 7, one)
        assert not has_opened(connection, 7, other) and not has_opened(connection, 77, one)
        entries = [entry for entry in latest_entries(connection) if entry["action"] == "talk opened"]
    assert [(entry["subject"], entry["detail"]) for entry in entries] == [("7", {"queue": "talks", "number": 3})]


@pytest.mark.parametrize(
    ("roles", "filled", "closed"),
    [
        ({"annotator"}, 0, True),
        ({"annotator"}, 2, True),
        ({"reviewer"}, 1, True),
        ({"reviewer"}, 2, False),  # everybody who was asked has answered
        ({"annotator", "reviewer"}, 2, False),
        ({"admin"}, 0, False),
    ],
)
def test_who_sees_a_talk_before_its_questions_are_written(
    small: Portal, roles: set[str], filled: int, closed: bool
) -> None:
    person = replace(visitor(small, "annotator").session.person, roles=frozenset(roles))
    task = SimpleNamespace(id=7, body=ABSTRACT_FIRST, filled=filled, wanted=2)
    with small.database.writing() as connection:
        assert is_closed(connection, task, person) is closed
        assert not is_closed(connection, SimpleNamespace(id=8, body={}, filled=0, wanted=2), person)
        open_talk(connection, 7, person.id, "talks", 3)
        assert not is_closed(connection, task, person)
