"""People's (or anybody's) ratings of a Run's replies, from a file: raters for agreement, in addition to judges and
metrics."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite, nan
from pathlib import Path

from triptych.benchmarks._questions.cells import words
from triptych.benchmarks.tables import read_table
from triptych.errors import DataError


class RatingsFile(dict[str, dict[str, float]]):
    """Ratings: rater -> Item or Unit id -> value.

    repeats  rater -> Item or Unit id -> the repeat of the Run that is the rater's own answer, if the file says so
    """

    def __init__(self) -> None:
        super().__init__()
        self.repeats: dict[str, dict[str, int]] = {}


EXPECTED = "columns item, value and, for several people, rater"
ALONE = "people"  # what the rater is called where the file names none


def read_ratings(path: Path) -> RatingsFile:
    """Return the ratings of a table, such as CSV, XLSX or JSONL: `item`, `value`, and `rater` if there are several.

    A rater's second rating of an Item is refused, since one of them would be dropped. Values are numbers on any scale:
    correlations don't mind, ICC and alpha ask that all raters use one. A column `repeat`, as in the ratings of a
    survey, says which answer of the Run is the rater's own. Raises DataError with file and row.
    """
    ratings_file = RatingsFile()
    for where, row in read_table(path, "ratings"):
        if missing := {"item", "value"} - row.keys():
            got = ", ".join(row) or "nothing"
            raise DataError(f"the column {min(missing)!r} is missing", where=where, expected=EXPECTED, got=got)
        item, rater = _cell(row, "item"), _cell(row, "rater") or ALONE
        if not item:
            raise DataError("a rating has no item", where=where, expected=EXPECTED)
        if item in ratings_file.get(rater, {}):
            raise DataError(f"{rater} rates {item} twice", where=where, fix="keep one of the two")
        ratings_file.setdefault(rater, {})[item] = _number(row.get("value"), where)
        if repeat := _cell(row, "repeat"):
            ratings_file.repeats.setdefault(rater, {})[item] = _repeat(repeat, where)
    return ratings_file


def _cell(row: Mapping[str, object], name: str) -> str:
    value = row.get(name)
    return "" if value is None else words(value)


def _repeat(value: str, where: str) -> int:
    if not (value.isascii() and value.isdecimal() and len(value) < 10):
        raise DataError("a repeat is not a whole number", where=where, got=value[:80], expected="0, 1, 2 …")
    return int(value)


def _number(value: object, where: str) -> float:
    try:
        number = float(str(value))  # by its text: an integer too great for a float is then infinite, no OverflowError
    except ValueError:
        number = nan
    if not isfinite(number):
        raise DataError("a rating is not a number", where=where, got=repr(value))
    return number
