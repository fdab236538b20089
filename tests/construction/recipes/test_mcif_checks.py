"""Tests of `construction/recipes/_mcif_checks.py`: a second person checks what the first one made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.construction.people.test_reviews import reasons, say
from tests.construction.recipes import test_mcif as mcif_material
from tests.construction.single_stage import decide
from triptych.construction.build import build
from triptych.construction.engine.context import Values
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.recipes._mcif_checks import (
    question_checked,
    question_faults,
    question_shown,
    second_expert,
    supervised,
)
from triptych.construction.stages.reviewing import people_of

pytest.importorskip("av", reason="PyAV comes with the extra [local]")

material = mcif_material.material


GENERAL = ["What are the affiliations of the authors?"]


RULES = {"pairs": 3, "general": 1, "abstract": 1, "transcript": 1, "answered_by_audio": 2}
RULES |= {"audio_and_video": 0, "video": 0, "unanswerable": 0}


def test_abstract_first_then_a_second_expert_and_native_supervision(material: Any, tmp_path: Path) -> None:
    """Questions, answers, labels, times and translations are edited, rejected and disputed; all of it is released."""
    material.talks, material.questions = material.talks[:1], material.questions[:1]
    for name in ("translation_de", "abstract_de"):
        material.talks[0].pop(name, None)
    distribution = ", ".join(f"{name} = {count}" for name, count in RULES.items())
    more = [
        f"distribution = {{ {distribution} }}",
        f"general = {json.dumps(GENERAL)}",
        "write = true",
        "abstract_first = true",
        "second_expert = true",
    ]
    config = material.config(
        'languages = ["en", "de"]',
        'drafts = ["translations"]',
        "native = true",
        "guideline = true",
        *more,
        roles=["translator"],
    )
    config.write_text(
        config.read_text(encoding="utf-8").replace('questions = ["questions.tsv"]\n', ""), encoding="utf-8"
    )
    to = tmp_path / "b"
    build("mcif", config, to)
    (task,) = say(to, "abstract-questions", "A1", lambda task: {"abstract_questions": ["How many swifts?", "  "]})
    assert task["shows"].keys() == {"title", "summaries"}  # neither sound nor pictures
    build("mcif", config, to)
    own = {"question": "What is counted?", "answer": "Swifts are.", "origin": "Transcript", "begin": "10", "end": "14"}
    asked = [
        {
            "question": GENERAL[0],
            "answer": "A university.",
            "type": "A",
            "origin": "General",
            "begin": "0:01",
            "end": "0:04",
        },
        own | {"type": "A"},
    ]
    (task,) = say(
        to,
        "write-questions",
        "W1",
        lambda task: {"questions": [*asked, own | {"question": "Why count?", "type": "A", "origin": "Abstract"}]},
    )
    assert task["shows"]["abstract_questions"] == ["How many swifts?"]
    assert reasons(build("mcif", config, to), "write-questions") == {"pending: abstract-question-missing": 1}
    third = own | {"question": "How many swifts?", "answer": "Nine.", "type": "A", "origin": "Abstract"}
    say(
        to,
        "write-questions",
        "W1",
        lambda task: {"questions": [*asked, third, {**third, "question": "Who?", "origin": "Transcript"}]},
    )
    build("mcif", config, to)

    def expert(task: dict[str, Any]) -> dict[str, Any]:
        edits = {
            "What is counted?": {
                "verdict": "edit",
                "answer": "Swifts, by ear.",
                "begin": "11",
                "type": "A",
                "why": "more exact",
            },
            "Who?": {"verdict": "reject", "fault": "unclear"},
        }
        return edits.get(task["shows"]["question"], {"verdict": "approve"})

    say(to, "second-expert", "W1", lambda task: {"verdict": "approve"})
    assert reasons(build("mcif", config, to), "second-expert") == {"pending: result-refused": 4}  # the writer
    say(to, "second-expert", "E2", expert)
    say(to, "second-expert", "E3", lambda task: {"verdict": "approve"} if task["shows"]["question"] == "Who?" else None)
    assert reasons(build("mcif", config, to), "second-expert")["pending: disagreement"] == 1
    say(
        to,
        "second-expert",
        "E4",
        lambda task: expert(task) if task["shows"]["question"] == "Who?" else None,
        settles=True,
    )
    build("mcif", config, to)
    say(to, "post-edit", "T1", lambda task: {"text": "\n".join(task["shows"]["draft"])})
    build("mcif", config, to)

    def native(task: dict[str, Any]) -> dict[str, Any]:
        if task["shows"]["source"][0] == GENERAL[0]:
            return {
                "verdict": "edit",
                "target": ["Wo arbeiten die Autoren?", "An einer Universität."],
                "fault": "terminology",
            }
        return {"verdict": "approve"}

    say(to, "supervise", "T1", native)  # the translator
    assert set(reasons(build("mcif", config, to), "supervise")) == {"pending: result-refused"}
    tasks = say(to, "supervise", "N1", native)
    done = build("mcif", config, to)
    assert done.complete, done.counts
    assert {each["shows"]["language_name"] for each in tasks} == {"German"}
    english = {r.text: r for r in mcif_material.references(to / "out", "long", "en") if r.kind == "QA"}
    assert english.keys() == {"A university.", "Swifts, by ear.", "Nine."}
    assert english["Nine."].qa_origin == "Abstract"
    german = [r.text for r in mcif_material.references(to / "out", "long", "de") if r.kind == "QA"]
    assert "An einer Universität." in german and mcif_material.translated("Nine.", "German") in german
    line = BuildFolder(to).find("second-expert", "t1/q02")
    assert line is not None and "more exact" in line.outcome.note and line.outcome.fields["begin"] == "11"


def shown(**more: Any) -> dict[str, Any]:
    given = {"question": "How many swifts nest there?", "answer": "Nine.", "type": "A", "begin": "0:10", "end": "0:14"}
    return {**given, **more}


@pytest.mark.parametrize(
    ("more", "begins"),
    [
        ({}, []),
        ({"type": "NA", "answer": "", "begin": None, "end": None}, []),
        ({"question": ""}, ["question and answer: no-question"]),
        ({"answer": ""}, ["question and answer: no-answer"]),
        ({"answer": "One. Two. Three. Four."}, ["question and answer: answer-too-long"]),
        ({"answer": "The talk does not say."}, ["answer: no-answer"]),
        ({"answer": "Yes."}, ["answer: answer-of-another-question"]),
        ({"end": "1:01"}, ["begin and end: time-outside"]),
        ({"answer": "", "begin": "soon"}, ["question and answer: no-answer", "begin and end: time-unreadable"]),
    ],
)
def test_an_experts_edit_is_checked_by_the_type_of_its_question(more: dict[str, Any], begins: list[str]) -> None:
    faults = list(question_faults(shown(**more), {"seconds": 60.0}))
    assert [fault.rpartition(": ")[0].partition(": ")[0] for fault in faults] == [b.partition(": ")[0] for b in begins]
    assert all(fault.startswith(begin) for fault, begin in zip(faults, begins, strict=True)), faults


def test_an_edited_question_loses_its_translations_and_an_unchanged_one_keeps_them() -> None:
    texts = {"en": ["How many?", "Nine."], "de": ["Wie viele?", "Neun."]}
    fields = {"type": "A", "texts": texts}
    assert decide(question_checked, {**fields, "question": "How many?", "answer": "Nine."}).fields == {}
    changed = decide(question_checked, {**fields, "question": "How many?", "answer": "Ten."})
    assert changed.fields == {"texts": {"en": ["How many?", "Ten."]}}
    assert decide(question_shown, fields).fields == {"question": "How many?", "answer": "Nine."}


def test_who_wrote_a_question_or_a_translation_does_not_check_it() -> None:
    for made, name, fields in (
        (second_expert(), "asked_by", {**shown(), "origin": "Abstract", "seconds": 60.0, "audio": "media/a"}),
        (supervised(), "translated_by", {"element": "talk", "language": "de", "language_name": "German"}),
    ):
        fields |= {"source": ["a"], "target": ["b"]}
        checks = people_of(made).checks
        assert checks is not None
        assert checks(Values(made, "r", {**fields, name: "P1"}))["not_by"] == ["P1"]
        assert checks(Values(made, "r", fields))["not_by"] == []
