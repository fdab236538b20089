"""Tests of `portal/survey/creation.py`: from a benchmark to a survey."""

from __future__ import annotations

import pytest

from triptych.errors import DataError, SpecError
from triptych.experiment.planning import plan
from triptych.portal.project import Portal
from triptych.portal.survey.creation import Wanted, form_of, make_survey
from triptych.portal.survey.keeping import get_results, put_survey
from triptych.portal.survey.rendering import request_of, show_question


@pytest.mark.parametrize("bench", ["xmodbench/perception/general", "cmdar", "mcs_bench", "mcga", "mcif/short/en"])
def test_people_see_the_parts_that_models_get_and_no_other_words(bench: str) -> None:
    ready = plan(bench, "baseline/constant", seed=1)
    made = make_survey(ready, Wanted(per_cell=2, checks=0), lambda data, sha: None).survey
    requests = {request.id: request for request in ready.requests()}
    assert made.tasks
    for task in made.tasks:
        question, request = task.question, requests[task.key]
        assert question.item
        plain = range(len(question.item.options)) if question.form in ("choice", "choices") else ()
        shown = show_question(question, made.settings.prompts, plain)
        _, again = request_of(question.item, made.settings.prompts[question.prompt], plain)
        words = [[part.text or part.content_name for part in m.parts] for m in again.messages]
        assert words == [[part.text or part.content_name for part in m.parts] for m in request.messages]
        own = (*shown.before, *(block for option in shown.options for block in option.blocks), *shown.after)
        names = [question.media[block.medium].name for block in own if block.medium is not None]
        assert names == [part.content_name for part in request.media_parts]
        before = [block.text for block in (*shown.before, *shown.after) if block.text]
        sent = "\n".join(part.text for message in request.messages for part in message.parts if part.text)
        assert all(line in sent for text in before for line in text.split("\n"))


def test_what_can_not_be_a_survey_is_refused_in_words(small: Portal) -> None:
    ready = plan("cmdar", "baseline/constant", seed=1)

    def keep(data: bytes, sha: str) -> None:
        """Nothing."""

    with pytest.raises(SpecError, match="per-cell"):
        make_survey(ready, Wanted(per_cell=0), keep)
    with pytest.raises(SpecError, match="unknown task"):
        make_survey(ready, Wanted(forms={"cmdar/maine": "text"}), keep)
    for wrong in ("essay", "text:1-5", "rating:5-1", "rating:0-99", "rating:a-b"):
        with pytest.raises(SpecError):
            form_of(wrong)
    with pytest.raises(SpecError, match="no choice"):
        make_survey(ready, Wanted(forms={"cmdar/open": "choice"}), keep)
    with pytest.raises(DataError, match="no survey"):
        get_results(small, "nothing")
    made = make_survey(ready, Wanted(per_cell=1), keep).survey
    assert put_survey(small, "one", made)["added"] == len(made.tasks)
    assert put_survey(small, "one", made) == {"added": 0, "open": len(made.tasks), "closed": 0}


def test_a_survey_that_has_too_few_questions_for_practice_says_so() -> None:
    ready = plan("cmdar", "baseline/constant", seed=1)
    made = make_survey(ready, Wanted(per_cell=1000, practice=5), lambda data, sha: None)
    assert made.survey.settings.practice == 0 and any("0 of 5 practice" in note for note in made.notes)
    with pytest.raises(SpecError, match="--practice"):
        make_survey(ready, Wanted(practice=-1), lambda data, sha: None)
