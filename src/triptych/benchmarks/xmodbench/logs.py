"""lmms-eval's sample logs of its tasks `xmod_bench_…`: each row's own question.

`doc_id` is the row's line in `data/<combination>.jsonl` or `data_lite/<direction>.jsonl`. Without these files the order
is known from their rules: sorted by subtask and original index, and for Lite the stored list. The subtask, family and
direction that each row names must agree with it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import structs

from triptych.benchmarks.spec import BenchmarkSpec
from triptych.benchmarks.xmodbench import lite, unified
from triptych.benchmarks.xmodbench.names import (
    COMBINATIONS,
    CONFIG_OF,
    CONFIGS,
    FAMILY_OF,
    INSTRUMENTS_GAP,
    LETTERS,
    RELEASED_FOLDER,
    SUBTASKS,
    VIDEO,
    direction_label,
    instance_of,
    subtask_of,
)
from triptych.benchmarks.xmodbench.unified import FULL, LITE, UnifiedFiles
from triptych.errors import DataError
from triptych.records import Item, text
from triptych.records.log_rows import LocatedLog, LogRow

SCORE = "xmod_bench_score"
PREFIX, LITE_PREFIX = "xmod_bench_", "xmod_bench_lite_"
# build_data.py: rows of a file before the cut to these, chosen with this seed
_CAPPED = {"finegrained": (4000, 1000), "general": (2000, 1000)}
_SEED = 42
_SIZES = {
    "natures": 500,
    "instruments": 1000,
    "instruments_comp": 500,
    "arrangements": 465,
    "3D_movements": 441,
    "panaroma": 390,
    "order": 500,
    "count": 500,
    "calculation": 500,
    "recognition": 672,
    "translation": 702,
    "emotion_classification": 700,
    "music_genre_classification": 1000,
    "movie_matching": 200,
    "singer_identification": 150,
}


def claims(harness: str, task: str) -> bool:
    """Return whether a task of a harness is of XModBench."""
    return harness == "lmms-eval" and _file_of(task) is not None


def locate(spec: BenchmarkSpec, rows: Sequence[LogRow], data: Path | None) -> LocatedLog:
    """Return the rows' Items. With `data`, they have the questions of its files; otherwise the log's own text.

    Rows of a task whose order isn't the known one, and rows with another correct answer than the data, get ids of their
    own, and a note says so. Raises DataError if the data folder isn't of the release of 2026-06.
    """
    by_task: dict[str, list[int]] = {}
    for index, row in enumerate(rows):
        by_task.setdefault(row.task, []).append(index)
    items_by_row: dict[int, Item] = {}
    notes: list[str] = []
    for task, places in by_task.items():
        finder = _Finder(task, _lines(task, data), with_data=data is not None)
        items_by_row |= dict(zip(places, finder.items([rows[n] for n in places], notes), strict=True))
    every_lite = all(task.startswith(LITE_PREFIX) for task in by_task)
    return LocatedLog(
        items=[items_by_row[number] for number in range(len(rows))],
        scores=[_scores(row) for row in rows],
        percent=frozenset((SCORE,)),
        version="2026-06",
        sample=spec.sample_name("lite") if every_lite else "",
        prompt="lmms-eval",
        planned=sum(len(_lines(task, data)) for task in by_task),
        notes=tuple(notes),
    )


def _file_of(task: str) -> str | None:
    name = task.removeprefix(LITE_PREFIX) if task.startswith(LITE_PREFIX) else task.removeprefix(PREFIX)
    configurations = CONFIGS if task.startswith(LITE_PREFIX) else COMBINATIONS if task.startswith(PREFIX) else ()
    return name if name in configurations else None


def _scores(row: LogRow) -> Mapping[str, float]:
    stored = row.facts.get(SCORE)
    correct = stored.get("correct") if isinstance(stored, dict) else None
    return {SCORE: float(correct)} if isinstance(correct, bool | int | float) else {}


LogLine = tuple[str, str, str, Callable[[], Item] | None]  # subtask, content direction, number; the data's Item


def _lines(task: str, data: Path | None) -> Mapping[int, LogLine]:
    """Return line -> the question there, of the file that a task reads."""
    name = _file_of(task)
    assert name
    if data is None:
        return _log_lines(name)
    kind = LITE if task.startswith(LITE_PREFIX) else FULL
    files = UnifiedFiles.find(data, (kind,))
    if files is None or name not in files.names:
        raise DataError(
            f"the data folder has no {kind}/{name}.jsonl, which the log is of",
            where=data,
            fix=f"name a folder with {kind}/ of the release of 2026-06, or leave out --data",
        )
    return {placed.line: _from_data(placed) for placed in files.rows(name, lambda problem: None)}


def _from_data(placed: unified.NumberedRow) -> LogLine:
    return placed.subtask, placed.direction, placed.number, lambda: next(unified.items([placed], {}))


@cache
def _log_lines(name: str) -> Mapping[int, LogLine]:
    if name in CONFIGS:
        rows = [(subtask, CONFIGS[name], index) for subtask, index in lite.load_index()[name]]
    else:
        direction = name.replace("image", "vision").replace("video", "vision")
        rows = [(subtask, direction, index) for subtask in _subtasks(name) for index in _indices(subtask)]
    return {line: (*row[:2], _number(*row), None) for line, row in enumerate(rows)}


def _subtasks(name: str) -> Iterator[str]:
    """Yield the subtasks of a file in its order: by their released names."""
    folders = sorted((f"{RELEASED_FOLDER[s]}/{'general_activities' if s == 'general' else s}", s) for _, s in SUBTASKS)
    for _, subtask in folders:
        if not {"image", "video"} & set(name.split("_")) or ("video" in name) == (subtask in VIDEO):
            yield subtask


def _indices(subtask: str) -> Sequence[int]:
    if subtask in _CAPPED:
        rows, indices = _CAPPED[subtask]
        return sorted(random.Random(_SEED).sample(range(rows), indices))
    return range(_SIZES[subtask])


def _number(subtask: str, direction: str, index: int) -> str:
    if subtask == "instruments" and direction == "audio_text" and index >= INSTRUMENTS_GAP:
        return f"{index}-2026" if index == INSTRUMENTS_GAP else str(index - 1)
    return str(index)


class _Finder:
    """The Items of one task's rows."""

    def __init__(self, task: str, lines: Mapping[int, LogLine], *, with_data: bool) -> None:
        self._task, self._lines, self._with_data = task, lines, with_data

    def items(self, rows: Sequence[LogRow], notes: list[str]) -> Iterator[Item]:
        """Yield the Items, and add notes on rows that are missing, or that can't be found."""
        strange = [row.id for row in rows if not self._agrees(row)]
        if strange:
            notes.append(
                f"{self._task}: {len(strange):,} of {len(rows):,} rows (the first is doc_id {strange[0]}) don't have "
                "the subtask and direction of that line of the known order, so no row is taken for a question of the "
                "benchmark" + ("" if self._with_data else ": name the data that was asked with --data")
            )
        elif missing := sorted(set(self._lines) - {int(row.id) for row in rows}):
            first = ", ".join(map(str, missing[:3]))
            notes.append(
                f"{self._task}: {len(missing):,} of {len(self._lines):,} rows are not in the log (doc_id {first}"
                f"{' …' if len(missing) > 3 else ''})"
            )
        other: list[str] = []
        items = [self._unknown_item(row) if strange else self._item(row) for row in rows]
        unlike = [] if strange else [row.id for row, item in zip(rows, items, strict=True) if not _has_texts(row, item)]
        left_out = set(unlike) if len(unlike) <= len(rows) / 2 else set()  # if most differ, another prompt was asked
        for row, item in zip(rows, items, strict=True):
            if not strange and str(row.target).strip().upper() != item.target:
                other.append(row.id)
                yield self._unknown_item(row)
            else:
                yield self._unknown_item(row) if row.id in left_out else item
        if unlike:
            notes.append(
                f"{self._task}: {len(unlike):,} of {len(rows):,} rows (the first is doc_id {unlike[0]}): the input "
                "doesn't contain the texts of that line's question and options"
                + ("; not taken for its questions" if left_out else "; another prompt, or other questions")
            )
        if other:
            notes.append(
                f"{self._task}: {len(other):,} of {len(rows):,} rows (the first is doc_id {other[0]}): another correct "
                "answer than in the data; not taken for its questions"
            )

    def _agrees(self, row: LogRow) -> bool:
        """Return whether a row's subtask and direction, as far as it tells them, are those of its line."""
        line = self._lines.get(int(row.id)) if row.id.isdecimal() else None
        if line is None:
            return False
        stored = row.facts.get(SCORE)
        stored = stored if isinstance(stored, dict) else {}
        subtask, config = stored.get("subtask"), stored.get("config")
        family = stored.get("family") in (None, lite.lite_family(line[0]))
        return family and (subtask is None or _subtask(subtask) == line[0]) and config in (None, CONFIG_OF[line[1]])

    def _item(self, row: LogRow) -> Item:
        subtask, direction, number, from_data = self._lines[int(row.id)]
        if from_data is not None:
            item = from_data()
            return structs.replace(item, facets={**item.facets, "log_task": self._task})
        label, family = direction_label(subtask, direction), FAMILY_OF[subtask]
        facets = {"family": family, "subtask": subtask, "direction": label, "content_direction": direction}
        plain = number.isdecimal()
        instance = instance_of(subtask, label, int(number), 0) if plain else f"{family}/{subtask}/{INSTRUMENTS_GAP}"
        return _item_of_row(row, f"{family}/{subtask}/{label}", number, instance, facets)

    def _unknown_item(self, row: LogRow) -> Item:
        """Return an Item of an unknown question: its Task is what the row tells, its id is the log's."""
        stored = row.facts.get(SCORE)
        stored = stored if isinstance(stored, dict) else {}
        subtask = _subtask(stored.get("subtask")) or self._lines[min(self._lines)][0]
        direction = CONFIGS.get(str(stored.get("config")), self._lines[min(self._lines)][1])
        task, number = f"{FAMILY_OF[subtask]}/{subtask}/{direction_label(subtask, direction)}", f"{self._task}-{row.id}"
        facets = {
            "family": FAMILY_OF[subtask],
            "subtask": subtask,
            "direction": direction_label(subtask, direction),
            "content_direction": direction,
        }
        return _item_of_row(row, task, number, f"{FAMILY_OF[subtask]}/{subtask}/{number}", facets)


def _has_texts(row: LogRow, item: Item) -> bool:
    """Return whether a row's input, if it is in the log, contains the texts of the question, with each option's text
    or medium after its letter (`doc_to_text` of lmms-eval)."""
    if not row.question:
        return True
    question_text = " ".join(row.question.split())
    options = [
        f"{letter}. {part.text}" if part.kind == "text" else f"{letter}:"
        for letter, parts in zip(item.labels, item.options, strict=False)
        for part in parts
    ]
    texts = [part.text for part in item.parts if part.kind == "text"] + options
    return all(" ".join(each.split()) in question_text for each in texts)


def _subtask(subtask: Any) -> str:
    """Return the subtask of lmms-eval's name for it."""
    name = str(subtask or "")
    return "general" if name == "general_activities" else name if name in FAMILY_OF else subtask_of(name) or ""


def _item_of_row(row: LogRow, task: str, number: str, instance: str, facets: dict[str, str]) -> Item:
    return Item(
        id=f"{task}/{number}",
        task=f"xmodbench/{task}",
        parts=(text(row.question, "question"),) if row.question else (),
        labels=LETTERS,
        answer="letter",
        target=row.target.strip().upper() or None,
        instance=instance,
        facets={**facets, "log_task": row.task},
    )
