"""Stages of the recipe `mcif` in which a second person checks what the first one made: questions and translations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from triptych.construction.asking.questions import Result
from triptych.construction.engine.context import Context, Values
from triptych.construction.people.stage import REFUSED
from triptych.construction.record import Outcome, kept, pending
from triptych.construction.stage import Stage, stage
from triptych.construction.stages.annotation import ORIGINS, TYPES, QuestionForm, text_fault, time_fault
from triptych.construction.stages.reviewing import review_stage

Fault = Callable[[Sequence[str], Sequence[str], str], tuple[str, str] | None]
OWN = "whoever wrote it can't check it: another person is needed"


@stage("question-shown", version=1, reads=["texts"], writes=["question", "answer"])
def question_shown(values: Values, context: Context) -> Outcome:
    """The English question and answer as texts of their own, for the expert who checks them."""
    question, answer = values["texts"]["en"]
    return kept(question=question, answer=answer)


def _question_edited(new: Mapping[str, Any], values: Values) -> str:
    """Return what is wrong with an expert's edit; empty if nothing is."""
    now = {name: new.get(name, values[name]) for name in ("question", "answer", "type", "begin", "end")}
    pair = {"en": [str(now["question"]), str(now["answer"])]}
    fault = text_fault(pair, now["type"], pair, QuestionForm())
    fault = fault or time_fault(now["begin"], now["end"], values["seconds"], now["type"])
    return f"{fault[0]}: {fault[1]}" if fault else ""


def second_expert() -> Stage:
    """Return the stage in which a second expert checks each question: its text, answer, labels and time."""
    made = review_stage(
        "second-expert",
        {"question": "text", "answer": "text", "type": [*TYPES], "origin": [*ORIGINS], "begin": "text", "end": "text"},
        {"fault": ["unclear", "wrong answer", "wrong time", "wrong type", "several questions", "other"], "why": "text"},
        "Watch the place in the talk. Is the question clear, does it ask one thing, is the answer correct and "
        "complete, and are its time and type (heard: A, seen: V, both: AV, not given: NA) right? Approve, edit or "
        "reject.",
        reads=["question", "answer", "type", "origin", "begin?", "end?", "seconds", "audio", "video?", "asked_by?"],
        shows=("question", "answer", "type", "origin", "begin", "end", "audio", "video"),
        guides={
            "zh": "请观看演讲中的相应位置：问题是否清楚、只问一件事，答案是否正确完整，"
            "时间和类型（声音 A、画面 V、两者 AV、未给出 NA）是否正确？请选择通过、修改或退回。"
        },
        check=_question_edited,
        about="A second expert approves, edits or rejects each question.",
    )
    return another_person(made, "asked_by").only(element=["question"])


@stage(
    "question-checked",
    version=1,
    reads=["question", "answer", "type", "begin?", "end?", "texts"],
    writes=["texts", "question", "answer"],
)
def question_checked(values: Values, context: Context) -> Outcome:
    """Put what the expert changed back into the texts; translations of another English text are left out."""
    pair = [values["question"], values["answer"]]
    if pair == list(values["texts"]["en"]):
        return kept()
    return kept(texts={"en": pair})


def supervised(fault_of: Fault) -> Stage:
    """Return the stage in which a native speaker supervises a translation that was made in the build."""

    def edited(new: Mapping[str, Any], values: Values) -> str:
        lines = new.get("target", values["target"])
        if len(lines) != len(values["source"]):
            return f"line-count: {len(lines)} lines for {len(values['source'])}"
        fault = fault_of(lines, values["source"], values["language"])
        return f"{fault[0]}: {fault[1]}" if fault else ""

    made = review_stage(
        "supervise",
        {"target": "list"},
        {"fault": ["terminology", "meaning", "style", "other"], "why": "text"},
        "You are a native speaker who knows the field. Is the translation true to the source, and are its terms those "
        "of the field, the same throughout? Approve, edit (one line for each line of the source) or reject.",
        reads=["element", "language", "language_name", "source", "target", "translated_by?"],
        shows=("element", "language_name", "source", "target"),
        guides={
            "zh": "请以母语者和本领域专家的身份检查：译文是否忠实，术语是否符合本领域用法且前后一致？"
            "请选择通过、修改（原文每行对应译文一行）或退回。"
        },
        check=edited,
        about="A native speaker of the field approves, edits or rejects each translation that was made in the build.",
    )
    return another_person(made, "translated_by").only(to_translate=[True])


def another_person(made: Stage, field: str) -> Stage:
    """Return a review that refuses the result of the person named in `field`."""
    assert made.tasks is not None and made.tasks.decide is not None
    usual = made.tasks.decide

    def decide(results: Sequence[Result], values: Values, context: Context) -> Outcome:
        others = [result for result in results if result.person != values[field]]
        return usual(others, values, context) if others else pending(REFUSED, f"{results[0].person}: {OWN}")

    return replace(made, tasks=replace(made.tasks, decide=decide), run=decide)
