"""A survey as data: settings (of the queue), questions (bodies of the queue's tasks), and people's answers."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from triptych.portal.survey.rules import Validity
from triptych.prompts.template import PromptSpec
from triptych.records import Item, RunManifest

KIND = "survey"
Form = Literal["choice", "choices", "text", "transcript", "rating"]
FORMS: tuple[Form, ...] = ("choice", "choices", "text", "transcript", "rating")


class Settings(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Settings of a queue of a survey.

    manifest     of the Run that the answers become, with everything but the people
    prompts      the templates of its questions, by name, as the Conditions have changed them
    cells        cell -> the Instances of its questions
    seed         of everything that is drawn
    people       valid participants that each cell needs
    most_cells   cells that a person gets at most; 0 for no limit
    checks       attention checks of each person
    break_after  questions between two breaks; 0 for none
    may_decline  a person may state that they can't answer a question; its Response is `refused`
    patience_h   hours after which an unfinished participant's places are drawn again
    validity     when answers count
    practice     practice questions, which come first and don't count
    digest       of everything that people see: it must not change once somebody has begun
    questions    cell -> number of its questions; the portal fills it in
    """

    manifest: RunManifest
    prompts: dict[str, PromptSpec]
    cells: dict[str, list[str]]
    seed: int = 0
    people: int = 10
    most_cells: int = 0
    checks: int = 2
    break_after: int = 20
    may_decline: bool = False
    patience_h: float = 48.0
    validity: Validity = Validity()
    digest: str = ""
    questions: dict[str, int] = {}
    practice: int = 0


class Medium(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A media file of a question. `name`: the Part's `content_name`; `sha256`: of the bytes that a model would get."""

    name: str
    sha256: str
    type: str
    kind: str


class Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An attention check: choose a colour that the text names (`colour`), or count tones (`tones`)."""

    kind: Literal["colour", "tones"]
    answer: int


class Question(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The body of a task: an Item of the benchmark under the survey's Condition, or an attention check.

    prompt  the name of its template
    cell    the cell that it belongs to; empty for a check and for practice
    form    of the answer; `scale`: lowest and highest rating
    media   all files that are shown
    """

    item: Item | None = None
    prompt: str = ""
    cell: str = ""
    form: Form = "choice"
    scale: tuple[int, int] = (1, 5)
    media: tuple[Medium, ...] = ()
    check: Check | None = None


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question with its id (of the Item) and the digest of what it shows."""

    key: str
    shown: str
    question: Question


class Survey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that a portal needs, media aside."""

    settings: Settings
    tasks: list[Task]


class Answer(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The answer of one person to one question.

    picked    positions of the options chosen, as the person saw them, from 0
    order     the option at position n on the screen is `order[n]` of the Item
    text      what was written, or the rating
    declined  the person could not answer
    ms        milliseconds that the question was on the screen
    """

    picked: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    text: str = ""
    declined: bool = False
    ms: int = 0


class Answered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer with its submission's id, the id of its Item, and the time of receipt (milliseconds since 1970)."""

    id: str
    key: str
    answer: Answer
    at: int


class Participant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person who counts: pseudonym, cells, when they ended (milliseconds since 1970), and all their answers."""

    pseudonym: str
    cells: list[str]
    ended: int
    answers: list[Answered]


class Results(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a survey: its settings, the questions that were answered, and the people who count.

    left    number of people by why they don't count: `open`, and the reasons of those who are not valid
    withdrawn  pseudonyms of people who took part and left
    """

    settings: Settings
    tasks: list[Task]
    people: list[Participant]
    left: dict[str, int]
    withdrawn: list[str]


def parse_question(body: Any) -> Question:
    """Return the question in a task's body."""
    return msgspec.convert(body, Question)
