"""People's questions about talks, checked against their annotation guideline (MCIF, appendix 8.2)."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta, field

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import stage
from triptych.construction.text_checks.scripts import is_ended
from triptych.construction.text_checks.shortened import reads_shortened
from triptych.construction.text_checks.talks.answers import talk_answer_fault
from triptych.construction.text_checks.talks.repeats import asks_the_same, places_overlap, shared_words
from triptych.construction.text_checks.translation.parallel import parallel_fault
from triptych.construction.text_checks.wording import in_language, label_fault, wording_fault

TYPES = ("A", "V", "AV", "NA")
ORIGINS = ("General", "Abstract", "Transcript")
# Number of questions that a talk needs: all; by origin; by what answers them (appendix 8.2).
DISTRIBUTION: dict[str, Any] = {
    "pairs": 10,
    "general": 3,
    "abstract": 3,
    "transcript": 4,
    "answered_by_audio": 7,
    "audio_and_video": 5,
    "video": 2,
    "unanswerable": 1,
}
_TIME = re.compile(r"(?:(?:(\d+):)?([0-5]?\d):)?(\d+(?:[.,]\d+)?)")
_ABBREVIATIONS = re.compile(
    r"\b(?:e\.g|i\.e|et al|etc|vs|cf|fig|eq|sec|dr|prof|mr|mrs|ms|st|approx|z\. ?b|d\. ?h|bzw|usw|ca|p\. ?es|ecc"
    r"|no(?=\. ?\d)|(?-i:[A-Z]))\.",
    re.IGNORECASE,
)
_BOUNDARY = re.compile(r"(?<![.!?…])[.!?…]+[\"'”’»)\]]*\s++(?=\S)|(?<![。！？])[。！？]+[”’」』）]*(?=\s*\S)")


class QuestionForm(Parameters, frozen=True):
    """Parameters of `question-form`."""

    language: Annotated[str, Meta(min_length=1, description="language in which every question has texts")] = "en"
    most_sentences: Annotated[int, Meta(ge=1, description="greatest number of sentences of an answer")] = 2
    no_answer: Annotated[dict[str, str], Meta(description="answer to what can't be answered, by language")] = field(
        default_factory=lambda: {"en": "Not answerable."}
    )
    wording: Annotated[
        bool, Meta(description="whether markup, invisible characters, other scripts and repeated questions are faults")
    ] = True


@stage(
    "question-form",
    version=9,
    reads=["type?", "origin?", "begin?", "end?", "texts", "seconds", "video?", "repeats?", "twin?"],
    writes=["type", "origin", "begin", "end", "texts"],
    parameters=QuestionForm,
)
def question_form(values: Values, context: Context[QuestionForm]) -> Outcome:
    """Check one question: its labels, its time in the talk, its texts, and the length of its answers.

    `texts` has [question, answer] by language and must include `language`. `begin` and `end` are seconds, `m:ss`, or
    `h:mm:ss`; a question that can't be answered (`NA`) needs neither, and its answer is that of `no_answer`. An answer
    has at most `most_sentences` sentences. With `wording`, texts with markup, invisible characters, numbers of notes or
    another script than their language has are faults, and so is a question that the talk has already (`repeats`: its
    number). Each kind of fault has its own reason.
    """
    wanted = context.parameters
    kind, origin = _label(values["type"], TYPES), _label(values["origin"], ORIGINS)
    if kind is None:
        return dropped("unknown-type", f"{values['type']!r} is none of {', '.join(TYPES)}")
    if origin is None:
        return dropped("unknown-origin", f"{values['origin']!r} is none of {', '.join(ORIGINS)}")
    if "V" in kind and not values["video"]:
        return dropped("no-video", f"a question of type {kind} about a talk without pictures")
    texts = {language: _answered(pair, language, kind, wanted) for language, pair in values["texts"].items()}
    times = (values["begin"], values["end"], values["seconds"])
    if values["repeats"] and wanted.wording:
        return dropped("repeated-question", f"it is question {values['repeats']} of this talk again")
    if (
        kind != "NA"
        and wanted.wording
        and any(
            same_words(pair[1]) == same_words(wanted.no_answer.get(language, "-")) for language, pair in texts.items()
        )
    ):
        return dropped("no-answer", f"type {kind}, but the answer is that of questions which can't be answered")
    if values["twin"] and wanted.wording:
        return dropped("same-translation-twice", values["twin"])
    worded = next(_wordings(texts, kind, wanted.language), None) if wanted.wording else None
    if fault := text_fault(texts, kind, values["texts"], wanted) or worded or time_fault(*times, kind):
        return dropped(*fault)
    span = {name: seconds_of_day(values[name]) for name in ("begin", "end")} if kind != "NA" else {}
    read = {"type": kind, "origin": origin, "texts": texts, **span}
    return kept({name: value for name, value in read.items() if value != values[name]})


class Guideline(Parameters, frozen=True):
    """Parameters of `guideline`."""

    pairs: Annotated[int, Meta(ge=0, description="least number of questions of a talk")] = 10
    general: Annotated[int, Meta(ge=0, description="questions of a talk that are the same for all talks")] = 3
    abstract: Annotated[int, Meta(ge=0, description="questions of a talk that were made from its abstract")] = 3
    transcript: Annotated[int, Meta(ge=0, description="questions of a talk that were made from its transcript")] = 4
    answered_by_audio: Annotated[
        int, Meta(ge=0, description="questions of a talk that its sound answers (types A and AV)")
    ] = 7
    audio_and_video: Annotated[
        int, Meta(ge=0, description="questions of a talk that sound and pictures each answer (type AV)")
    ] = 5
    video: Annotated[int, Meta(ge=0, description="questions of a talk that only its pictures answer (type V)")] = 2
    unanswerable: Annotated[int, Meta(ge=0, description="questions of a talk that it doesn't answer (type NA)")] = 1
    same_general: Annotated[bool, Meta(description="whether all talks have the same general questions")] = True
    language: Annotated[str, Meta(min_length=1, description="language in which general questions are compared")] = "en"


@stage(
    "guideline",
    version=1,
    kind="whole",
    reads=["element", "talk", "summary_only?", "type?", "origin?", "texts?"],
    writes=[],
    parameters=Guideline,
)
def guideline(records: Sequence[Values], context: Context[Guideline]) -> list[Outcome]:
    """Drop talks whose questions don't follow the guideline, together with their other elements.

    A talk needs at least `pairs` questions: `general`, `abstract` and `transcript` by origin, `answered_by_audio` of
    type A or AV, `audio_and_video` of type AV, `video` of type V and `unanswerable` of type NA. With `same_general`
    all talks have the same general questions: those that most talks have. Summary-only talks have no questions.
    """
    questions_by_talk: dict[str, list[Values]] = defaultdict(list)
    summaries: dict[str, bool] = {}
    for values in records:
        summaries[values["talk"]] = bool(values["summary_only"])
        if values["element"] == "question":
            questions_by_talk[values["talk"]].append(values)
    usual = _usual_general([questions_by_talk[talk] for talk, alone in summaries.items() if not alone], context)
    faults = {
        talk: list(
            _alone_faults(questions_by_talk[talk]) if alone else _talk_faults(questions_by_talk[talk], usual, context)
        )
        for talk, alone in summaries.items()
    }
    return [_judged(faults[values["talk"]]) for values in records]


def sentences(text: str) -> int:
    """Return the number of sentences, by their ends; abbreviations, initials and numbers don't end one."""
    text = _ABBREVIATIONS.sub("x", text.strip())
    return len(_BOUNDARY.findall(text)) + 1 if text else 0


def seconds_of_day(value: Any) -> float | None:
    """Return `75`, `75.5`, `1:15` or `0:01:15` in seconds; None for anything else."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if 0 <= value < 360_000 else None
    match = _TIME.fullmatch(str(value or "").strip())
    if match is None:
        return None
    hours, minutes, seconds = match.groups()
    if minutes is not None and float(seconds.replace(",", ".")) >= 60:
        return None
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(seconds.replace(",", "."))


def same_words(text: str) -> str:
    """Return the text for comparison: only letters and digits, lower case."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


_ASKS = re.compile(r"[?？][\"'”’»」』)）\]]*\s*$")
_MARKS = re.compile(r"^\s*[-*•]\s+|[(\[（][^)\]）]{0,20}\b\d{1,2}:[0-5]\d\b[^)\]）]{0,12}[)\]）]")
_CHOICE = re.compile(r"\b(?:or|oder|oppure|o|ovvero)\b|还是|或", re.IGNORECASE)


def _wordings(texts: Mapping[str, Sequence[str]], kind: str, origin: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the wording of a question and its answer in each language, and with translations."""
    for language, pair in texts.items():
        if fault := worded_fault(pair, language, kind):
            yield fault
    if origin not in texts:
        return
    for language, pair in texts.items():
        count = 1 if kind == "NA" else 2
        if language != origin and (fault := parallel_fault(pair[:count], texts[origin][:count], language, origin)):
            yield fault[0], f"{language}: {fault[1]}"


@reads_shortened
def worded_fault(pair: Sequence[str], language: str, kind: str = "") -> tuple[str, str] | None:
    """Return what is wrong with the wording of a question or its answer, or with the language that they are in."""
    question, answer = pair
    for text in pair:
        if fault := label_fault(text):
            return fault[0], f"{language}: {fault[1]}"
    if fault := wording_fault(question, [], answer):
        return fault[0], f"{language}: {fault[1]}"
    if same_words(question) and same_words(question) == same_words(answer):
        return "answer-is-the-question", f"{language}: {answer[:80]!r}"
    if not in_language(question, language, 0.2):
        return "wrong-language", f"{question[:60]!r} is not in the language {language}"
    if not (_ASKS.search(question) if language == "en" else is_ended(question)):
        what = "question mark" if language == "en" else "mark"
        return "question-cut-off", f"{language}: {question[-40:]!r} has no {what} at its end"
    if kind == "NA":
        return None
    if fault := talk_answer_fault(question, answer, language):
        return fault[0], f"{language}: {fault[1]}"
    if mark := _MARKS.search(answer):
        return "not-the-text-alone", f"{language}: write the answer without {mark[0].strip()!r}"
    if not in_language(answer, language, 0.0) and not in_language(answer, "en", 0.2):  # it may be an English title
        return "wrong-language", f"{answer[:60]!r} is not in the language {language}"
    return _named_in_question(question, answer, language)


def _named_in_question(question: str, answer: str, language: str) -> tuple[str, str] | None:
    """Return the fault that a question has its whole answer; a choice (`A or B?`) may name it once."""
    stem, words = (f" {' '.join(re.findall(_UNIT, text.casefold()))} " for text in (question, answer))
    count = stem.count(words)
    if not words.strip() or not count or (count == 1 and _CHOICE.search(question)):
        return None
    return "answer-in-question", f"{language}: {answer[:60]!r} is in the question"


_UNIT = r"[\u3400-\u9fff]|[^\W_]+"


def reworded(question: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether two questions of a talk ask the same in other words: one answer, one place in the talk, and half
    of the longer words, or nearly all words but those that ask, in common."""
    spans = [(seconds_of_day(each["begin"]), seconds_of_day(each["end"])) for each in (question, other)]
    placed = places_overlap(*spans)
    if asks_the_same(question, other, placed=placed):
        return True
    pair, second = question["texts"].get("en"), other["texts"].get("en")
    if not pair or not second or same_words(pair[1]) != same_words(second[1]) or len(pair[1].split()) < 2:
        return False
    return placed and shared_words(pair[0], second[0], "en") >= 0.5


def _label(value: Any, labels: Sequence[str]) -> str | None:
    folded = str(value or "").strip().casefold()
    return next((name for name in labels if name.casefold() == folded), None)


def _answered(pair: Sequence[str], language: str, kind: str, wanted: QuestionForm) -> list[str]:
    """Return the pair, with the fixed answer if the question can't be answered."""
    question, answer = pair
    return [question, wanted.no_answer.get(language, answer) if kind == "NA" else answer]


def text_fault(
    texts: Mapping[str, Sequence[str]], kind: str, transcripts: Mapping[str, Sequence[str]], wanted: QuestionForm
) -> tuple[str, str] | None:
    """Return the first fault of a question's texts as reason and note; None if there is none.

    `texts`: [question, answer] by language, with the fixed answer if `kind` is NA; `transcripts`: as people wrote them.
    `wanted`: the `language` that must be there, and `most_sentences` of an answer.
    """
    if not texts.get(wanted.language, ("",))[0]:
        return "no-question", f"there is none in {wanted.language!r}"
    for language, (question, answer) in texts.items():
        if kind == "NA":
            if transcripts[language][1] and same_words(transcripts[language][1]) != same_words(answer):
                return "answer-to-unanswerable", f"{language}: {transcripts[language][1][:80]!r}"
            continue
        if not answer or not question:
            return "no-answer" if question else "no-question", f"there is none in {language!r}"
        if (count := sentences(answer)) > wanted.most_sentences:
            return "answer-too-long", f"{language}: {count} sentences"
    return None


def time_fault(begin: Any, end: Any, seconds: float, kind: str) -> tuple[str, str] | None:
    """Return the fault of a question's time in a talk of `seconds`, as reason and note; None if there is none."""
    if kind == "NA":
        return None
    if begin in (None, "") or end in (None, ""):
        return "no-time", "begin and end of the place in the talk are needed"
    read = seconds_of_day(begin), seconds_of_day(end)
    if read[0] is None or read[1] is None:
        return "time-unreadable", f"{begin!r} to {end!r}: seconds, m:ss or h:mm:ss are expected"
    if read[0] >= read[1] or read[1] > seconds:
        return "time-outside", f"{read[0]:g} to {read[1]:g} s in a talk of {seconds:g} s"
    if read[1] - read[0] < MIN_SECONDS:
        return "time-too-short", f"{read[0]:g} to {read[1]:g} s: nothing is answered in less than {MIN_SECONDS:g} s"
    return None


MIN_SECONDS = 0.3  # of the span in which a question is answered


def counted(labels: Sequence[tuple[str, str]]) -> list[tuple[str, str, int]]:
    """Return parameter of `guideline`, reason and number of questions, for questions with these types and origins.

    >>> counted([("AV", "General")])[5]
    ('audio_and_video', 'too-few-audio-video', 1)
    """
    types, origins = Counter(kind for kind, _ in labels), Counter(origin for _, origin in labels)
    return [
        ("pairs", "too-few-questions", len(labels)),
        ("general", "too-few-general", origins["General"]),
        ("abstract", "too-few-abstract", origins["Abstract"]),
        ("transcript", "too-few-transcript", origins["Transcript"]),
        ("answered_by_audio", "too-few-audio", types["A"] + types["AV"]),
        ("audio_and_video", "too-few-audio-video", types["AV"]),
        ("video", "too-few-video", types["V"]),
        ("unanswerable", "too-few-unanswerable", types["NA"]),
    ]


def _talk_faults(questions: Sequence[Values], usual: frozenset[str], context: Context) -> Iterator[tuple[str, str]]:
    """Yield every rule that a talk's questions break, as reason and figure."""
    wanted = context.parameters
    for name, reason, count in counted([(v["type"], v["origin"]) for v in questions]):
        if count < wanted[name]:
            yield reason, f"{count} of {wanted[name]}"
    if wanted.same_general and (general_fault := _general(questions, wanted.language)) != usual:
        yield "general-questions-differ", f"{len(general_fault ^ usual)} questions are asked of some talks only"


def _alone_faults(questions: Sequence[Values]) -> Iterator[tuple[str, str]]:
    if questions:
        yield "questions-of-a-summary", f"{len(questions)} questions about a summary-only talk"


def _usual_general(talks: Sequence[Sequence[Values]], context: Context) -> frozenset[str]:
    """Return the general questions that most talks have; among equally frequent sets the first."""
    counts = Counter(_general(talk, context.parameters.language) for talk in talks)
    return counts.most_common(1)[0][0] if counts else frozenset()


def _general(questions: Sequence[Values], language: str) -> frozenset[str]:
    return frozenset(same_words(v["texts"][language][0]) for v in questions if v["origin"] == "General")


def _judged(faults: Sequence[tuple[str, str]]) -> Outcome:
    """Return the outcome: the first fault is the reason, and the note has all of them."""
    return dropped(faults[0][0], "; ".join(f"{reason}: {note}" for reason, note in faults)) if faults else kept()
