"""Stages of the recipe `mcif` in which a second person checks what the first one made: questions and translations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from triptych.construction.engine.context import Context, Values
from triptych.construction.record import Outcome, kept
from triptych.construction.stage import Stage, stage
from triptych.construction.stages.annotation import ORIGINS, TYPES, QuestionForm, text_fault, time_fault
from triptych.construction.stages.reviewing import review_stage
from triptych.construction.text_checks.talks.answers import talk_answer_fault


@stage("question-shown", version=1, reads=["texts"], writes=["question", "answer"])
def question_shown(values: Values, context: Context) -> Outcome:
    """The English question and answer as texts of their own, for the expert who checks them."""
    question, answer = values["texts"]["en"]
    return kept(question=question, answer=answer)


def question_faults(values: Mapping[str, Any], checks: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a question after an expert's edit: its texts by its type, and its time."""
    pair = {"en": [str(values["question"]), str(values["answer"])]}
    if fault := text_fault(pair, values["type"], pair, QuestionForm()):
        yield f"question and answer: {fault[0]}: {fault[1]}"
    elif values["type"] != "NA" and (fault := talk_answer_fault(pair["en"][0], pair["en"][1], "en")):
        yield f"answer: {fault[0]}: {fault[1]}"
    if fault := time_fault(values["begin"], values["end"], checks["seconds"], values["type"]):
        yield f"begin and end: {fault[0]}: {fault[1]}"


def _expert_checks(values: Values) -> dict[str, Any]:
    return {
        "languages": {"question": "en", "answer": "en"},
        "check": "talk-question",
        "seconds": values["seconds"],
        "distinct": {"question": values["audio"]},
        "not_by": [values["asked_by"]] if values["asked_by"] else [],
    }


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
        checks=_expert_checks,
        about="A second expert approves, edits or rejects each question.",
    )
    return made.only(element=["question"])


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


def supervised() -> Stage:
    """Return the stage in which a native speaker supervises a translation that was made in the build."""

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
        checks=_supervisor_checks,
        about="A native speaker of the field approves, edits or rejects each translation that was made in the build.",
    )
    return made.only(to_translate=[True])


def _supervisor_checks(values: Values) -> dict[str, Any]:
    by = values["translated_by"]
    return {"check": "line-for-line", "language": values["language"], "not_by": [by] if by else []}
