"""How often a reader of replies is wrong, and how often it reads nothing, on rows that people have labelled.

The rows and the two rates are described in README.md.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

DEV = Path(__file__).with_name("dev.jsonl")
SETS = ("ordinary", "hard", "texts")

LetterReader = Callable[[str, Mapping[str, "str | None"]], "str | None"]
"""`reader(reply, options)` -> the letter of the option that the reply chose, or None."""
TextReader = Callable[[str, Sequence[str]], "int | None"]
"""`reader(reply, options)` -> the position (from 0) of the option that the reply chose, or None."""


@dataclass(frozen=True)
class Row:
    """One reply with the choice that a careful reader finds in it (None: no single choice)."""

    id: str
    set: str
    format: str
    language: str
    options: Mapping[str, str | None] | Sequence[str]
    reply: str
    label: str | int | None
    why: str
    source: str


@dataclass
class Rates:
    """What a reader made of some rows."""

    rows: int = 0
    labelled: int = 0
    wrong: int = 0
    unread: int = 0

    def add(self, label: str | int | None, read: str | int | None) -> None:
        self.rows += 1
        self.labelled += label is not None
        self.wrong += read is not None and read != label
        self.unread += read is None and label is not None

    @property
    def wrong_rate(self) -> float:
        """Share of all rows read as an option that isn't the label; 0 of no rows."""
        return self.wrong / self.rows if self.rows else 0.0

    @property
    def unread_rate(self) -> float:
        """Share of the rows whose label is an option that are read as None; 0 of no such rows."""
        return self.unread / self.labelled if self.labelled else 0.0


def read_rows(path: Path = DEV) -> list[Row]:
    """The rows of a JSON Lines file."""
    with path.open(encoding="utf-8") as lines:
        return [Row(**json.loads(line)) for line in lines]


def rates_by(
    rows: Iterable[Row], column: str, *, letter: LetterReader | None = None, text: TextReader | None = None
) -> dict[str, Rates]:
    """The value of `column` ("set", "format" or "language") -> the rates of its rows, in the order of the rows.

    Rows of the set "texts" are read by `text`, the others by `letter`; without a reader for them they are left out.
    """
    found: defaultdict[str, Rates] = defaultdict(Rates)
    for row in rows:
        reader = text if row.set == "texts" else letter
        if reader is not None:
            found[getattr(row, column)].add(row.label, reader(row.reply, row.options))  # type: ignore[arg-type]
    return dict(found)
