"""Tests of `portal/survey/rendering.py`: A question as a person sees it."""

from __future__ import annotations

import pytest

from triptych.experiment.planning import plan
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
