"""Questions that transcripts contradict: about another talk, with exchanged answers, or of another type than their
answers have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from triptych.construction.text_checks.numerals import numbers_in

_WORD = re.compile(r"[^\W\d_]{4,}")
# Words that questions have whatever they are about
_ASKING = frozenset(
    re.split(
        r"\s+",
        "what which when where whose does have been were with that this they their them from about many "
        "much long often used uses using kind type name called speaker speakers talk paper authors "
        "author main first last than more most there these those into only other each some after before "
        "between because into make made will would could should three four five seven eight nine hundred "
        "thousand percent according presentation mentioned mention example show shows shown explain "
        "model models data results method system work study many such also very your years into over "
        "under different number proposed approach",
    )
)
MIN_FOREIGN = 3  # words of a question that another talk's transcript has and its own hasn't
MIN_APART = 0.12  # of a talk's length, by which an answer must be nearer to another question's span
MAX_SMALL = 12  # numbers up to this one may be counted instead of heard


@dataclass(frozen=True, slots=True)
class TalkQuestion:
    """A question in English with its place."""

    id: str
    talk: str
    type: str
    origin: str
    question: str
    answer: str
    begin: float
    end: float


def evidence_faults(
    questions: Sequence[TalkQuestion], transcripts: Mapping[str, str], seconds: Mapping[str, float]
) -> dict[str, tuple[str, str]]:
    """Return the questions that the transcripts contradict: id -> reason and note.

    `seconds`: where the speech of each talk ends.
    """
    faults: dict[str, tuple[str, str]] = {}
    stems = {talk: _stems(text) for talk, text in transcripts.items()}
    for each in questions:
        if each.talk in stems and each.type in ("A", "AV") and each.origin != "General":
            fault = _of_another(each, stems) or _unspoken_number(each, transcripts[each.talk])
            if fault:
                faults[each.id] = fault
    for talk in transcripts:
        answered = [
            each for each in questions if each.talk == talk and each.type in ("A", "AV") and each.id not in faults
        ]
        for one, other in _exchanged(answered, transcripts[talk], seconds.get(talk, 0.0)):
            for each, second in ((one, other), (other, one)):
                faults[each.id] = "answers-exchanged", f"{each.answer[:40]!r} seems to answer {second.question[:60]!r}"
    return {**_repeated_faults(questions, transcripts), **faults}


def _of_another(each: TalkQuestion, stems: Mapping[str, frozenset[str]]) -> tuple[str, str] | None:
    words = _stems(f"{each.question} {each.answer}") - _ASKING_STEMS
    here = len(words & stems[each.talk])
    other = max((talk for talk in stems if talk != each.talk), key=lambda talk: len(words & stems[talk]), default=None)
    if (
        other is None
        or len(words & stems[other]) < max(MIN_FOREIGN, 0.5 * len(words))
        or here > 0.25 * len(words & stems[other])
    ):
        return None
    return (
        "question-of-another-talk",
        f"its words are in the transcript of {other}: {', '.join(sorted(words & stems[other]))[:60]}",
    )


def _unspoken_number(each: TalkQuestion, transcript: str) -> tuple[str, str] | None:
    """Return whether sound alone is said to answer a question, and the number that answers it isn't said."""
    if each.type != "A":
        return None
    numbers = {number for number in numbers_in(each.answer, "en") if number > MAX_SMALL}
    if (
        numbers
        and not numbers & numbers_in(transcript, "en")
        and not re.search(r"million|billion|thousand|half|dozen", transcript)
    ):
        return "type-contradicted", f"type A, but nobody says {max(numbers)} of {each.answer[:40]!r}"
    return None


def _exchanged(
    rows: Sequence[TalkQuestion], transcript: str, seconds: float
) -> Iterator[tuple[TalkQuestion, TalkQuestion]]:
    """Yield the pairs of questions of a talk whose answers are each nearer to the other one's span."""
    places = {each.id: _places(each.answer, transcript, seconds) for each in rows}
    for index, one in enumerate(rows):
        for other in rows[index + 1 :]:
            if not places[one.id] or not places[other.id] or min(one.end, other.end) > max(one.begin, other.begin):
                continue
            if all(
                _mean_distance(places[a.id], a) > _mean_distance(places[a.id], b) + MIN_APART * seconds
                for a, b in ((one, other), (other, one))
            ):
                yield one, other


def _places(answer: str, transcript: str, seconds: float) -> list[float]:
    """Return when the words of an answer are said, if each is said once: by their place in the transcript."""
    low = transcript.casefold()
    places = []
    for word in _WORD.findall(answer.casefold()):
        if word[:5] in _ASKING_STEMS:
            continue
        hits = [match.start() for match in re.finditer(rf"\b{re.escape(word[:6])}", low)]
        if len(hits) == 1:
            places.append(hits[0] / max(1, len(low)) * seconds)
        elif len(hits) > 1:
            return []
    return places


def _mean_distance(places: Sequence[float], question: TalkQuestion) -> float:
    """Return how far the places are from a question's span, in seconds, on average."""
    return sum(max(0.0, question.begin - second, second - question.end) for second in places) / len(places)


def _repeated_faults(questions: Sequence[TalkQuestion], transcripts: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Return the questions that an earlier talk has with the same answer, although they aren't general."""
    first: dict[tuple[str, str], TalkQuestion] = {}
    faults = {}
    for each in questions:
        if each.origin == "General" or each.type == "NA" or len(each.answer.split()) < 2:
            continue
        before = first.setdefault((_letters_only(each.question), _letters_only(each.answer)), each)
        if before.talk != each.talk and transcripts.get(before.talk) != transcripts.get(each.talk):
            faults[each.id] = "question-of-another-talk", f"{before.talk} has it, with the same answer"
    return faults


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:5] for word in _WORD.findall(text.casefold()))


_ASKING_STEMS = frozenset(word[:5] for word in _ASKING)


def _letters_only(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
