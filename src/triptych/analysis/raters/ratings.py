"""People's (or anybody's) ratings of a Run's replies, from a file: raters for agreement, in addition to judges and
metrics."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from math import isfinite, nan
from pathlib import Path

import msgspec

from triptych.errors import DataError
from triptych.records.repeated_keys import each_once

Ratings = dict[str, dict[str, float]]  # rater -> Item or Unit id -> value
EXPECTED = "columns item, value and, for several people, rater"
ALONE = "people"  # what the rater is called where the file names none


def read_ratings(path: Path) -> Ratings:
    """A CSV file with a heading line, or JSON lines (`.jsonl`): `item`, `value`, and `rater` where there are several.

    A rater's second rating of an Item is refused, since one of them would be dropped. Values are numbers on any scale:
    correlations don't mind, ICC and alpha ask that all raters use one. Raises DataError with file and line.
    """
    found: Ratings = defaultdict(dict)
    for where, row in _rows(path):
        item, rater = str(row.get("item") or "").strip(), str(row.get("rater") or "").strip() or ALONE
        if not item:
            raise DataError("a rating has no item", where=where, expected=EXPECTED)
        if item in found[rater]:
            raise DataError(f"{rater} rates {item} twice", where=where, fix="keep one of the two")
        found[rater][item] = _number(row.get("value"), where)
    if not found:
        raise DataError("the file contains no ratings", where=path, expected=EXPECTED)
    return dict(found)


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            if path.suffix != ".jsonl":
                reader = csv.DictReader(file)
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
        raise DataError("a rating is not valid JSON", where=where, got=str(error)) from None
    if not isinstance(row, dict):
        raise DataError("a rating is not a JSON object", where=where, got=line[:80], expected=EXPECTED)
    return row


def _number(value: object, where: str) -> float:
    try:
        number = float(str(value))  # by its text: an integer too great for a float is then infinite, no OverflowError
    except ValueError:
        number = nan
    if not isfinite(number):
        raise DataError("a rating is not a number", where=where, got=repr(value))
    return number
