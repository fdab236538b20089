"""A paper's printed figures, and how they were measured: the files of a benchmark's folder `published/`.

*.csv         the paper's tables, cell by cell as printed: paper, table, model, column, value
systems.csv   the paper's facts about each model: paper, model, and any columns (size, type, group, modality)
tasks.csv     the paper's facts about each Task: task, and any columns (how it was made, licence)
basis.toml    what the figures were measured on, and by which rule, if that isn't what the table's heading says
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from triptych.errors import DataError, SpecError
from triptych.records.toml_text import parse_toml
from triptych.records.unreadable import NO_TOML, reason

FIELDS = ("paper", "table", "model", "column", "value")
DASHES = ("", "-", "–", "—", "N/A")
SYSTEMS, TASKS, BASIS = "systems.csv", "tasks.csv", "basis.toml"


class PublishedCell(NamedTuple):
    """One cell; `text` is as printed, without percent signs, and empty for a dash."""

    paper: str
    table: str
    row: str
    column: str
    text: str
    where: str


class Differs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cells of the paper that were measured differently from their column here, and the difference.

    tables, columns, models   which cells: the paper's table ids, printed columns and rows; empty: all of them
    says                      the difference, as a sentence
    left_out                  if true, the cells are not comparable and not shown; otherwise a footnote is shown
    protocols                 applies only under these protocols; empty: under every one
    """

    says: str
    tables: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    protocols: tuple[str, ...] = ()
    left_out: bool = False

    def applies_to(self, table: str, model: str, column: str, protocol: str) -> bool:
        """Return whether it applies to this cell."""
        pairs = ((self.tables, table), (self.models, model), (self.columns, column), (self.protocols, protocol))
        return all(not chosen or one in chosen for chosen, one in pairs)


class Basis(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `basis.toml`. `protocols`: those whose rules the printed figures follow; empty: unknown.
    `tables`: those of tables from elsewhere than the paper. `data`: hashes of the question files that the figures were
    measured on; empty: unknown, so that a Run must be on files of the benchmark's release. `releases`: the versions of
    the data that were released when the figures were measured; empty: all."""

    protocols: tuple[str, ...] = ()
    tables: dict[str, tuple[str, ...]] = {}
    differs: tuple[Differs, ...] = ()
    data: tuple[str, ...] = ()
    releases: tuple[str, ...] = ()

    def rules(self, table: str) -> tuple[str, ...]:
        """Return the protocols whose rules a table follows."""
        return self.tables.get(table, self.protocols)


def published_cells(folder: Path) -> Iterator[PublishedCell]:
    """Yield every cell of the files in `folder`, in order. Raises DataError, with file and line, for a non-number."""
    for path in sorted(folder.glob("*.csv")):
        if path.name in (SYSTEMS, TASKS):
            continue
        for where, row in _rows(path, FIELDS):
            text = _number_text(row["value"], where)
            yield PublishedCell(row["paper"], row["table"], row["model"], row["column"], text, where)


def published_systems(folder: Path) -> dict[str, dict[str, str]]:
    """Return model -> the paper's facts; empty without a `systems.csv`. Raises DataError if it is malformed."""
    return _facts(folder / SYSTEMS, "model")


def published_tasks(folder: Path) -> dict[str, dict[str, str]]:
    """Return Task -> the paper's facts; empty without a `tasks.csv`. Raises DataError if it is malformed."""
    return _facts(folder / TASKS, "task")


def _facts(path: Path, of: str) -> dict[str, dict[str, str]]:
    """Return the facts in a file by the column `of`."""
    if not path.is_file():
        return {}
    facts: dict[str, dict[str, str]] = {}
    for where, row in _rows(path):
        if of not in row:
            raise DataError(f"{path.name} has no column {of!r}", got=list(row), where=path)
        if row[of] in facts:
            raise DataError(f"a {of} is listed twice", got=row[of], where=where)
        facts[row[of]] = {name: text for name, text in row.items() if name not in ("paper", of) and text}
    return facts


def published_basis(folder: Path) -> Basis:
    """Return the contents of `basis.toml`; empty without one. Raises SpecError if it can't be read."""
    path = folder / BASIS
    if not path.is_file():
        return Basis()
    try:
        return msgspec.convert(parse_toml(path.read_text(encoding="utf-8")), Basis)
    except (OSError, *NO_TOML, msgspec.ValidationError) as error:
        raise SpecError("basis.toml can't be read", where=path, got=reason(error)) from None


def _rows(path: Path, fields: tuple[str, ...] = ()) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield (file and line, row) of a CSV file; `fields`: the columns that it must have."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        names = tuple(reader.fieldnames or ())
        if fields and names != fields:
            raise DataError("published rows have the wrong columns", expected=fields, got=reader.fieldnames, where=path)
        for row in reader:
            where = f"{path}:{reader.line_num}"
            if row.get(None) or None in row.values():
                raise DataError("a published row has the wrong number of fields", expected=len(names), where=where)
            yield where, row


def _number_text(value: str, where: str) -> str:
    text = value.strip().rstrip("%").strip()
    if text in DASHES:
        return ""
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if number != number or number in (float("inf"), float("-inf")) or "e" in text.lower() or "_" in text:
        raise DataError("a published value is not a number", got=value, where=where)
    return text
