"""Replies that people have rated, read from a file for the calibration of a judge.

A row is one reply: `id`, the text of the rubric's slots (`question`, `reference`, `reply` …), `human` (a score, or one
score per rater: `[4, 5]`, or `4;5` in a cell), and `system` if the file has replies of several models.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec

from triptych.benchmarks._questions.cells import parse_cell, words
from triptych.benchmarks.tables import read_table
from triptych.errors import DataError
from triptych.judges.calibration import Rating, Scale
from triptych.judges.rubric import Rubric


def load_ratings(path: Path, rubric: Rubric, human_scale: Scale | None = None) -> list[Rating]:
    """Return the rated replies of a file. Raises DataError, with the row, for a reply that can't be used."""
    ratings: dict[tuple[str, str], Rating] = {}
    spreadsheet = path.suffix.lower() == ".xlsx"
    for where, row in read_table(path, "ratings"):
        cells = {name: _text(value) for name, value in row.items()} if spreadsheet else row
        rating = _rating(cells, where, rubric, human_scale or rubric.scale)
        if (rating.system, rating.id) in ratings:
            raise DataError("a reply is rated twice", where=where, got=f"{rating.id} {rating.system}".strip())
        ratings[rating.system, rating.id] = rating
    return list(ratings.values())


def _text(value: Any) -> str:
    """Return a spreadsheet's cell as text: programs turn texts such as `12` into numbers."""
    return "" if value is None else words(value)


def _rating(row: Mapping[str, Any], where: str, rubric: Rubric, scale: Scale) -> Rating:
    try:
        people = tuple(_scores(row.get("human")))
        texts = {key: msgspec.convert(value, str) for key, value in row.items() if key != "human"}
    except (ValueError, msgspec.ValidationError) as error:
        expected = "texts, and in `human` a score, or a score per rater: [4, 5], or 4;5 in a cell"
        raise DataError("a rating can't be read", where=where, got=str(error), expected=expected) from None
    missing = sorted(({"id"} | rubric.slots) - texts.keys() - rubric.optional.keys())
    if missing:
        raise DataError(f"a rating lacks {missing[0]!r}", where=where, got=", ".join(texts))
    for value in people:
        if value is not None and not (isfinite(value) and scale[0] <= value <= scale[1]):
            fix = "give the people's scale: --human-scale LOW,HIGH"
            raise DataError("a score is outside the scale", where=where, got=value, expected=scale, fix=fix)
    slots = {key: text for key, text in texts.items() if key in rubric.slots}
    return Rating(texts["id"], slots, people, texts.get("system", ""))


def _scores(cell: Any) -> list[float | None]:
    """Return one score per rater, None for a rater who gave none."""
    value = parse_cell(cell)
    if isinstance(value, str):
        return [float(score) if score.strip() else None for score in value.split(";")]
    scores = msgspec.convert(value, float | list[float | None] | None)
    return scores if isinstance(scores, list) else [scores]
