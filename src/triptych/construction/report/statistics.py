"""Statistics of a build's records, as in papers: counts, lengths, kinds, and positions of the answers."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from statistics import fmean, median
from typing import Any

import msgspec

from triptych.construction.engine.engine import apply_outcome
from triptych.construction.engine.folder import MATERIAL, BuildFolder, DecisionLine
from triptych.construction.engine.media import VALUE, MediaStore
from triptych.construction.record import Record
from triptych.errors import DataError, TriptychError
from triptych.media.lengths import media_seconds
from triptych.media.payload import KIND_OF
from triptych.store.spooled import Spooled

# Fields by which papers count their questions, with their names in headings
FACETS = {
    "category": "category",
    "genre": "genre",
    "dynasty": "dynasty",
    "type": "type",
    "origin": "origin",
    "format": "format",
    "gender": "gender of the reader",
    "language": "language",
    "split": "split",
}
TASK_FIELDS = ("task", "element")
MAX_KINDS = 40  # a field with more values doesn't divide records into kinds


class Spread(msgspec.Struct, frozen=True):
    """Count, least, mean, median, greatest and sum of some figures."""

    n: int
    minimum: float
    mean: float
    median: float
    maximum: float
    total: float


class TaskStatistics(msgspec.Struct, frozen=True):
    """The records of one task: their number, sources, different media, and text lengths.

    `question`, `answer`: lengths in characters. `seconds`: of the different recordings and videos. `options`, `right`:
    mean numbers of options and correct options; None without options.
    """

    task: str
    records: int
    sources: int
    media: dict[str, int]
    question: Spread | None = None
    answer: Spread | None = None
    seconds: Spread | None = None
    options: float | None = None
    right: float | None = None


class BuildStatistics(msgspec.Struct, frozen=True):
    """All statistics of a build.

    facets     field -> task -> value -> number of records
    positions  number of options -> how often each position is correct
    seconds    the length of each different recording or video; tasks may share them
    """

    tasks: tuple[TaskStatistics, ...]
    facets: dict[str, dict[str, dict[str, int]]]
    positions: dict[int, list[int]]
    seconds: list[float]

    @property
    def records(self) -> int:
        """The records of all tasks."""
        return sum(task.records for task in self.tasks)


def records_of(folder: BuildFolder) -> Sequence[Record]:
    """The records that came through every stage of the last build, with their fields, which are read again in each
    pass. Raises DataError."""
    material = (line for line in folder.lines(MATERIAL) if line.outcome.decision == "kept")
    records: Iterator[Record] = (Record(line.id, dict(line.outcome.fields), line.outcome.sources) for line in material)
    for stage in folder.stages()[1:]:
        records = _follow_stage(stage, records, folder.lines(stage))
    return Spooled(records)


def _follow_stage(stage: str, records: Iterable[Record], lines: Iterable[DecisionLine]) -> Iterator[Record]:
    """Yield the records that go on after a stage. All stages are followed at once, so none is ever in memory whole."""
    for record, line in zip_longest(records, lines):
        if record is None or line is None or record.id != line.id:
            raise DataError(
                "the records of a stage differ from those that the stage before passed on",
                where=stage,
                fix="run `triptych build` again, which writes the file again",
            )
        yield from apply_outcome(record, line.outcome)


def statistics(records: Iterable[Record], root: Path) -> BuildStatistics:
    """Compute the statistics of finished records; `root` is the build folder, in which their media are."""
    by_task: dict[str, _TaskCounts] = {}
    positions: dict[int, list[int]] = {}
    timed: dict[str, None] = {}
    for record in records:
        task = task_of(record)
        by_task.setdefault(task, _TaskCounts()).add(record)
        _count_positions(record, positions)
        timed |= dict.fromkeys(_timed_media(record))
    lengths = _Lengths(root)
    tasks = tuple(
        counts.statistics(task, list(lengths.media_lengths(counts.timed))) for task, counts in by_task.items()
    )
    return BuildStatistics(tasks, _facets(by_task), dict(sorted(positions.items())), list(lengths.media_lengths(timed)))


def task_of(record: Record) -> str:
    """The task that a record belongs to; `all` in a benchmark without tasks."""
    return next((str(record.fields[name]) for name in TASK_FIELDS if record.fields.get(name)), "all")


def question_and_answer(fields: Mapping[str, Any]) -> tuple[str, str]:
    """The question and the answer of a record's fields; empty texts if it has none.

    Records about talks have both in `target`, in their language; `question_simplified` is a question in its task's
    standard words.
    """
    if fields.get("element") == "question" and isinstance(fields.get("target"), list):
        question, answer = (*fields["target"], "", "")[:2]
        return str(question), str(answer)
    question, answer = fields.get("question_simplified") or fields.get("question"), fields.get("answer")
    return question if isinstance(question, str) else "", answer if isinstance(answer, str) else ""


def shown_media(fields: Mapping[str, Any]) -> list[str]:
    """The media that a record is about: those of its top fields, and of a talk its clip alone if it has one."""
    media = {name: value for name, value in fields.items() if isinstance(value, str) and kind_of(value)}
    clips = {name.removeprefix("clip_") for name in media if name.startswith("clip_")}
    return list(dict.fromkeys(value for name, value in media.items() if name not in clips))


def spread(values: Iterable[float]) -> Spread | None:
    """The spread of some figures; None without any."""
    ordered = sorted(values)
    if not ordered:
        return None
    return Spread(len(ordered), ordered[0], fmean(ordered), median(ordered), ordered[-1], sum(ordered))


def kind_of(value: str) -> str:
    """`audio`, `image` or `video` of a media value; empty for other files."""
    match = VALUE.fullmatch(value)
    return KIND_OF.get(f".{match[3]}", "") if match else ""


class _Lengths:
    """The lengths of recordings and videos; each file is measured once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lengths: dict[str, float | None] = {}

    def media_lengths(self, values: Iterable[str]) -> Iterator[float]:
        """Yield the seconds of different recordings and videos that can be measured."""
        for value in values:
            if value not in self._lengths:
                self._lengths[value] = self._measure_length(value)
            if (value_ := self._lengths[value]) is not None:
                yield value_

    def _measure_length(self, value: str) -> float | None:
        try:
            return media_seconds(MediaStore(self._root).path(value))
        except (TriptychError, OSError):
            return None


def _timed_media(record: Record) -> list[str]:
    """Return the recordings in a record's top fields; if there are none, its videos."""
    media = shown_media(record.fields)
    recordings = [value for value in media if kind_of(value) == "audio"]
    return recordings or [value for value in media if kind_of(value) == "video"]


class _TaskCounts:
    """Counts for the statistics of a task, whose records are added one after the other.

    timed   the different recordings of the records; of a record without any, its videos
    facets  field -> value -> number of records
    """

    def __init__(self) -> None:
        self.timed: dict[str, None] = {}
        self.facets: dict[str, Counter[str]] = {name: Counter() for name in FACETS}
        self._records = 0
        self._sources: set[str] = set()
        self._media: set[str] = set()
        self._questions, self._answers = array("Q"), array("Q")  # lengths
        self._options, self._right = array("Q"), array("Q")  # numbers

    def add(self, record: Record) -> None:
        """Count a record."""
        fields = record.fields
        self._records += 1
        self._sources.update(record.sources)
        self._media.update(shown_media(fields))
        self.timed |= dict.fromkeys(_timed_media(record))
        for text, lengths in zip(question_and_answer(fields), (self._questions, self._answers), strict=True):
            if text:
                lengths.append(len(text))
        if fields.get("options") and fields.get("answers") is not None:
            self._options.append(len(fields["options"]))
            self._right.append(len(fields["answers"]))
        for name, values in self.facets.items():
            if fields.get(name) not in (None, ""):
                values[str(fields[name])] += 1

    def statistics(self, task: str, seconds: Sequence[float]) -> TaskStatistics:
        """Return the statistics of the records so far; `seconds`: the lengths of `timed`."""
        media = Counter(map(kind_of, self._media))
        return TaskStatistics(
            task,
            self._records,
            len(self._sources),
            {kind: n for kind, n in sorted(media.items()) if kind},
            spread(self._questions),
            spread(self._answers),
            spread(seconds),
            fmean(self._options) if self._options else None,
            fmean(self._right) if self._right else None,
        )


def _facets(by_task: Mapping[str, _TaskCounts]) -> dict[str, dict[str, dict[str, int]]]:
    """Return the fields that divide records into kinds, counted by task, without fields with a single value."""
    counts_by_facet: dict[str, dict[str, dict[str, int]]] = {}
    for name in FACETS:
        counts = {task: each.facets[name] for task, each in by_task.items()}
        values = {value for count_group in counts.values() for value in count_group}
        if 1 < len(values) <= MAX_KINDS:
            counts_by_facet[name] = {task: dict(count.most_common()) for task, count in counts.items() if count}
    return counts_by_facet


def _count_positions(record: Record, counts: dict[int, list[int]]) -> None:
    options, answers = record.fields.get("options"), record.fields.get("answers")
    if isinstance(options, list) and isinstance(answers, list):
        held = counts.setdefault(len(options), [0] * len(options))
        for answer in answers:
            if isinstance(answer, int) and 0 <= answer < len(held):
                held[answer] += 1


def as_json(statistics_: BuildStatistics) -> dict[str, Any]:
    """Return the statistics as JSON types, without the length of each file."""
    document: dict[str, Any] = msgspec.to_builtins(statistics_, str_keys=True)
    del document["seconds"]
    return document
