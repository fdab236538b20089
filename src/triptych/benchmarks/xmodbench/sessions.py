"""Sessions of people, as stored by the authors' survey page: one JSON file with a person's answers to a subtask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from triptych.benchmarks.spec import BenchmarkSpec
from triptych.errors import DataError
from triptych.records.repeated_keys import refuse_repeated_keys
from triptych.records.unreadable import UNREADABLE


class SessionQuestion(msgspec.Struct, frozen=True):
    """One question of a session. `question_id` ends in the position in the question file `source_file`."""

    source_file: str
    question_id: str
    user_answer: str | None = None
    correct_answer: str | None = None
    question_text: str = ""

    @property
    def position(self) -> int | None:
        """The position in the question file; None if the id does not end in one."""
        last = self.question_id.rpartition("_")[2]
        return int(last) if last.isdecimal() else None


class SessionScore(msgspec.Struct, frozen=True):
    """The counts of the survey page."""

    correct: int
    total: int


class Session(msgspec.Struct, frozen=True):
    """One session of one person."""

    session_id: str
    questions: list[SessionQuestion]
    score: SessionScore | None = None


def read_session(data: bytes) -> Session | None:
    """Return the session in a file; None if the file has something else. Raises DataError for a repeated key."""
    if b'"session_id"' not in data:
        return None
    try:
        session = msgspec.json.decode(data, type=Session)
    except UNREADABLE:
        return None
    try:
        refuse_repeated_keys(data)
    except msgspec.DecodeError as error:
        got = f"session {session.session_id[:80]}: {error}"
        raise DataError("a session of a person is ambiguous", got=got, fix="keep one of the values") from None
    return session


def by_task(session: Session, path: Path, spec: BenchmarkSpec) -> Iterator[tuple[str, dict[int, SessionQuestion]]]:
    """Yield (Task below the benchmark, its questions by position), in the session's order.

    Raises DataError for a question of an unknown file or without a position, and for a repeated one.
    """
    files = {_released(task.files[0]): task.id for task in spec.tasks if len(task.files) == 1}
    questions_by_task: dict[str, dict[int, SessionQuestion]] = {}
    for question in session.questions:
        task, position = files.get(_released(question.source_file)), question.position
        if task is None or position is None:
            raise DataError(
                "a session has an unknown question",
                where=path,
                got=f"{question.question_id} of {question.source_file}",
                expected="a released question file, and an id that ends in a position",
            )
        if position in questions_by_task.setdefault(task, {}):
            raise DataError("a session has two answers to one question", where=path, got=question.question_id)
        questions_by_task[task][position] = question
    yield from questions_by_task.items()


def _released(path: str) -> str:
    """Return a question file by folder and name, wherever `tasks/` is."""
    return "/".join(path.replace("\\", "/").split("/")[-2:])
