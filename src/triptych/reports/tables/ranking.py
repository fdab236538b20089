"""Ranks, and the best and second best row of each column."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from triptych.records import Column, TableCell, TableRow, column_key
from triptych.reports.tables.marks import of_figures, shared_marks


def with_ranks(columns: Sequence[Column], ours: Sequence[TableRow], theirs: Sequence[TableRow]) -> list[TableRow]:
    """Return the Runs' rows with their ranks.

    A rank is 1 + the number of better rows among the Runs and those published rows that have a rank themselves (an
    average has none). Ranks are computed from the unranked column of the same figure; partial averages get no rank. The
    interval of a rank covers all ranks that the row may have: two rows can change ranks if their intervals overlap. A
    published figure has no interval and is taken as printed.
    """
    cells = [list(row.cells) for row in ours]
    for number, column in enumerate(columns):
        if not column.rank:
            continue
        key = column_key(column, None)
        plain = next(n for n, other in enumerate(columns) if not other.rank and column_key(other, None) == key)
        ranked = [row for row in theirs if row.cells[number].value is not None]
        # Of the mini set or a part of the questions a Run has no place among those of the whole benchmark.
        apart = with_less(ours, bool(ranked))
        complete_rows = [row for row in ours if not row.cells[plain].note and row.label not in apart]
        rows = [*ranked, *complete_rows]
        ranges = [bounds for row in rows if (bounds := _range(row.cells[plain], columns[plain]))]
        for cell, row in zip(cells, ours, strict=True):
            figure = _range(row.cells[plain], columns[plain]) if row in complete_rows else None
            cell[number] = _placed(figure, ranges, column.digits)
    return [structs.replace(row, cells=tuple(own_cells)) for row, own_cells in zip(ours, cells, strict=True)]


Range = tuple[float, float, float]  # low, value, high; higher is better


def _range(cell: TableCell, column: Column) -> Range | None:
    """Return a figure with its interval, turned so that higher is better; None if it can't be ranked."""
    value = _rank(cell, column)
    if value is None:
        return None
    every = [_oriented_value(bound, column) for bound in cell.interval] if cell.interval else [value]
    return min(every), value, max(every)


def _placed(bounds: Range | None, ranges: Sequence[Range], digits: int) -> TableCell:
    if bounds is None:
        return TableCell(None, digits, note="no figure to rank")
    rank = 1.0 + sum(value > bounds[1] for _, value, _ in ranges)
    best = 1.0 + sum(low > bounds[2] for low, _, _ in ranges)
    worst = float(len(ranges) - sum(high < bounds[0] for _, _, high in ranges))
    return TableCell(rank, digits, interval=(best, worst) if best < worst else None, plain=True)


UNDERLINED_FROM = 4  # Runs in a column, below which the second best is not marked


def mark_best(columns: Sequence[Column], rows: Sequence[TableRow]) -> list[TableRow]:
    """Return the rows with the best figure of each column marked, if its interval is better than those of all other
    Runs; and with four Runs or more, the second best as well.

    Intervals that don't overlap are a stricter criterion than a paired test, which may find more. Partial averages and
    Runs of a part of the questions are not compared with whole ones; a figure without an interval is never the best.
    """
    marked = [list(row.cells) for row in rows]
    for number, column in enumerate(columns):
        comparable = _comparable([row.cells[number] for row in rows], rows, column)
        best = [
            i
            for i, bounds in comparable.items()
            if all(bounds[0] > other[2] for j, other in comparable.items() if j != i)
        ]
        if len(comparable) < 2 or not best or rows[best[0]].cells[number].interval is None:
            continue
        marked[best[0]][number] = structs.replace(marked[best[0]][number], best=True)
        rest = {i: grid[1] for i, grid in comparable.items() if i != best[0]}
        for i, value in rest.items():
            if len(comparable) >= UNDERLINED_FROM and value == max(rest.values()):
                marked[i][number] = structs.replace(marked[i][number], second=True)
    return [structs.replace(row, cells=tuple(cells)) for row, cells in zip(rows, marked, strict=True)]


def _comparable(cells: Sequence[TableCell], rows: Sequence[TableRow], column: Column) -> dict[int, Range]:
    """Return row -> (low, value, high) of the figures that can be compared: the wholest averages, of Runs of all
    questions; of restricted Runs those that have no restriction but the ones of all."""
    bounds_by_row = {
        i: bounds for i, cell in enumerate(cells) if column.better and (bounds := _range(cell, column)) is not None
    }
    wholest = max((_computed_share(cells[i]) for i in bounds_by_row), default=1.0)
    bounds_by_row = {i: ranges for i, ranges in bounds_by_row.items() if _computed_share(cells[i]) == wholest}
    marks = {i: of_figures(rows[i].marks) for i in bounds_by_row}
    common = shared_marks(marks.values())
    return {i: row_bounds for i, row_bounds in bounds_by_row.items() if set(marks[i]) <= set(common)}


def with_less(rows: Sequence[TableRow], is_complete: bool = False) -> set[str]:
    """Return the labels of the Runs over a part of the questions, or over other data, next to Runs over all of them.
    `is_complete`: the table has rows over all of them (the paper's); otherwise a restriction of all Runs sets none of
    them apart, and neither do restrictions of each."""
    marks = {row.label: set(of_figures(row.marks)) for row in rows if row.counts or row.marks}
    common = set() if is_complete else set(shared_marks(marks.values()))
    apart = {label for label, mark in marks.items() if mark - common}
    return apart if is_complete or len(apart) < len(marks) else set()


def _computed_share(cell: TableCell) -> float:
    """Return the share of a figure's parts that it is computed from."""
    return cell.parts[0] / cell.parts[1] if cell.parts else 1.0


def _rank(cell: TableCell, column: Column) -> float | None:
    """Return the printed value, turned so that higher is better; values that look equal are equal."""
    if cell.value is None or column.rank or not column.better:
        return None
    return _oriented_value(round(cell.value, column.digits), column)


def _oriented_value(value: float, column: Column) -> float:
    """Return the value so that higher is better."""
    return {"higher": value, "lower": -value, "zero": -abs(value)}[column.better]
