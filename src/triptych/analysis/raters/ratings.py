"""People's (or anybody's) ratings of a Run's replies, from a file: raters for agreement, in addition to judges and
metrics."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from math import isfinite, nan
from pathlib import Path

import msgspec

from triptych.errors import DataError
from triptych.records.repeated_keys import each_once
from triptych.records.separators import separator_of
from triptych.records.unreadable import reason
from triptych.store.files.text_files import read_given


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
    """A CSV file with a heading line, or JSON lines (`.jsonl`): `item`, `value`, and `rater` where there are several.

    A rater's second rating of an Item is refused, since one of them would be dropped. Values are numbers on any scale:
    correlations don't mind, ICC and alpha ask that all raters use one. A column `repeat`, as in the ratings of a
    survey, says which answer of the Run is the rater's own. Raises DataError with file and line.
    """
    ratings_file = RatingsFile()
    for where, row in _rows(path):
        item, rater = str(row.get("item") or "").strip(), str(row.get("rater") or "").strip() or ALONE
        if not item:
            raise DataError("a rating has no item", where=where, expected=EXPECTED)
        if item in ratings_file.get(rater, {}):
            raise DataError(f"{rater} rates {item} twice", where=where, fix="keep one of the two")
        ratings_file.setdefault(rater, {})[item] = _number(row.get("value"), where)
        if (repeat := str(row.get("repeat", "") or "").strip()) or row.get("repeat") == 0:
            ratings_file.repeats.setdefault(rater, {})[item] = _repeat(repeat or "0", where)
    if not ratings_file:
        raise DataError("the file contains no ratings", where=path, expected=EXPECTED)
    return ratings_file


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    try:
        with io.StringIO(read_given(path), newline="") as file:
            if path.suffix != ".jsonl":
                separator = separator_of(file.readline())
                file.seek(0)
                reader = csv.DictReader(file, delimiter=separator)
                if missing := {"item", "value"} - set(reader.fieldnames or ()):
                    got = ", ".join(reader.fieldnames or ()) or "nothing"
                    raise DataError(f"the column {min(missing)!r} is missing", where=path, expected=EXPECTED, got=got)
                yield from ((f"{path}:{reader.line_num}", row) for row in reader)
                return
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield f"{path}:{number}", _object(line, f"{path}:{number}")
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError("the ratings can't be read", where=path, got=str(error)) from None


def _object(line: str, where: str) -> Mapping[str, object]:
    try:
        row = json.loads(line, object_pairs_hook=each_once)
    except (ValueError, RecursionError, msgspec.DecodeError) as error:
        raise DataError("a rating is not valid JSON", where=where, got=reason(error)) from None
    if not isinstance(row, dict):
        raise DataError("a rating is not a JSON object", where=where, got=line[:80], expected=EXPECTED)
    return row


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
