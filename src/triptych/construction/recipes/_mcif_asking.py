"""The stage of the recipe `mcif` in which people watch a talk and write questions and answers about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, field

from triptych.construction.asking.questions import People, Result
from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.people.forms import DECLINED, form_of
from triptych.construction.people.stage import ask_people
from triptych.construction.recipes._mcif_material import one_line
from triptych.construction.record import Outcome, kept, pending
from triptych.construction.stage import Stage
from triptych.construction.stages.annotation import DISTRIBUTION, same_words, seconds_of_day
from triptych.construction.stages.talk_questions import QUESTION_MARKS, Rules, TalkQuestion, faults


class Written(msgspec.Struct):
    """The form: questions in their order."""

    questions: list[TalkQuestion]


FORM = {name: kind for name, kind in form_of(Written).items() if name != DECLINED}
GUIDE = (
    "Watch the talk. Answer the general questions, write questions that somebody may have who read only the abstract, "
    "and questions about details of the talk. Each asks one thing, clearly and briefly. The answer has at most two "
    "sentences, with US spelling. Mark where in the talk the answer is, and whether it is heard (A), seen (V), both "
    "(AV), or not given at all (NA)."
)
GUIDES = {
    "zh": "请观看演讲。回答通用问题，再写出只读过摘要的人可能提出的问题，以及关于演讲细节的问题。每个问题只问一件事，"
    "清楚简短。答案最多两句话，使用美式拼写。请标明答案在演讲中的位置，以及答案来自声音（A）、画面（V）、"
    "两者皆有（AV）还是没有给出（NA）。"
}


ABSTRACT_GUIDE = (
    "Read the title and the abstract; the talk isn't shown. Write the questions that you would ask about the talk, one "
    "a line: short, clear, one thing each. They are answered afterwards by whoever watches the talk."
)
ABSTRACT_GUIDES = {
    "zh": "请只阅读题目和摘要（不播放演讲）。写出您想就这个演讲提出的问题，每行一个：简短清楚，每个问题只问一件事。"
    "之后由观看演讲的人作答。"
}


class AbstractQuestions(Parameters, frozen=True):
    """Parameters of `abstract-questions`."""

    least: Annotated[int, Meta(ge=0, description="least number of different questions about an abstract")] = 3


def abstract_questions(rules: Rules) -> Stage:
    """Return the stage that asks people for questions about talks of which they know only the abstract."""
    asks = People(
        {"abstract_questions": "list"},
        ABSTRACT_GUIDE,
        decide=_from_abstract,
        shows=("title", "summaries"),
        guides=ABSTRACT_GUIDES,
        checks=lambda values: {"check": "abstract-questions"},
    )
    made = ask_people(
        "abstract-questions",
        asks,
        version=1,
        reads=["title?", "summaries", "questions"],
        writes=["abstract_questions"],
        about="People who know only the abstract of a talk write questions about it.",
        parameters=AbstractQuestions(least=int(rules.distribution.get("abstract", 0))),
    )
    return made.only(questions=[[]], summary_only=[False])


def _from_abstract(results: Sequence[Result], values: Values, context: Context[AbstractQuestions]) -> Outcome:
    return _abstract(results[0].values["abstract_questions"], context.parameters.least)


def _abstract(texts: Sequence[Any], min_count: int) -> Outcome:
    questions = [one_line(str(each)) for each in texts if str(each).strip()]
    if len({same_words(each) for each in questions}) < max(1, min_count):
        return pending("too-few-abstract", f"{len(questions)} of {min_count} different questions")
    if wrong := next((each for each in questions if not each.endswith(QUESTION_MARKS)), ""):
        return pending("no-question-mark", wrong[-40:])
    return kept(abstract_questions=questions)


class WriteQuestions(Parameters, frozen=True):
    """Parameters of `write-questions`: the rules for the questions of one talk."""

    distribution: Annotated[
        dict[str, int], Meta(description="number of questions by parameter of the stage `guideline`")
    ] = field(default_factory=lambda: dict(DISTRIBUTION))
    general_questions: Annotated[
        tuple[str, ...], Meta(description="wordings of the general questions, the same for all talks (empty: any)")
    ] = ()
    no_answer: Annotated[str, Meta(min_length=1, description="answer to a question that can't be answered")] = (
        "Not answerable."
    )
    most_sentences: Annotated[int, Meta(ge=1, description="greatest number of sentences of an answer")] = 2


def abstract_faults(values: Mapping[str, Any], checks: Mapping[str, Any]) -> Iterator[str]:
    """Yield why the writer of questions about an abstract would be asked again."""
    outcome = _abstract(values["abstract_questions"], int(checks["rules"].get("least", 0)))
    if outcome.decision == "pending":
        yield f"abstract_questions: {outcome.reason}: {outcome.note}"


def write_questions(rules: Rules, *, after_abstract: bool = False) -> Stage:
    """Return the stage that asks people for questions about talks that have none; with `after_abstract`, all questions
    that were written after the abstract must be among them."""
    seen = ("audio", "video", "title", "summaries", "seconds", *(("abstract_questions",) if after_abstract else ()))
    checks = {"check": "talk-questions"}
    asks = People(FORM, GUIDE, decide=_written, shows=seen, guides=GUIDES, checks=lambda values: checks)
    made = ask_people(
        "write-questions",
        asks,
        version=2,
        reads=["audio", "video?", "title?", "summaries", "seconds", "questions"]
        + (["abstract_questions"] if after_abstract else []),
        writes=["questions"],
        about="People watch a talk and write questions and answers about it.",
        parameters=WriteQuestions(**msgspec.structs.asdict(rules)),
    )
    return made.only(questions=[[]], summary_only=[False])


def _written(results: Sequence[Result], values: Values, context: Context) -> Outcome:
    """Return the questions as rows; if they don't follow the guideline, their writer is asked again."""
    result = results[0]
    questions = msgspec.convert(result.values["questions"], list[TalkQuestion])
    if fault := _guideline_fault(questions, dict(values), dict(context.parameters)):
        return pending(*fault)
    return kept(questions=[_row(number, one, result.person) for number, one in enumerate(questions, 1)])


def talk_faults(values: Mapping[str, Any], checks: Mapping[str, Any]) -> Iterator[str]:
    """Yield why the writer of questions about a talk would be asked again."""
    try:
        questions = msgspec.convert(values["questions"], list[TalkQuestion])
    except msgspec.ValidationError as error:
        yield f"questions: {error}"
        return
    if fault := _guideline_fault(questions, values, checks["rules"]):
        yield f"questions: {fault[0]}: {fault[1]}"


def _guideline_fault(
    questions: Sequence[TalkQuestion], values: Mapping[str, Any], parameters: Mapping[str, Any]
) -> tuple[str, str] | None:
    """Return what the guideline has against the questions about a talk, as reason and note; None if it has nothing."""
    rules = msgspec.convert(dict(parameters), Rules)
    if problems := faults(questions, rules, values["seconds"], video=bool(values["video"])):
        texts = [f"{f'question {f.at + 1}: ' if f.at is not None else ''}{f.reason} {f.note}".strip() for f in problems]
        return "guideline-not-followed", "; ".join(texts)
    of_abstract = {same_words(one.question) for one in questions if one.origin == "Abstract"}
    first = values.get("abstract_questions") or []
    if lacking := [each for each in first if same_words(each) not in of_abstract]:
        return "abstract-question-missing", f"{lacking[0][:80]} (origin Abstract)"
    return None


def _row(number: int, one: TalkQuestion, person: str) -> Mapping[str, Any]:
    answered = one.type != "NA"
    return {
        "number": number,
        "asked_in": "",
        "asked_by": person,
        "type": one.type,
        "origin": one.origin,
        "begin": seconds_of_day(one.begin) if answered else None,
        "end": seconds_of_day(one.end) if answered else None,
        "texts": {"en": [one_line(one.question), one_line(one.answer) if answered else ""]},
    }
