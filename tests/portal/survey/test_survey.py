"""Taking part in a survey over HTTP: what people see, what is received, who counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.portal.conftest import Visitor
from tests.portal.surveys import (
    answer_next,
    correct,
    participant,
    pushed,
    settings,
    takes_part,
)
from triptych.errors import DataError
from triptych.portal.project import Portal
from triptych.portal.survey.document import Question
from triptych.portal.survey.keeping import survey_of
from triptych.portal.survey.participation import SurveyProgress, place_of
from triptych.portal.survey.rules import Validity
from triptych.portal.work.undoing import last_of

CELLS = "xmodbench/perception/general"


def place(portal: Portal, who: Visitor) -> SurveyProgress:
    with portal.database.reading() as connection:
        found = place_of(connection, survey_of(connection, "survey"), who.id)
    assert found
    return found


def test_media_come_from_the_portal_and_their_names_say_nothing(small: Portal) -> None:
    pushed(small, "xmodbench/perception/general/audio_vision", per_cell=2, people=1, checks=0)
    who = participant(small)
    who.client.post("/survey/survey", data={"token": who.token})
    page = who.client.get("/survey/survey").text
    assert "general/" not in page and ".ogg" not in page and ".jpg" not in page
    sources = [piece.partition('"')[0] for piece in page.split('src="')[1:] if piece.startswith("/shown/")]
    assert len(sources) == 5
    types = [who.client.get(source).headers["content-type"] for source in sources]
    assert types == ["audio/ogg", *["image/jpeg"] * 4]


def test_a_survey_does_not_change_once_somebody_has_begun(small: Portal) -> None:
    pushed(small, "cmdar/main", per_cell=2, people=1)
    pushed(small, "cmdar/main", per_cell=3, people=1)
    participant_ = participant(small)
    participant_.client.post("/survey/survey", data={"token": participant_.token})
    pushed(small, "cmdar/main", per_cell=3, people=5)  # the same questions for more people
    assert settings(small).people == 5
    with pytest.raises(DataError, match="already"):
        pushed(small, "cmdar/main", per_cell=4, people=1)


def wrong(question: Question, order: Sequence[int]) -> dict[str, Any]:
    """What somebody sends who knows nothing; attention checks are answered correctly."""
    said = correct(question, order)
    if question.check is not None or question.form == "rating":
        return said
    if question.form == "choices":
        return {"picked": sorted(set(range(len(order))) - set(said["picked"])) or [0]}
    return {"picked": [(said["picked"][0] + 1) % len(order)]} if "picked" in said else {"text": "nothing of this"}


def test_practice_cannot_be_changed_and_does_not_decide_who_counts(small: Portal) -> None:
    pushed(small, "cmdar", per_cell=1, people=1, checks=0, practice=3, validity=Validity(most_fast=0.3))
    who = participant(small)
    who.client.post("/survey/survey", data={"token": who.token})
    for _ in range(settings(small).practice):
        assert answer_next(small, who, wrong, ms=1) == 201  # fast answers to practice
        with small.database.reading() as connection:
            assert last_of(connection, survey_of(connection, "survey"), who.id) is None
    takes_part(small, who)
    assert place(small, who).state == "valid"
