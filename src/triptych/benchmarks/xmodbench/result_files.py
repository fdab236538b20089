"""Read results in the authors' formats: their files, Tasks, and rows by position.

There are two kinds: a runner's file, one per subtask and direction, and a session of a person (see `sessions`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from triptych.benchmarks.spec import BenchmarkSpec
from triptych.benchmarks.xmodbench.names import RESULT_STEMS, split_task, task_of_result
from triptych.benchmarks.xmodbench.sessions import Session, SessionQuestion, by_task, read_session
from triptych.errors import DataError, TwoAnswersError
from triptych.records.repeated_keys import each_once, has_no_repeats
from triptych.records.unreadable import UNREADABLE, reason

Names = tuple[str, str, str]  # family, subtask, direction
_NAMED = 5  # files named in an error
_ORDER = {names: index for index, names in enumerate(dict.fromkeys(RESULT_STEMS.values()))}


class ResultRow(msgspec.Struct, frozen=True):
    """One answered (or unanswered) question of a results file."""

    question: str | list[str] | None = ""
    response: Any = None
    correct_answer: str | None = None
    reasoning: str | None = None
    original_response: Any = UNSET  # the reply before extraction, kept only by the newer runner

    @property
    def wording(self) -> str:
        """The question as one text."""
        return self.question or "" if isinstance(self.question, str | None) else "".join(self.question)

    @property
    def is_right(self) -> bool:
        """Whether the stored reply is the target's letter, ignoring spaces and case."""
        return str(self.response or "").strip().upper() == self.correct_answer


class ResultFile(msgspec.Struct, frozen=True):
    """A results file; `all_count` is the number that the authors' runner counted as answered."""

    results: dict[str, msgspec.Raw]
    score: float | None = None
    correct_count: int | None = None
    all_count: int | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file's rows of one Task, by position. `name`: the file, without `.json`."""

    name: str
    family: str
    subtask: str
    direction: str
    file: ResultFile
    rows: dict[int, ResultRow]
    length: int  # rows that the question file has at least; results may cover a part of it
    malformed: int = 0
    earlier: Mapping[int, ResultRow] = field(default_factory=dict)  # the first row of positions that occur twice

    @property
    def task(self) -> str:
        """The Task's id below the benchmark."""
        return f"{self.family}/{self.subtask}/{self.direction}"

    def id_of(self, index: int) -> str:
        """Return the Item's id for a position."""
        return f"{self.task}/{index}"

    @property
    def asked_for_reasons(self) -> bool:
        """Whether it is from the runner's `--reason`, another prompt that asks for an answer with its reason."""
        return self.name.endswith("_reason")

    @property
    def keeps_replies(self) -> bool:
        """Whether its rows have `original_response`, as those of the newer runner."""
        return any(row.original_response is not UNSET for row in self.rows.values())

    @property
    def unanswered_count(self) -> int:
        """Number of rows without a reply."""
        return sum(row.response is None for row in self.rows.values())

    @property
    def empty_replies(self) -> bool:
        """Whether missing replies are empty ones; the runner stores an empty reply as none but counts it."""
        counted = self.file.all_count
        return bool(self.unanswered_count) and counted == len(self.rows)


@dataclass(frozen=True, slots=True)
class Sheets:
    """The results that were read. `sessions`: number of sessions of people; `unread`: JSON files that name no Task."""

    sheets: list[Sheet]
    sessions: int
    unread: list[Path]


def read_sheets(spec: BenchmarkSpec, paths: Sequence[Path]) -> Sheets:
    """Return the results in files, or in a folder of them, in the benchmark's order.

    A file's Task is found by its name, with or without a suffix, otherwise by the `task_name` in it. Raises DataError
    if no file has results, if two have results of one Task, and for a folder of several systems.
    """
    files, sessions, unread = _sorted_out([file for path in paths for file in _json_files(path)])
    if not files and not sessions:
        _raise_no_results(paths, unread)
    if files and sessions:
        raise DataError(
            "the files contain both results of a model and sessions of people",
            where=next(iter(sessions)),
            got=next(iter(files.values()))[0].name,
            fix="give one or the other",
        )
    twice = [task for task, task_files in files.items() if len(task_files) > 1]
    if twice:
        raise DataError("two result files for one task", got=" and ".join(map(str, files[twice[0]])), fix="give one")
    sheets = [_sheet(files[task][0], task) for task in sorted(files, key=_ORDER.__getitem__)]
    return Sheets([*sheets, *_people(spec, sessions)], len(sessions), unread)


def _sorted_out(files: Iterable[Path]) -> tuple[dict[Names, list[Path]], dict[Path, Session], list[Path]]:
    """Return (Task -> its result files, the sessions, the JSON files that are neither)."""
    results: dict[Names, list[Path]] = {}
    sessions: dict[Path, Session] = {}
    unread: list[Path] = []
    for file in files:
        task = task_of_result(file.name.removesuffix(".json")) or _by_content(file)
        if isinstance(task, Session):
            sessions[file] = task
        elif task:
            results.setdefault(task, []).append(file)
        else:
            unread.append(file)
    return results, sessions, unread


def holds_results(file: Path) -> bool:
    """Return whether a file names a Task, by its name or content, or is a session of a person."""
    return file.suffix == ".json" and bool(task_of_result(file.stem) or _by_content(file))


class _Named(msgspec.Struct, frozen=True):
    task_name: str


def _by_content(file: Path) -> Names | Session | None:
    """Return the Task that a file names, or its session; None for anything else."""
    try:
        data = file.read_bytes()
        if session := read_session(data):
            return session
        name = msgspec.json.decode(data, type=_Named).task_name
    except (OSError, *UNREADABLE):
        return None
    return task_of_result(name.replace("/", "_").removesuffix(".json"))


def _raise_no_results(paths: Sequence[Path], unread: Sequence[Path]) -> None:
    archive = any(".tar" in path.suffixes or path.suffix in (".zip", ".tgz") for path in paths if path.is_file())
    names = ", ".join(path.name for path in unread[:_NAMED])
    raise DataError(
        "no result files here",
        where=", ".join(map(str, paths)),
        got=f"{len(unread):,} files that name no Task: {names}" if unread else None,
        expected="files called <family>_<subtask>_<from>_<to>.json, or sessions of people",
        fix="unpack the archive first" if archive else None,
    )


def _holds_results(folder: Path) -> bool:
    return any(holds_results(file) for file in folder.glob("*.json") if file.is_file())


def _json_files(path: Path) -> list[Path]:
    """Return the JSON files of a folder, or of the folder of a single system below it."""
    if path.is_file():
        return [path]
    systems = [folder for folder in sorted(path.glob("*/")) if _holds_results(folder)]
    if _holds_results(path) or not systems:
        return [file for file in sorted(path.glob("*.json")) if file.is_file()]
    if len(systems) > 1:
        raise DataError(
            "the files contain results of several systems",
            where=path,
            got=", ".join(s.name for s in systems),
            fix=f"give one of them, such as {systems[0]}",
        )
    return _json_files(systems[0])


def _sheet(path: Path, names: Names) -> Sheet:
    try:
        data = path.read_bytes()
        file = msgspec.json.decode(data, type=ResultFile)
    except (OSError, *UNREADABLE) as error:
        expected = 'a JSON object with "results": {index: {…}}'
        raise DataError("a results file can't be read", where=path, got=reason(error), expected=expected) from None
    rows = dict(_rows(file.results.items()))
    malformed = len(file.results) - len(rows)
    earlier = _earlier_rows(data, path)  # a decoder silently keeps the last of two values of a key
    return Sheet(path.stem, *names, file, rows, max(rows, default=-1) + 1, malformed, earlier)


def _earlier_rows(data: bytes, path: Path) -> dict[int, ResultRow]:
    """Return the first rows of positions that occur more than once in a results file.

    Raises DataError for any other key that an object has twice, such as two replies in one row.
    """
    if has_no_repeats(data):
        return {}
    rows_by_number: dict[int, ResultRow] = {}

    def watched(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) == len(pairs):
            return made
        twice = {key for key, n in Counter(key for key, _ in pairs).items() if n > 1 and key.isdecimal()}
        for position, row in _rows((key, msgspec.json.encode(value)) for key, value in pairs if key in twice):
            rows_by_number.setdefault(position, row)
        return each_once([(key, value) for key, value in pairs if not key.isdecimal()]) | made

    try:
        json.loads(data, object_pairs_hook=watched)
    except msgspec.DecodeError as error:
        raise DataError(
            "a results file is ambiguous", where=path, got=str(error), fix="keep one of the values"
        ) from None
    except (ValueError, RecursionError):
        return {}
    return rows_by_number


_ROW = msgspec.json.Decoder(ResultRow)


def _rows(pairs: Iterable[tuple[str, Any]]) -> Iterator[tuple[int, ResultRow]]:
    """Yield the rows by position; invalid rows, and those without a position, are left out (the caller counts them)."""
    for key, raw in pairs:
        try:
            row = _ROW.decode(raw)
        except UNREADABLE:
            continue
        if key.isdecimal():
            yield int(key), row


def _people(spec: BenchmarkSpec, sessions: Mapping[Path, Session]) -> Iterator[Sheet]:
    """Yield a sheet for each Task with answers of people, all sessions together."""
    together: dict[str, dict[int, tuple[Path, SessionQuestion]]] = {}
    for path, session in sessions.items():
        for task, answers in by_task(session, path, spec):
            answers_of_task = together.setdefault(task, {})
            if twice := sorted(answers_of_task.keys() & answers.keys()):
                both = f"{answers_of_task[twice[0]][0]} and {path}"
                what = f"{task}/{twice[0]}"
                raise TwoAnswersError("two people answered one question", got=what, where=both, fix="score them apart")
            answers_of_task |= {
                position: (path, answer_of_position) for position, answer_of_position in answers.items()
            }
    for task, all_sessions in together.items():
        rows = {at: ResultRow(a.question_text, a.user_answer, a.correct_answer) for at, (_, a) in all_sessions.items()}
        yield Sheet("sessions of people", *split_task(task), ResultFile({}), rows, max(rows) + 1)
