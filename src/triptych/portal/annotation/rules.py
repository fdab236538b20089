"""Rules of annotation, without a database: what a task asks for, and what is wrong with an answer.

The page sends the answers here while somebody writes, and the server asks again when they are submitted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import msgspec

from triptych.construction.asking.questions import Result
from triptych.construction.people.stage import check_result
from triptych.construction.recipes.mcif import clean_lines, one_line, without_fillers
from triptych.construction.stages.annotation import counted
from triptych.construction.stages.talk_questions import Rules, TalkQuestion, faults
from triptych.construction.text_checks.translation.parallel import left_in_english, lines_fault, parallel_fault
from triptych.errors import DataError
from triptych.metrics.text.normalise import us_spelling
from triptych.portal.site.languages import words

Editor = Literal["questions", "translation", "transcript", "form"]
MAX_QUESTIONS = 200
MAX_TEXT_LENGTH = 2000  # characters of a question or an answer
MAX_TRANSCRIPT_LENGTH = 1 << 20  # characters of a transcript or translation
MAX_SHOWN_WORDS = 3
OF_ALL_LINES = ("wrong-language", "same-translation-twice")  # faults that one line alone doesn't show
_WORD = re.compile(r"\b[a-z]{4,}\b")  # names begin with a capital letter


@dataclass(frozen=True)
class Remark:
    """Something to correct (`blocks`), or to look at once more.

    at      the question or line that it is about, from 0; None: all of them together
    name    the text `annotate-NAME`, with its values
    """

    at: int | None
    name: str
    values: Mapping[str, str] = field(default_factory=dict)
    blocks: bool = True


@dataclass(frozen=True)
class Checked:
    """The remarks on an answer, and how many questions of each kind there are: name -> (number, number wanted)."""

    remarks: list[Remark]
    counters: dict[str, tuple[int, int]]

    @property
    def passes(self) -> bool:
        """Whether the answer may be submitted."""
        return not any(remark.blocks for remark in self.remarks)


def editor_of(body: Mapping[str, Any]) -> Editor:
    """Return the editor that a task needs, by its form: questions, lines next to a source, a transcript, or fields.

    Lines are in the first field; others are texts below them (a fault of the source).

    >>> editor_of({"form": {"text": "text", "source_fault": "text"}, "shows": {"source": ["One.", "Two."]}})
    'translation'
    """
    form, shows = body.get("form", {}), body.get("shows", {})
    if isinstance(form.get("questions"), Mapping):
        return "questions"
    if not form or set(map(str, form.values())) != {"text"}:
        return "form"
    source = shows.get("source")
    if isinstance(source, list) and source and all(isinstance(line, str) for line in source):
        return "translation"
    return "transcript" if next(iter(form)) == "transcript" else "form"


def check(body: Mapping[str, Any], answers: object) -> Checked:
    """Return what is wrong with the answers to a task. Raises DataError if they are not of its form at all."""
    if not isinstance(answers, Mapping) or answers.keys() - body.get("form", {}).keys():
        raise DataError("the answers don't fit the fields of this task")
    editor = editor_of(body)
    if editor == "questions":
        return _questions(body, answers)
    if editor == "form":
        return Checked(_form(body, answers), {})
    if not all(isinstance(text, str) and len(text) <= MAX_TRANSCRIPT_LENGTH for text in answers.values()):
        raise DataError("the text is too long", expected=f"at most {MAX_TRANSCRIPT_LENGTH:,} characters")
    first = next(iter(body["form"]))
    lines = answers.get(first, "").split("\n")
    remarks = _translation(body["shows"], lines) if editor == "translation" else _transcript(lines)
    if any(text.strip() for name, text in answers.items() if name != first):  # the source can't be used as it is
        remarks = [replace(each, blocks=each.name == "line-count") for each in remarks]
    return Checked(remarks, {})


def rules_of(body: Mapping[str, Any]) -> Rules:
    """Return the rules that a task brings for its questions."""
    return msgspec.convert(body.get("rules", {}), Rules)


def _questions(body: Mapping[str, Any], answers: Mapping[str, Any]) -> Checked:
    try:
        questions = msgspec.convert(answers.get("questions"), list[TalkQuestion])
    except msgspec.ValidationError as error:
        raise DataError("the questions can't be read", got=str(error)) from None
    if len(questions) > MAX_QUESTIONS or any(
        len(text) > MAX_TEXT_LENGTH for one in questions for text in (one.question, one.answer)
    ):
        expected = f"at most {MAX_QUESTIONS} questions, and {MAX_TEXT_LENGTH:,} characters each"
        raise DataError("these are too many or too long questions", expected=expected)
    rules, shows = rules_of(body), body.get("shows", {})
    problems = faults(questions, rules, float(shows.get("seconds") or 0), video=bool(shows.get("video")))
    remarks = [_unusable(fault.at, fault.reason, fault.note) for fault in problems]
    for at, one in enumerate(questions):
        if sum(map(one.question.count, ("?", "？"))) > 1:
            remarks.append(Remark(at, "several-questions", blocks=False))
        remarks += _spelling(at, f"{one.question} {one.answer}")
    counts = counted([(one.type, one.origin) for one in questions])
    return Checked(remarks, {name: (count, rules.distribution.get(name, 0)) for name, _, count in counts})


def _translation(shows: Mapping[str, Any], lines: Sequence[str]) -> list[Remark]:
    """Each line of the source needs one line, the whole must not be the source itself, and the build must be able to
    use each line: the rules are those of its stage."""
    source = shows["source"]
    if len(lines) != len(source):
        return [Remark(None, "line-count", {"note": f"{len(lines)} / {len(source)}"})]
    empty = [Remark(at, "empty-line") for at, line in enumerate(lines) if not one_line(line)]
    language = str(shows.get("language") or "")
    if not empty and left_in_english(lines, source):
        return [Remark(None, "left-in-english")]
    faults = {at: fault for at, line in enumerate(lines) if (fault := _line_fault(line, source[at], language))}
    remarks = empty + [_unusable(at, *fault) for at, fault in faults.items()]
    text_fault = None if faults or empty else lines_fault(lines, source, language)
    if text_fault and (language or text_fault[0] != "wrong-language"):
        remarks.append(_unusable(None, *text_fault))
    same = [at for at, line in enumerate(lines) if left_in_english([line], [source[at]]) and at not in faults]
    return remarks + [Remark(at, "line-left-in-english", blocks=False) for at in same]


def _line_fault(line: str, original: str, language: str) -> tuple[str, str] | None:
    """Return what is wrong with a line by itself; None for an empty one, and for what only all lines together show."""
    if not one_line(line):
        return None
    fault = lines_fault([line], [original], language) or parallel_fault([line], [original], language)
    if fault is None or fault[0] in OF_ALL_LINES:
        return None
    return ("line-left-in-english", "") if fault[0] == "left-in-english" else fault


def _unusable(at: int | None, reason: str, note: str) -> Remark:
    """A remark on a fault that stops a build; a reason without a text of its own is shown in the words of the build."""
    name = reason if f"annotate-fault-{reason}" in words() else "unusable"
    return Remark(at, name, {"note": note})


def _transcript(lines: Sequence[str]) -> list[Remark]:
    if not clean_lines("\n".join(lines)):
        return [Remark(None, "no-transcript")]
    problems = []
    for at, line in enumerate(lines):
        if without_fillers(one_line(line)) != one_line(line):
            problems.append(Remark(at, "fillers-left"))
        problems += _spelling(at, line)
    return problems


def _spelling(at: int, text: str) -> list[Remark]:
    """Return a remark for words in British spelling; names may be right, so it doesn't block."""
    used = dict.fromkeys(_WORD.findall(text))
    british = [f"{word} → {us}" for word in used if (us := us_spelling(word)) is not None]
    wording = ", ".join(british[:MAX_SHOWN_WORDS])
    return [Remark(at, "british-spelling", {"note": wording}, blocks=False)] if wording else []


def _form(body: Mapping[str, Any], answers: Mapping[str, Any]) -> list[Remark]:
    try:
        check_result(Result(str(body.get("id", "")), "", "somebody", dict(answers)), body.get("form", {}))
    except DataError as error:
        return [Remark(None, "form-fault", {"note": f"{error.problem}: {error.expected}"})]
    return []
