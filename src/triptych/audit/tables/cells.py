"""The published tables in memory, and looking cells up in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from triptych.audit.tables.interval import Interval, Printing, digits_of
from triptych.benchmarks.published import PublishedCell, published_cells
from triptych.errors import SpecError, nearest


class NoCell(LookupError):
    """A cell that an expression names isn't there, or holds a dash."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell by its address, as printed."""

    table: str
    row: str
    column: str
    text: str
    value: Interval


@dataclass(slots=True)
class Tables:
    """All tables of a benchmark: table -> row -> column -> Cell. `aliases`: other names of the same row. `printing`:
    how a table's figures were shortened; rounded if it isn't named."""

    cells: dict[str, dict[str, dict[str, Cell]]] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    printing: Mapping[str, Printing] = field(default_factory=dict)

    def add(self, table: str, row: str, column: str, text: str, decimals: int = 0) -> None:
        """Add a printed cell; the last one of an address replaces the others."""
        cell = Cell(table, row, column, text, self.meaning(table, text, decimals))
        self.cells.setdefault(table, {}).setdefault(row, {})[column] = cell

    def meaning(self, table: str, text: str, decimals: int = 0) -> Interval:
        """Return the numbers that a table prints as `text`."""
        return Interval.printed(text, decimals, self.printing.get(table, "rounded"))

    def rows(self, table: str) -> dict[str, dict[str, Cell]]:
        """A table's rows. Raises NoCell, with the nearest name, for an unknown table."""
        if table not in self.cells:
            raise NoCell(f"no table {table!r}; {nearest(table, self.cells)}")
        return self.cells[table]

    def columns(self, table: str) -> list[str]:
        """A table's columns, in their order."""
        return list(dict.fromkeys(c for row in self.rows(table).values() for c in row))

    def cell(self, table: str, row: str, column: str) -> Cell:
        """One cell, by the row's name or its alias. Raises NoCell."""
        rows = self.rows(table)
        for name in (row, self.aliases.get(row, row), *(k for k, v in self.aliases.items() if v == row)):
            if name in rows and column in rows[name]:
                return rows[name][column]
        raise NoCell(f"{table} has no cell {row!r}, {column!r}")


def matching(names: Iterable[str], patterns: Iterable[str]) -> list[str]:
    """The names that any pattern fits (`*` for anything), in their own order."""
    wanted = tuple(patterns)
    return [n for n in names if any(n == p or fnmatchcase(n, p) for p in wanted)]


def rows_of(tables: Tables, table: str, rows: Sequence[str], without: Sequence[str] = ()) -> dict[str, dict[str, Cell]]:
    """Return the rows to which a rule applies. Raises SpecError if there are none."""
    try:
        every = tables.rows(table)
    except NoCell as error:
        raise SpecError("a rule names a table that does not exist", got=error) from None
    left_out = set(matching(every, without))
    chosen = {name: every[name] for name in matching(every, rows) if name not in left_out}
    if not chosen:
        raise SpecError("a rule matches no row", where=table, got=", ".join(rows))
    return chosen


def load_tables(
    folder: Path,
    decimals: Mapping[str, int],
    aliases: Mapping[str, str],
    printing: Mapping[str, Printing] | None = None,
) -> Tables:
    """Return every printed number of the CSV files in `folder`; dashes are not cells. `printing`: see `Tables`.

    A cell is assumed to be printed with as many digits as most of its column (files drop trailing zeros), or with those
    that `decimals` gives for its table.

    Raises:
        DataError: With file and line.
    """
    tables = Tables(aliases=aliases, printing=printing or {})
    printed: dict[tuple[str, str], list[PublishedCell]] = {}
    for cell in published_cells(folder):
        tables.cells.setdefault(cell.table, {}).setdefault(cell.row, {})
        if cell.text:
            printed.setdefault((cell.table, cell.column), []).append(cell)
    for (table, column), cells in printed.items():
        usual = Counter(digits_of(cell.text) for cell in cells).most_common(1)[0][0]
        for cell in cells:
            tables.add(table, cell.row, column, cell.text, decimals.get(table, usual))
    return tables
