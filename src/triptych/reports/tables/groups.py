"""What belongs together in a table: the models of a row slice, the row slices of a model, a figure and that in its
brackets."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import structs

from triptych.records import Table, TableCell, TableRow
from triptych.reports.tables import words


def by_model(rows: Iterable[TableRow]) -> list[TableRow]:
    """Return the rows with those of each model next to each other: published models first, both in their order."""
    groups: dict[tuple[str, str], list[TableRow]] = {}
    for row in rows:
        groups.setdefault((row.origin, row.label), []).append(row)
    published = [group for (origin, _), group in groups.items() if origin == "published"]
    others = [group for (origin, _), group in groups.items() if origin != "published"]
    return [row for models in (*published, *others) for row in models]


def group_of(row: TableRow, table: Table) -> tuple[str, str]:
    """Return what the row shares with the others of its group; its last element is the group's heading."""
    return (row.origin, row.label) if table.by_model else ("", row.sub)


def name_of(row: TableRow, table: Table) -> str:
    """Return the row's name within its group."""
    return row.sub if table.by_model else row.label


def bracketed(table: Table) -> Table:
    """Return the table as people see it: the figure of a bracket column is in the cell before it, with its sign and its
    interval, and has no column of its own."""
    inside = [number for number, column in enumerate(table.columns) if number and column.bracket]
    if not inside:
        return table
    columns = [number for number in range(len(table.headings)) if number not in inside]
    rows = []
    for row in table.rows:
        cells = list(row.cells)
        for number in inside:
            cells[number - 1] = structs.replace(cells[number - 1], bracket=_figure_text(cells[number]))
        rows.append(structs.replace(row, cells=tuple(cells[number] for number in columns)))
    return structs.replace(
        table,
        headings=tuple(table.headings[number] for number in columns),
        columns=tuple(table.columns[number] for number in columns),
        rows=tuple(rows),
        notes=(*(f"in brackets: {table.headings[number]}" for number in inside), *table.notes),
    )


def _figure_text(cell: TableCell) -> str:
    """Return a figure with its sign and its interval; empty without a figure."""
    if cell.value is None:
        return ""
    shown = words.number(cell.value, cell.digits)
    signed = shown if shown.startswith("-") or not float(shown) else f"+{shown}"
    return f"{signed}, {words.interval(cell)}" if cell.interval else signed
