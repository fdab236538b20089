"""Questions that people write about a talk, checked together as they are written (MCIF, appendix 8.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from triptych.construction.stages.annotation import (
    DISTRIBUTION,
    ORIGINS,
    TYPES,
    QuestionForm,
    counted,
    same_words,
    text_fault,
    time_fault,
    worded_fault,
)

QUESTION_MARKS = ("?", "？")


class TalkQuestion(msgspec.Struct, forbid_unknown_fields=True):
    """A question about a talk, as a person wrote it.

    type, origin  one of TYPES and of ORIGINS
    begin, end    where in the talk the answer is: seconds, `m:ss` or `h:mm:ss`; empty if it can't be answered
    """

    question: str
    answer: str
    type: str
    origin: str
    begin: float | str | None = None
    end: float | str | None = None


class Rules(msgspec.Struct, frozen=True):
    """Rules for the questions of one talk.

    distribution       number of questions by parameter of the stage `guideline`
    general_questions  the wordings of the general questions, the same for all talks; empty: any
    no_answer          the answer to a question that can't be answered
    most_sentences     of an answer
    """

    distribution: Mapping[str, int] = msgspec.field(default_factory=lambda: dict(DISTRIBUTION))
    general_questions: tuple[str, ...] = ()
    no_answer: str = "Not answerable."
    most_sentences: int = 2


@dataclass(frozen=True)
class Fault:
    """A rule that is broken. `at`: the question's position, from 0; None if it is about all of them together."""

    at: int | None
    reason: str
    note: str = ""


def faults(questions: Sequence[TalkQuestion], rules: Rules, seconds: float, *, video: bool) -> list[Fault]:
    """Return every rule that the questions about a talk of `seconds` break, those of single questions first.

    >>> asked = [TalkQuestion("Why", "So.", "A", "Abstract", "0:01", "0:02")]
    >>> [fault.reason for fault in faults(asked, Rules({}), 9, video=True)]
    ['no-question-mark']
    """
    faults_ = [
        Fault(at, *fault) for at, one in enumerate(questions) for fault in _question_faults(one, rules, seconds, video)
    ]
    faults_ += [Fault(at, "repeated-question") for at in _repeated(questions)]
    for name, reason, count in counted([(one.type, one.origin) for one in questions]):
        if count < (wanted := rules.distribution.get(name, 0)):
            faults_.append(Fault(None, reason, f"{count} of {wanted}"))
    return [*faults_, *_general(questions, rules)]


def _question_faults(one: TalkQuestion, rules: Rules, seconds: float, video: bool) -> Iterator[tuple[str, str]]:
    if one.type not in TYPES:
        yield "unknown-type", one.type
    if one.origin not in ORIGINS:
        yield "unknown-origin", one.origin
    if "V" in one.type and not video:
        yield "no-video", one.type
    answer = rules.no_answer if one.type == "NA" else one.answer.strip()
    question = one.question.strip()
    wanted = QuestionForm(most_sentences=rules.most_sentences)
    if fault := text_fault({"en": [question, answer]}, one.type, {"en": [question, one.answer.strip()]}, wanted):
        yield fault
    worded = worded_fault((question, answer), "en", one.type) if question and answer else None
    if worded and worded[0] != "question-cut-off":
        yield worded
    if question and not question.endswith(QUESTION_MARKS):
        yield "no-question-mark", question[-20:]
    if fault := time_fault(one.begin, one.end, seconds, one.type):
        yield fault


def _repeated(questions: Sequence[TalkQuestion]) -> Iterator[int]:
    seen: set[str] = set()
    for at, one in enumerate(questions):
        words = same_words(one.question)
        if words and words in seen:
            yield at
        seen.add(words)


def _general(questions: Sequence[TalkQuestion], rules: Rules) -> Iterator[Fault]:
    """Yield a fault for each general question that is missing, and for each that isn't one of those given."""
    if not rules.general_questions:
        return
    general_questions = {same_words(words): words for words in rules.general_questions}
    positions_by_text = {same_words(one.question): at for at, one in enumerate(questions) if one.origin == "General"}
    for words, wording in general_questions.items():
        if words not in positions_by_text:
            yield Fault(None, "general-question-missing", wording)
    for words, at in positions_by_text.items():
        if words and words not in general_questions:
            yield Fault(at, "not-a-general-question", questions[at].question[:80])
