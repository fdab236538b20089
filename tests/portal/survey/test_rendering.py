"""Tests of `portal/survey/rendering.py`: A question as a person sees it."""

from __future__ import annotations

import pytest

from tests.portal.survey.test_survey import place
from tests.portal.surveys import (
    correct,
    participant,
    pushed,
    question_of,
    send,
    settings,
)
from triptych.experiment.planning import plan
from triptych.portal.project import Portal
from triptych.portal.survey.creation import Wanted, make_survey
from triptych.portal.survey.document import Answer
from triptych.portal.survey.rendering import order_for, reply, show_question


@pytest.mark.parametrize("bench", ["xmodbench/perception", "cmdar", "mcs_bench", "mcga"])
def test_shuffled_options_are_mapped_back_to_the_items_own(bench: str) -> None:
    ready = plan(bench, "baseline/reference", seed=1)
    made = make_survey(ready, Wanted(per_cell=2, checks=0), lambda data, sha: None).survey
    turned = 0
    for task in made.tasks:
        question = task.question
        for person in ("p-one", "p-two", "p-three"):
            order = order_for(question, 5, person)
            if question.form not in ("choice", "choices") or not order:
                continue
            turned += list(order) != sorted(order)
            assert question.item
            shown = show_question(question, made.settings.prompts, order)
            words = question.item.option_texts()
            for position, option in enumerate(shown.options):
                text = [block.text for block in option.blocks if block.text]
                assert not text or text[0] == words[order[position]]
            picked = tuple(order.index(n) for n in question.item.target_positions)
            said = reply(question, Answer(picked, order))
            assert said == ready.adapter.answer(question.item, 0)  # type: ignore[attr-defined]
    assert turned > 10


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
