"""Tests of `portal/annotation/rules.py`: rules of annotation, without a database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.portal.annotation.test_annotation import LINES, TALK, ten, told
from triptych.construction.recipes.mcif import POST_EDIT
from triptych.errors import DataError
from triptych.portal.annotation.editors import state_of
from triptych.portal.annotation.rules import check, editor_of
from triptych.portal.demo import annotation
from triptych.portal.site.languages import words


@pytest.mark.parametrize("stated", [{"language": "{}"}, {"language": "{}-XX"}, {"language_name": "{}"}, {}])
@pytest.mark.parametrize("language", ["de", "it", "zh"])
def test_published_translations_pass_as_they_are(language: str, stated: Mapping[str, str]) -> None:
    for talk in annotation._references(language, "TRANS").values():
        names = {name: value.format(language) for name, value in stated.items()}
        shows = {"source": talk.transcript.split("\n"), "draft": None, "element": "talk", **names}
        checked = check({"form": {"text": "text"}, "shows": shows}, {"text": talk.text})
        assert not checked.remarks, talk.iid


def test_questions_that_follow_the_guideline_pass_and_are_counted() -> None:
    checked = check(TALK, {"questions": ten()})
    assert checked.passes and not checked.remarks
    assert checked.counters == {
        "pairs": (10, 10),
        "general": (3, 3),
        "abstract": (3, 3),
        "transcript": (4, 4),
        "answered_by_audio": (7, 7),
        "audio_and_video": (5, 5),
        "video": (2, 2),
        "unanswerable": (1, 1),
    }


def test_hints_do_not_block() -> None:
    made = ten()
    made[3] |= {"question": "What is it? And which colour has it?", "answer": "Colour is a name. The colour is grey."}
    checked = check(TALK, {"questions": made})
    assert checked.passes and [remark.name for remark in checked.remarks] == ["several-questions", "british-spelling"]
    assert checked.remarks[1].values == {"note": "colour → color, grey → gray"}


def test_a_target_of_the_recipe_replaces_that_of_the_paper() -> None:
    body = {**TALK, "rules": {"distribution": {"pairs": 2, "video": 1}}}
    made = [ten()[3], ten()[9]]
    checked = check(body, {"questions": made})
    assert checked.passes and checked.counters["pairs"] == (2, 2) and checked.counters["general"] == (0, 0)


def test_a_translation_by_the_recipe_has_lines_and_a_field_for_a_fault_of_the_source() -> None:
    assert POST_EDIT.tasks is not None
    body = {**LINES, "form": dict(POST_EDIT.tasks.form)}
    state = state_of(body)
    assert (state["editor"], state["field"], state["more"]) == ("translation", "text", ["source_fault"])
    assert f"annotate-more-{state['more'][0]}" in words()
    english = {"text": "We count swifts.\nThey nest under roofs."}
    assert not check(body, english).passes
    assert check(body, {**english, "source_fault": "It says roofs where the talk says trees."}).passes
    assert not check(body, {"text": "one line", "source_fault": "x"}).passes
    with pytest.raises(DataError):
        check(body, {**english, "source_fault": ["x"]})


def test_a_form_is_checked_by_its_kinds() -> None:
    body = {"id": "x", "form": {"verdict": ["yes", "no"], "score": "number"}, "shows": {}}
    assert editor_of(body) == "form" and told(body, {"verdict": "yes", "score": 3}) == []
    assert told(body, {"score": 3}) == told(body, {"verdict": "maybe"}) == [(None, "form-fault", True)]


@pytest.mark.parametrize(
    ("body", "answers"),
    [
        (TALK, {"questions": "none"}),
        (TALK, {"questions": [{"question": "What?"}]}),
        (TALK, {"questions": [ten()[0]] * 201}),
        (TALK, {"questions": [{**ten()[0], "question": "x" * 2001}]}),
        (TALK, {"others": []}),
        (TALK, []),
        (LINES, {"text": ["a", "b"]}),
        (LINES, {"text": "x" * (1 << 20) + "y"}),
    ],
)
def test_what_is_not_an_answer_at_all_is_refused(body: Mapping[str, Any], answers: Any) -> None:
    with pytest.raises(DataError):
        check(body, answers)
