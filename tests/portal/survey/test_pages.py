"""Tests of `portal/survey/pages.py`: the pages of a survey, and the answers that they send."""

from __future__ import annotations

import pytest

from tests.portal.review.test_review import put
from tests.portal.survey.test_survey import CELLS, place
from tests.portal.surveys import (
    answer_next,
    correct,
    participant,
    pushed,
    question_of,
    send,
    settings,
    takes_part,
)
from tests.viewer.runs import manifest
from triptych.portal.project import Portal
from triptych.portal.survey.document import Settings
from triptych.portal.survey.keeping import get_results
from triptych.portal.survey.pages import is_break
from triptych.portal.survey.participation import SurveyProgress
from triptych.portal.survey.rendering import order_for


def test_a_survey_from_the_beginning_to_the_thanks(small: Portal) -> None:
    pushed(small, CELLS, per_cell=3, people=1, checks=2, break_after=2)
    who = participant(small)
    page = who.client.get("/survey/survey").text
    assert "Begin" in page and "After every 2 questions" in page
    assert who.client.post("/survey/survey", data={"token": who.token}).status_code == 303
    page = who.client.get("/survey/survey").text
    assert "Question 1 of 5" in page and 'data-stage="question"' in page
    assert answer_next(small, who) == 201 and answer_next(small, who) == 201
    assert "Time for a break" in who.client.get("/survey/survey").text
    assert "Question 3 of 5" in who.client.get("/survey/survey?after=2").text
    for _ in range(3):
        assert answer_next(small, who) == 201
    assert "all 5 questions" in who.client.get("/survey/survey").text
    assert place(small, who).state == "valid"
    results = get_results(small, "survey")
    assert len(results.people) == 1 and len(results.people[0].answers) == 3 and len(results.tasks) == 3


def test_an_answer_is_received_once_however_often_it_is_sent(small: Portal) -> None:
    pushed(small, "cmdar", per_cell=2, people=1, checks=0)
    who = participant(small)
    who.client.post("/survey/survey", data={"token": who.token})
    task = place(small, who).sequence[0]
    question = question_of(small, task)
    order = order_for(question, settings(small).seed, who.session.person.pseudonym)
    body = {"order": list(order), "ms": 5000, **correct(question, order)}
    for _ in range(3):
        assert send(who, task, body, id="a" * 20) == 201
    assert send(who, task, {**body, "ms": 1}, id="a" * 20) == 409
    assert send(who, task, body) == 409  # another tab
    assert len(place(small, who).done) == 1


def test_answers_that_do_not_fit_are_refused_in_words(small: Portal) -> None:
    pushed(small, "cmdar", per_cell=1, people=1, checks=0, forms={"cmdar/open": "rating:1-5"})
    who, other = participant(small), participant(small)
    who.client.post("/survey/survey", data={"token": who.token})
    seen = {}
    for task in place(small, who).sequence:
        question = question_of(small, task)
        seen[question.form] = task
        order = list(order_for(question, settings(small).seed, who.session.person.pseudonym))
        bad = {
            "choice": [
                {"picked": []},
                {"picked": [0, 1]},
                {"picked": [9]},
                {"picked": [0], "order": order[::-1]},
                {"picked": [-1]},
            ],
            "choices": [{"picked": []}, {"picked": [0, 0]}],
            "rating": [{"text": "6"}, {"text": ""}, {"text": "3.5"}],
        }[question.form]
        for wrong in [*bad, {"declined": True}, {"strange": 1}]:
            assert send(who, task, {"order": order, **wrong}) == 400, (question.form, wrong)
    assert set(seen) == {"choice", "choices", "rating"}
    assert send(other, seen["rating"], {"text": "3"}) == 400  # not among theirs
    assert send(who, seen["rating"], {"text": "3", "ms": 4000}) == 201


def test_what_is_no_survey_has_no_page(small: Portal) -> None:
    put(small, 1)
    who = participant(small)
    head = {"x-form-token": who.token}
    for name in ("nothing", "review", "题"):
        assert who.client.get(f"/survey/{name}").status_code == 404
        assert who.client.post(f"/survey/{name}", data={"token": who.token}).status_code == 404
        assert who.client.put(f"/survey/{name}/1/{'a' * 20}", content=b"{}", headers=head).status_code == 404


def test_a_survey_that_has_enough_people_is_not_begun(small: Portal) -> None:
    pushed(small, "cmdar/main", per_cell=2, people=1, checks=0)
    first, second = participant(small), participant(small)
    assert 'action="/survey/survey"' in second.client.get("/survey/survey").text
    takes_part(small, first)
    assert 'action="/survey/survey"' not in second.client.get("/survey/survey").text


@pytest.mark.parametrize("body", [b"", b"[]", b'{"ms": "soon"}', b"\xff", b'{"ms": 1, "ms": 2}', b"[" * 5000])
def test_what_is_not_an_answer_is_refused_and_the_question_stays(small: Portal, body: bytes) -> None:
    pushed(small, "cmdar/main", per_cell=1, people=1, checks=0)
    who = participant(small)
    who.client.post("/survey/survey", data={"token": who.token})
    task = place(small, who).next_task
    answer = who.client.put(f"/survey/survey/{task}/{'a' * 20}", content=body, headers={"x-form-token": who.token})
    assert answer.status_code == 400 and place(small, who).next_task == task


@pytest.mark.parametrize(
    ("every", "practice", "done", "after", "expected"),
    [
        (2, 0, 0, "", False),
        (2, 0, 1, "", False),
        (2, 0, 2, "", True),
        (2, 0, 2, "2", False),  # the person went on
        (2, 0, 4, "2", True),
        (0, 0, 4, "", False),
        (2, 1, 2, "", False),  # practice doesn't count
        (2, 1, 3, "", True),
        (2, 1, 3, "3", False),
    ],
)
def test_a_break_is_after_every_so_many_questions(
    every: int, practice: int, done: int, after: str, expected: bool
) -> None:
    survey = Settings(manifest(), {}, {}, break_after=every, practice=practice)
    progress = SurveyProgress("ada", "open", (), (), tuple(range(9)), frozenset(range(done)))
    assert is_break(survey, progress, after) is expected
