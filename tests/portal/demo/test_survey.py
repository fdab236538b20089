"""Tests of `portal/demo/survey.py`: a survey that people have answered, of whom some know more than others."""

from __future__ import annotations

import pytest

from tests.portal.conftest import visitor
from triptych.portal.demo.content import content
from triptych.portal.demo.survey import MS, QUEUE, fill
from triptych.portal.project import Portal
from triptych.portal.survey.keeping import get_results
from triptych.portal.survey.participation import is_right

pytest.importorskip("av", reason="PyAV comes with the extra [local]")


def test_whoever_knows_more_has_more_right_answers_and_everybody_counts(small: Portal) -> None:
    shares = content()["survey"]["right"]
    people = [visitor(small, "participant") for _ in shares]
    fill(small, [who.id for who in people])
    results = get_results(small, QUEUE)
    questions = {task.key: task.question for task in results.tasks}
    right = {}
    for person in results.people:
        graded = [is_right(questions[each.key], each.answer) for each in person.answers]
        right[person.pseudonym] = sum(graded) / len(graded)
        assert all(each.answer.ms == MS for each in person.answers)
    assert results.left == {} and right.keys() == {who.session.person.pseudonym for who in people}
    in_order = [right[who.session.person.pseudonym] for who in people]
    best, worst = shares.index(max(shares)), shares.index(min(shares))
    assert in_order[best] > in_order[worst] and max(in_order) > 0.5


def test_without_people_the_survey_is_open(small: Portal) -> None:
    with pytest.raises(ValueError, match="zip"):  # the shares and the people of the content belong together
        fill(small, [])
    assert get_results(small, QUEUE).people == []
    assert 'action="/survey/' in visitor(small, "participant").client.get(f"/survey/{QUEUE}").text
