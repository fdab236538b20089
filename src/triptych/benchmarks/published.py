"""A paper's own tables, cell by cell as printed: `published/*.csv` (paper, table, model, column, value)."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from triptych.errors import DataError

FIELDS = ("paper", "table", "model", "column", "value")
DASHES = ("", "-", "–", "—", "N/A")


class PublishedCell(NamedTuple):
    """One cell; `text` is what is printed, without signs of per cent, and empty for a dash."""

    paper: str
    table: str
    row: str
    column: str
    text: str
    where: str


def published_cells(folder: Path) -> Iterator[PublishedCell]:
    """Every cell of the files in `folder`, in order. Raises DataError, with file and line, for what is no number."""
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            if tuple(reader.fieldnames or ()) != FIELDS:
                raise DataError("published rows have other columns", expected=FIELDS, got=reader.fieldnames, where=path)
            for row in reader:
                where = f"{path}:{reader.line_num}"
                if row.get(None) or None in row.values():
                    raise DataError("a published row has another number of fields", expected=len(FIELDS), where=where)
                yield PublishedCell(
                    row["paper"], row["table"], row["model"], row["column"], _plain(row["value"], where), where
                )


def _plain(value: str, where: str) -> str:
    text = value.strip().rstrip("%").strip()
    if text in DASHES:
        return ""
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if number != number or number in (float("inf"), float("-inf")) or "e" in text.lower() or "_" in text:
        raise DataError("a published value is no number", got=value, where=where)
    return text
