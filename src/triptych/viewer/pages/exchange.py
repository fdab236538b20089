"""Verdicts of judges on an answer, and the numbers of the media shown to them and to the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from triptych.errors import TriptychError
from triptych.judges.panel import load_panel
from triptych.judges.parsers import ReadVerdict, read_verdict
from triptych.judges.rubric import Rubric, known_rubrics, load_rubric
from triptych.records import Item, Part, Response
from triptych.store.folder import RunFolder
from triptych.viewer.index.query import Row


def part_numbers(item: Item) -> dict[Part, int]:
    """Return media Part -> its number among the Item's, which addresses of media contain."""
    return {part: number for number, part in enumerate(item.all_parts) if part.is_media}


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """One reply of a judge: judge, rubric, order, evaluation, text, and the verdict parsed from it."""

    judge: str
    rubric: str
    order: str
    evaluation: int
    attempt: int
    status: str
    text: str
    marks: tuple[float, ...]
    parsed: str
    problem: str


def judge_replies(folder: RunFolder, rows: Sequence[Row]) -> list[JudgeReply]:
    """Return the replies of judges on one Unit, parsed by their rubrics if these are known here."""
    readers = _rubrics(folder) if rows else {}
    return [_judge_reply(row["judge"], msgspec.json.decode(row["json"], type=Response), readers) for row in rows]


def _judge_reply(journal: str, response: Response, readers: dict[str, tuple[str, Rubric]]) -> JudgeReply:
    judge, rubric = readers.get(journal, (journal, None))
    reading = read_verdict(response.text, rubric) if rubric is not None else None
    order = response.condition.partition("/")[0]
    return JudgeReply(
        judge=judge,
        rubric=rubric.name if rubric else "",
        order=order,
        evaluation=response.repeat // 2,
        attempt=response.repeat % 2,
        status=response.status,
        text=response.text,
        marks=reading.values if reading else (),
        parsed=_marks(reading, rubric, order) if reading and rubric else "",
        problem=response.error.message if response.error else "",
    )


def _marks(reading: ReadVerdict, rubric: Rubric, order: str) -> str:
    """Return the verdict in a few words: its label, or each score with what it is for (a swapped judge saw the answers
    swapped)."""
    if reading.label:
        return reading.label
    names = rubric.positions[::-1] if order == "swapped" else rubric.positions
    marks = [f"{mark:g}" for mark in reading.values]
    return ", ".join(f"{n} {m}" for n, m in zip(names, marks, strict=True)) if names else ", ".join(marks)


def _rubrics(folder: RunFolder) -> dict[str, tuple[str, Rubric]]:
    """Return journal -> (judge, rubric), as recorded by the panel."""
    try:
        panel = load_panel(folder.verdicts_path)
    except TriptychError:
        return {}
    rubrics = [*map(load_rubric, known_rubrics()), *(panel.rubrics.values() if panel else ())]
    return {j.signature(r): (j.model, r) for j in (panel.judges if panel else ()) for r in rubrics}
