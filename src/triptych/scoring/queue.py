"""Ambiguous replies for people to decide: a JSON Lines file that is written, filled in, and read again.

Each line has `item`, `repeat`, `question`, `reply`, `labels`, `named` (the labels that the reply names), and `choice`:
null until a person writes a label there, or "" for "it chooses none".
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from triptych.errors import DataError
from triptych.protocols.outcomes import AMBIGUOUS, PERSON
from triptych.protocols.protocol import Unit
from triptych.records import Intermediate, Score
from triptych.records.repeated_keys import decode_once
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.files.atomic import write_atomically
from triptych.store.files.run_files import read_own

NAME = "ambiguous.jsonl"  # this file of a Run folder is read by default
Entry = tuple[str, int]


class Question(msgspec.Struct, frozen=True):
    """A line of the file."""

    item: str
    repeat: int
    question: str
    reply: str
    labels: tuple[str, ...]
    named: tuple[str, ...]
    choice: str | None = None


def read_queue(path: Path) -> list[Question]:
    """Return the lines of a queue; empty if the file doesn't exist. Raises DataError, with the line, if a line can't be
    read or a choice is not one of the labels."""
    try:
        lines = read_own(path).splitlines()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise DataError("the queue can't be read", where=path, got=error.strerror) from None
    return [_question(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip()]


def decide(units: Iterable[Unit], questions: Iterable[Question]) -> list[Unit]:
    """Return the Units with people's choices attached to their Responses. A choice for a different reply is void."""
    chosen = {(q.item, q.repeat): q for q in questions if q.choice is not None}
    return [_decided(unit, chosen) for unit in units] if chosen else list(units)


class Decided:
    """Units that come a part at a time, with people's choices; each iteration reads them again."""

    def __init__(self, chunks: Iterable[Sequence[Unit]], questions: Iterable[Question]) -> None:
        self._chunks, self._decisions = chunks, [question for question in questions if question.choice is not None]

    def __iter__(self) -> Iterator[list[Unit]]:
        return (decide(units, self._decisions) for units in self._chunks)


def ambiguous_questions(units: Iterable[Unit], scores: Iterable[Score]) -> Iterator[Question]:
    """Yield a question for people for every Score whose reply is ambiguous. `units`: those of the Scores."""
    unclear = [score for score in scores if score.note == AMBIGUOUS]
    units_by_key = {(unit.unit_id, unit.repeat): unit for unit in units} if unclear else {}
    for score in unclear:
        named = score.extraction if isinstance(score.extraction, tuple) else ()
        yield _ask(units_by_key[score.unit, score.repeat], named)


def write_queue(path: Path, questions: Iterable[Question], former: Iterable[Question]) -> int:
    """Write the decided lines and then the open `questions`, each once; return the number of open ones."""
    left: dict[Entry, Question] = {}
    for question in questions:
        left[question.item, question.repeat] = question
    done = [q for q in former if q.choice is not None and (q.item, q.repeat) not in left]
    write_atomically(path, msgspec.json.Encoder().encode_lines([*done, *left.values()]))
    return len(left)


def decisions_hash(questions: Iterable[Question]) -> str:
    """Return eight hex digits that identify a set of decisions; empty for no decisions."""
    decided = sorted((q.item, q.repeat, q.reply, q.choice or "") for q in questions if q.choice is not None)
    return hashlib.sha256(msgspec.json.encode(decided)).hexdigest()[:8] if decided else ""


def _question(line: bytes, where: str) -> Question:
    try:
        question = decode_once(line, Question)
    except UNREADABLE as error:
        raise DataError("a line of the queue can't be read", where=where, got=reason(error)) from None
    if question.choice not in (None, "", *question.labels):
        expected = f'null, "" or one of {", ".join(question.labels)}'
        raise DataError("a choice is not one of the labels", where=where, got=question.choice, expected=expected)
    return question


def _decided(unit: Unit, chosen: Mapping[Entry, Question]) -> Unit:
    question, response = chosen.get((unit.item.id, unit.repeat)), unit.response
    if question is None or response is None or question.reply != response.text:
        return unit
    step = Intermediate(PERSON, "text", "", question.choice or "")
    text = msgspec.structs.replace(response, intermediates=(*response.intermediates, step))
    return Unit(unit.items, (text, *unit.responses[1:]), unit.repeat)


def _ask(unit: Unit, named: tuple[str, ...]) -> Question:
    item, response = unit.item, unit.response
    question_text = "\n".join(part.text for part in item.parts if part.role == "question")
    return Question(item.id, unit.repeat, question_text, response.text if response else "", item.labels, named)
