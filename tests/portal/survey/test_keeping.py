"""Tests of `portal/survey/keeping.py`."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from sqlalchemy import select

from tests.portal.conftest import Visitor, visitor
from tests.portal.survey.test_survey import place, wrong
from tests.portal.surveys import (
    answer_next,
    correct,
    participant,
    pushed,
    settings,
    takes_part,
)
from triptych.portal.project import Portal
from triptych.portal.store.tables import participants, submissions
from triptych.portal.survey.keeping import get_results, survey_of
from triptych.portal.survey.participation import begin, valid_counts
from triptych.portal.work.withdrawing import withdraw


def test_whoever_fails_the_checks_does_not_count_and_the_place_is_drawn_again(small: Portal) -> None:
    pushed(small, "xmodbench/perception/general/audio_text", per_cell=3, people=1, checks=2)

    def careless(question: object, order: object) -> dict[str, object]:
        right = correct(question, order)  # type: ignore[arg-type]
        is_check = getattr(question, "check", None) is not None
        return {"picked": [(right["picked"][0] + 1) % 4]} if is_check else right

    first, second = participant(small), participant(small)
    takes_part(small, first, careless)
    found = place(small, first)
    assert (found.state, found.reasons) == ("invalid", ("inattentive",))
    assert "all 5 questions" in first.client.get("/survey/survey").text  # nobody is scolded
    assert get_results(small, "survey").people == [] and get_results(small, "survey").left == {"inattentive": 1}
    with small.database.reading() as connection:
        states = set(connection.execute(select(submissions.c.state)).scalars())
    assert states == {"rejected"}
    takes_part(small, second)
    assert place(small, second).state == "valid" and len(get_results(small, "survey").people) == 1


def test_fast_answers_do_not_count_unless_the_administrator_says_so(
    small: Portal, enter: Callable[..., Visitor]
) -> None:
    pushed(small, "cmdar/main", per_cell=4, people=1, checks=0)
    who, admin = participant(small), enter("admin")
    takes_part(small, who, ms=300)
    assert place(small, who).reasons == ("too-fast",)
    page = admin.client.get("/survey-cells/survey").text
    assert "too many fast answers" in page and "0 of 1 cells" in page
    good = {"token": admin.token, "person": who.id, "state": "valid"}
    assert admin.client.post("/survey-cells/survey", data=good).status_code == 303
    assert place(small, who).state == "valid" and len(get_results(small, "survey").people) == 1
    assert "1 of 1 cells" in admin.client.get("/survey-cells/survey").text
    bad = {"token": admin.token, "person": who.id, "state": "invalid", "reason": "knows-the-data"}
    assert admin.client.post("/survey-cells/survey", data=bad).status_code == 303
    assert get_results(small, "survey").left == {"knows-the-data": 1}
    assert admin.client.post("/survey-cells/survey", data={**bad, "reason": "because"}).status_code == 400
    assert admin.client.post("/survey-cells/survey", data={**bad, "person": "nobody"}).status_code == 400


def test_places_of_people_who_left_or_withdrew_are_drawn_again(small: Portal) -> None:
    pushed(small, "cmdar/main", per_cell=2, people=1, checks=0, patience_h=1.0)
    away, gone, last = (participant(small) for _ in range(3))
    away.client.post("/survey/survey", data={"token": away.token})
    with small.database.reading() as connection:
        queue = survey_of(connection, "survey")
    assert begin(small.database, queue, gone.id) is None
    with small.database.writing() as connection:
        connection.execute(participants.update().values(began_at=participants.c.began_at - 2 * 3600 * 1000))
    takes_part(small, gone)
    assert len(get_results(small, "survey").people) == 1
    withdraw(small.database, small.blobs, gone.id, gone.id)
    results = get_results(small, "survey")
    assert results.people == [] and results.withdrawn == [gone.session.person.pseudonym]
    with small.database.reading() as connection:  # nothing is left but that they took part
        row = connection.execute(participants.select().where(participants.c.person_id == gone.id)).one()
        assert (row.cells, row.sequence, row.reasons, row.state, row.ended_at) == ([], [], [], "invalid", None)
    takes_part(small, last)
    takes_part(small, away)  # who comes back may finish
    with small.database.reading() as connection:
        assert valid_counts(connection, queue, settings(small)) == {"cmdar/main": 2}


def test_a_question_can_be_declined_if_the_survey_allows_it(small: Portal) -> None:
    pushed(small, "cmdar/open", per_cell=4, people=1, checks=0, may_decline=True)
    who = participant(small)
    draw = random.Random(1)
    takes_part(small, who, lambda question, order: {"declined": True} if draw.random() < 0.4 else {"text": "因为。"})
    answers = get_results(small, "survey").people[0].answers
    assert {each.answer.declined for each in answers} == {True, False}


def test_a_survey_runs_on_either_database(portal: Portal) -> None:
    pushed(portal, "cmdar", per_cell=1, people=1, checks=1)
    who, admin = participant(portal), visitor(portal, "admin")
    assert takes_part(portal, who) == 4
    assert "3 of 3 cells" in admin.client.get("/survey-cells/survey").text
    assert [len(person.answers) for person in get_results(portal, "survey").people] == [3]


@pytest.mark.parametrize("bench", ["xmodbench/perception/general", "cmdar", "mcif/short/en"])
def test_practice_comes_first_with_feedback_and_never_counts(portal: Portal, bench: str) -> None:
    made = pushed(portal, bench, per_cell=1, people=1, checks=1, practice=2, break_after=1)
    practised = [task for task in made.tasks if task.key.startswith("practice/")]
    counted = {task.question.item.instance_id for task in made.tasks if task.question.cell and task.question.item}
    assert len(practised) == made.settings.practice >= 2
    for task in practised:
        assert task.question.item and task.question.item.instance_id not in counted and not task.question.cell
    first, second = participant(portal), participant(portal)
    assert "practice question" in first.client.get("/survey/survey").text
    first.client.post("/survey/survey", data={"token": first.token})
    for number in range(made.settings.practice):
        page = first.client.get(f"/survey/survey?after={number}").text
        assert f"Practice question {number + 1} of {made.settings.practice}" in page and "Change your last" not in page
        assert answer_next(portal, first, wrong if number else correct) == 201
        page = first.client.get("/survey/survey").text
        feedback = page.partition('data-stage="feedback"')[2]
        assert ("Not correct yet." in feedback) == bool(number) and ("Correct.</p>" in feedback) == (not number)
        assert "Correct answer:" in feedback
        if number:  # it comes again
            page = first.client.get(f"/survey/survey?after={number + 1}").text
            assert f"Practice question {number + 1} of" in page and "checked" not in page.partition("<form")[2]
            assert answer_next(portal, first) == 201
    page = first.client.get("/survey/survey").text
    assert 'data-stage="feedback"' in page and "The practice is over." in page
    after = re.search(r"\?after=(\d+)", page)
    page = first.client.get(f"/survey/survey{after[0] if after else ''}").text
    assert re.search(r"Question 1 of \d+", page) and 'data-stage="question"' in page
    takes_part(portal, first)
    takes_part(portal, second)  # everybody practises, however many people a cell needs
    found = get_results(portal, "survey")
    assert place(portal, first).state == "valid"
    keys = {answer.key for person in found.people for answer in person.answers}
    assert keys and not any(key.startswith("practice/") for key in keys)
    boss = visitor(portal, "admin")
    assert "practice/" not in boss.client.get("/survey-cells/survey").text


def test_a_practice_question_comes_three_times_at_most(portal: Portal) -> None:
    pushed(portal, "xmodbench/perception/general/audio_text", per_cell=1, people=1, checks=0, practice=1)
    who, boss = participant(portal), visitor(portal, "admin")
    who.client.post("/survey/survey", data={"token": who.token})
    seen = list[tuple[bool, bool]]()
    for _ in range(3):
        assert not place(portal, who).practice_count(settings(portal))
        assert answer_next(portal, who, wrong) == 201
        page = who.client.get("/survey/survey").text
        seen.append(("Not correct yet." in page, "The practice is over." in page))
        assert re.findall(r'<td class="number">(\d+)</td>', boss.client.get("/queues").text)[3] == "0"  # to do again
    assert seen == [(True, False), (True, False), (False, True)]
    assert place(portal, who).practice_count(settings(portal)) == 1
    takes_part(portal, who)
    assert place(portal, who).state == "valid" and len(get_results(portal, "survey").people) == 1
