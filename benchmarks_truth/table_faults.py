"""Faults of each kind, planted in a true table: the table with the fault, and what a finding on it must name."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from benchmarks_truth.true_tables import Cells, TrueTable


@dataclass(frozen=True)
class Planted:
    """A table with a fault. A finding finds it if it is of one of the kinds, and names the row and a column."""

    table: TrueTable
    kinds: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]


def _copy(cells: Cells) -> Cells:
    return {row: dict(own) for row, own in cells.items()}


def wrong_average(table: TrueTable, rng: random.Random) -> Planted:
    """An average that is 0.6 to 9 points off."""
    cells, row = _copy(table.cells), rng.choice(list(table.cells))
    off = rng.choice((-1, 1)) * rng.uniform(0.6, 9)
    cells[row]["avg"] = f"{float(cells[row]['avg']) + off:.{table.digits}f}"
    return Planted(table.with_cells(cells), ("average", "misprint", "copy"), (row,), ("avg",))


def impossible_share(table: TrueTable, rng: random.Random) -> Planted | None:
    """A cell that no count gives in any way of printing; its row's derived figures are made to follow it."""
    places = [(row, c) for row in table.cells for c in table.sizes]
    rng.shuffle(places)
    unit = Fraction(1, 10**table.digits)
    for row, column in places[:50]:
        n = table.sizes[column]
        candidates = [Fraction(k, 10**table.digits) for k in range(100 * 10**table.digits)]
        rng.shuffle(candidates)
        for value in candidates[:300]:
            nearest = [Fraction(100 * k, n) for k in {int(value * n / 100), int(value * n / 100) + 1}]
            if all(abs(value - share) > unit for share in nearest):
                cells = _copy(table.cells)
                cells[row][column] = f"{float(value):.{table.digits}f}"
                for name in ("avg", "std", "gap"):
                    del cells[row][name]
                return Planted(table.with_cells(cells), ("impossible", "misprint"), (row,), (column,))
    return None


def wrong_digit(table: TrueTable, rng: random.Random) -> Planted | None:
    """Another first digit in a cell: its average doesn't follow."""
    row, column = rng.choice(list(table.cells)), rng.choice(list(table.sizes))
    old = table.cells[row][column]
    digit = rng.choice([d for d in "123456789" if d != old[0]])
    cells = _copy(table.cells)
    cells[row][column] = digit + old[1:] if float(old) >= 10 else f"{digit}{old}"
    kinds = ("misprint", "average", "impossible")
    return Planted(table.with_cells(cells), kinds, (row,), (column, "avg", "std", "gap"))


def copied_row(table: TrueTable, rng: random.Random) -> Planted | None:
    """A row printed under two names, derived figures included, of models that are not related."""
    rows = [(a, b) for a in table.cells for b in table.cells if a != b and (a, b) not in table.related]
    first, second = rng.choice(rows)
    cells = _copy(table.cells)
    cells[second] = dict(cells[first])
    return Planted(table.with_cells(cells), ("copy",), (first, second), tuple(table.sizes))


def partly_copied_row(table: TrueTable, rng: random.Random) -> Planted | None:
    """Two thirds of a row's shares are another row's; six at least."""
    columns = list(table.sizes)
    some = columns[: max(6, 2 * len(columns) // 3)]
    if len(columns) < 6:
        return None
    first, second = rng.sample(list(table.cells), 2)
    if (first, second) in table.related or (second, first) in table.related:
        return None
    cells = _copy(table.cells)
    cells[second] = {c: cells[first][c] if c in some else cells[second][c] for c in columns}
    return Planted(table.with_cells(cells), ("copy",), (first, second), tuple(some))


def copied_column(table: TrueTable, rng: random.Random) -> Planted | None:
    """A column printed twice."""
    if len(table.cells) < 6:
        return None
    first, second = rng.sample(list(table.sizes), 2)
    cells = {row: {c: own[first if c == second else c] for c in table.sizes} for row, own in table.cells.items()}
    return Planted(table.with_cells(cells), ("copy", "permutation"), tuple(table.cells), (first, second))


def other_questions(table: TrueTable, rng: random.Random) -> Planted | None:
    """A row computed from other questions than the others: 297 instead of the stated number."""
    if table.digits < 2 or min(table.sizes.values()) < 20 or 297 in table.sizes.values():
        return None
    row = rng.choice(list(table.cells))
    cells = _copy(table.cells)
    cells[row] = {c: f"{100 * rng.randint(60, 240) / 297:.2f}" for c in table.sizes}
    return Planted(table.with_cells(cells), ("impossible", "permutation"), (row,), tuple(table.sizes))


FAULTS: Mapping[str, Callable[[TrueTable, random.Random], Planted | None]] = {
    "average off by 0.6 to 9": wrong_average,
    "impossible share": impossible_share,
    "first digit wrong": wrong_digit,
    "copied row": copied_row,
    "two thirds of a row copied": partly_copied_row,
    "copied column": copied_column,
    "row of 297 other questions": other_questions,
}
