"""Tests of `portal/review/fields.py`: fields of a task's form, and their values as a browser sends them."""

from __future__ import annotations

from typing import Any

import pytest

from triptych.construction.recipes.cmdar import REVIEW as CMDAR
from triptych.construction.recipes.mcga import REVIEW as MCGA
from triptych.construction.recipes.mcs_bench import REVIEW as MCS
from triptych.portal.review.fields import Unfit, as_text, check_answer, check_changes, fields_of, values_of

SHOWS = {"question": "谁在说话？", "answer": "老人", "options": ["老人", "孩子"], "audio": "ab/x.wav"}


def test_the_forms_of_the_recipes_have_their_fields() -> None:
    kinds = {field.name: field.kind for field in fields_of(CMDAR.form, SHOWS)}
    assert kinds == {
        "verdict": "choice",
        "question": "text",
        "options": "list",
        "answer": "text",
        "category": "text",
        "reasoning": "text",
        "timestamps": "spans",
        "criterion": "several",
        "why": "text",
    }
    without = fields_of(CMDAR.form, {**SHOWS, "options": None})  # an open question has no options to edit
    assert [f.name for f in without] == [name for name in CMDAR.form if name != "options"]
    assert [f.kind for f in fields_of(MCGA.form, {})] == ["choice", "text", "list", "text", "choice", "text"]
    assert [f.kind for f in fields_of(MCS.form, {})] == ["choice", "text", "list", "text", "several", "text"]
    assert fields_of({"x": {"type": "object"}, "n": "number"}, {})[0].kind == "json"


def test_what_was_not_changed_is_not_sent_on() -> None:
    fields = fields_of(CMDAR.form, SHOWS)
    given = {
        "verdict": "approve",
        "question": SHOWS["question"],
        "options": "老人\r\n孩子\n",
        "answer": " 老人 ",
        "timestamps": "8 - 9.5; 3.2-5",
        "criterion": [],
    }
    assert values_of(fields, given) == {"verdict": "approve", "timestamps": "3.20-5.00; 8.00-9.50"}
    edited = values_of(fields, {**given, "verdict": "edit", "options": "老人\n孙子"})
    assert edited["options"] == ["老人", "孙子"] and "question" not in edited
    refused = {"verdict": "reject", "answer": "另一个"}  # the correction is the reason
    assert values_of(fields, refused) == refused


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"verdict": ""}, "missing"),
        ({"verdict": "maybe"}, "unknown-choice"),
        ({"verdict": "approve", "answer": "另一个"}, "changed-without-edit"),
        ({"verdict": "edit", "question": "谁在说话呢？", "answer": " "}, "emptied"),
        ({"verdict": "edit"}, "edit-without-change"),
        ({"verdict": "reject"}, "refusal-without-reason"),
        ({"verdict": "edit", "options": "只有一个"}, "other-number"),
        ({"verdict": "approve", "timestamps": "5-3"}, "not-spans"),
        ({"verdict": "approve", "timestamps": "soon"}, "not-spans"),
        ({"verdict": "reject", "criterion": ["nonsense"]}, "unknown-choice"),
        ({"verdict": "reject", "criterion": [["x"]]}, "unknown-choice"),
        ({"verdict": "approve", "extra": "1"}, "unknown-field"),
    ],
)
def test_values_that_contradict_each_other_are_refused(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(Unfit) as refused:
        values_of(fields_of(CMDAR.form, SHOWS), change)
    assert refused.value.name == f"review-{problem}"


def test_a_changed_text_is_checked_while_it_is_written() -> None:
    source = ["We count all swifts above the village every evening, from spring to autumn.", "Short."]
    target = ["Wir zählen jeden Abend alle Segler über dem Dorf, vom Frühling bis zum Herbst.", "Kurz."]
    form = {"verdict": ["approve", "edit", "reject"], "target": "list", "why": "text"}
    checks = {"check": "line-for-line", "language": "de"}  # of MCIF's supervisors
    shows = {"language_name": "German", "source": source, "target": target}
    body = {"form": form, "shows": shows, "checks": checks}
    fields = fields_of(form, body["shows"])
    check_changes(fields, {"target": "\n".join(target)}, body)  # nothing is changed, and no verdict is needed yet
    check_changes(fields, {"target": f"{target[0][:-1]}!\nKurz."}, body)
    with pytest.raises(Unfit, match="translation-too-short"):
        check_changes(fields, {"target": "Wir zählen.\nKurz."}, body)
    with pytest.raises(Unfit, match="translation-too-short"):
        check_answer({"verdict": "edit", "target": ["Wir zählen.", "Kurz."]}, body, "R1")
    with pytest.raises(Unfit) as refused:
        check_changes(fields, {"target": target[0]}, body)
    assert refused.value.name == "review-other-number"


def test_a_choice_with_the_name_of_a_shown_value_is_an_edit_of_it() -> None:
    form = {"verdict": ["approve", "edit", "reject"], "gender": ["man", "woman"], "age": ["young", "old"]}
    fields = fields_of(form, {"gender": "woman", "age": None})
    assert [field.proposed for field in fields] == [None, "woman", None]
    assert values_of(fields, {"verdict": "approve", "gender": "woman"}) == {"verdict": "approve"}
    assert values_of(fields, {"verdict": "edit", "gender": "man"}) == {"verdict": "edit", "gender": "man"}
    for verdict, gender in (("approve", "man"), ("edit", "woman")):
        with pytest.raises(Unfit):
            values_of(fields, {"verdict": verdict, "gender": gender})


def test_numbers_scores_and_documents_are_read() -> None:
    form = {"score": {"type": "integer", "minimum": 1, "maximum": 5}, "n": "number", "more": {"type": "object"}}
    fields = fields_of(form, {})
    assert values_of(fields, {"score": "4", "n": "2.5", "more": '{"a": 1}'}) == {"score": 4, "n": 2.5, "more": {"a": 1}}
    assert values_of(fields, {"score": 4, "n": "-3"}) == {"score": 4, "n": -3}
    for given_, problem in (
        ({"score": "6"}, "unknown-choice"),
        ({"score": "1", "n": "x"}, "not-a-number"),
        ({"score": "1", "more": "{"}, "not-json"),
    ):
        with pytest.raises(Unfit) as refused:
            values_of(fields, given_)
        assert refused.value.name == f"review-{problem}"
    assert as_text({"a": 1}) == '{"a":1}' and as_text(None) == ""
