"""How a table's figures were shortened to their printed digits: rounded, or truncated. Found from the table itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from triptych.audit.tables.cells import Cell, Tables, load_tables, matching, rows_of
from triptych.audit.tables.equations import equations
from triptych.audit.tables.interval import Interval, Printing, digits_of
from triptych.audit.tables.rules import Shares, TableRules
from triptych.audit.tables.shares import is_share


def tables_as_printed(folder: Path, rules: TableRules) -> Tables:
    """Return the tables of a folder, each read as rounded or as truncated: see `as_printed`."""
    return as_printed(lambda printing: load_tables(folder, rules.decimals, rules.aliases, printing), rules)


def as_printed(load: Callable[[Mapping[str, Printing]], Tables], rules: TableRules) -> Tables:
    """Return tables, each read as rounded or as truncated, by which its figures follow.

    `load` returns the tables for {table: how it was shortened}; a table that isn't named is rounded. A table is read as
    truncated if this explains at least half of its figures that don't follow if they were rounded: a single convention
    for each table, so that an error of one unit is not excused cell by cell.
    """
    rounded = load({})
    misfits = _misfits(rules, rounded) if rounded.cells else Counter[str]()
    if not misfits:
        return rounded
    every: dict[str, Printing] = dict.fromkeys(rounded.cells, "truncated")
    rest = _misfits(rules, load(every))
    chosen: dict[str, Printing] = {table: "truncated" for table, n in misfits.items() if 2 * rest[table] <= n}
    return load(chosen) if chosen else rounded


def _misfits(rules: TableRules, tables: Tables) -> Counter[str]:
    """Return table -> number of its shares that are impossible, and of its derived figures that don't follow."""
    counts = Counter(equation.target.table for equation in equations(rules.derived, tables) if equation.gap)
    for rule in rules.shares:
        counts[rule.table] += sum(
            not any(is_share(cell.value, n, rule.scale) for n in sizes) for cell, sizes in share_cells(rule, tables)
        )
    return +counts


def share_cells(rule: Shares, tables: Tables) -> Iterator[tuple[Cell, tuple[int, ...]]]:
    """Yield (cell, numbers of which it may be a share) of every cell of a rule, except its pooled column."""
    for cells in rows_of(tables, rule.table, rule.rows, rule.without).values():
        for column in matching(cells, rule.columns):
            if column != rule.pooled and (sizes := rule.n_of(column)):
                yield cells[column], sizes


def other_interval(cell: Cell, printing: Printing) -> Interval:
    """Return the numbers that a cell stands for if it was shortened in the other way than its table."""
    width = cell.value.high - cell.value.low
    digits = next((d for d in range(12) if width >= 10.0**-d * 0.999), digits_of(cell.text))
    return Interval.printed(cell.text, digits, "truncated" if printing == "rounded" else "rounded")
