"""The data that a figure draws from a table: the Runs' rows by slice, and the paper's rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from triptych.records import Table, TableCell, TableRow


@dataclass(frozen=True)
class Panel:
    """One slice of a table (an empty title if there are no slices): Runs and published rows by heading."""

    title: str
    headings: tuple[str, ...]
    runs: tuple[TableRow, ...]
    published: tuple[TableRow, ...]


def panels(table: Table) -> list[Panel]:
    """Return the slices in which any Run has a value, without the columns in which none has."""
    drawn_panels = []
    for sub in dict.fromkeys(row.sub for row in table.rows):
        rows = [row for row in table.rows if row.sub == sub]
        runs = [row for row in rows if row.origin == "run" and present_values(row.cells)]
        columns = [n for n in range(len(table.headings)) if any(row.cells[n].value is not None for row in runs)]
        if runs and columns:
            published = [row for row in rows if row.origin == "published"]
            drawn_panels.append(
                Panel(
                    sub, tuple(table.headings[n] for n in columns), _narrow(runs, columns), _narrow(published, columns)
                )
            )
    return drawn_panels


def panels_by_column(panels: Sequence[Panel]) -> list[Panel]:
    """Return the slices as headings and one panel per column, for tables with one row slice per bar."""
    headings = list(dict.fromkeys(name for panel in panels for name in panel.headings))
    titles = tuple(panel.title for panel in panels)
    return [
        Panel(heading, titles, _combined_rows(panels, heading, "runs"), _combined_rows(panels, heading, "published"))
        for heading in headings
    ]


def panels_by_run(panels: Sequence[Panel], grid: Mapping[str, tuple[str, str]]) -> list[Panel]:
    """Return one panel per Run if headings are pairs (`T2 own OCR` = T2, own OCR): the first of the pair is the
    heading, the second a row."""
    return [
        Panel(", ".join(filter(None, [panel.title, row.label])), *_gridded(panel, row, grid), ())
        for panel in panels
        for row in panel.runs
        if present_values(row.cells)
    ]


def _gridded(
    panel: Panel, row: TableRow, grid: Mapping[str, tuple[str, str]]
) -> tuple[tuple[str, ...], tuple[TableRow, ...]]:
    named = zip(panel.headings, row.cells, strict=True)
    cells = {grid[name]: cell for name, cell in named if name in grid and cell.value is not None}
    groups, series = (tuple(dict.fromkeys(pair[side] for pair in cells)) for side in (0, 1))
    rows = [TableRow(label, tuple(cells.get((group, label), TableCell(None)) for group in groups)) for label in series]
    return groups, tuple(rows)


def present_values(cells: Iterable[TableCell]) -> list[float]:
    """Return the values that are not None."""
    return [cell.value for cell in cells if cell.value is not None]


def drawn_values(panels: Iterable[Panel]) -> list[float]:
    """Return every value and bound that is drawn."""
    cells = [cell for panel in panels for row in (*panel.runs, *panel.published) for cell in row.cells]
    bounds = [bound for cell in cells for bound in cell.interval or ()]
    return present_values(cells) + bounds


def labels(panels: Iterable[Panel]) -> list[str]:
    """Return the Runs' labels in the table's order."""
    return list(dict.fromkeys(row.label for panel in panels for row in panel.runs))


def sizes(panels: Iterable[Panel]) -> str:
    """Return `n 24–80`, the range of n over the Runs' cells; empty if no cell has one."""
    counts = sorted(
        {cell.n for panel in panels for row in panel.runs for cell in row.cells if cell.value is not None and cell.n}
    )
    if not counts:
        return ""
    return f"n {counts[0]:,}" if counts[0] == counts[-1] else f"n {counts[0]:,}–{counts[-1]:,}"


def _narrow(rows: Iterable[TableRow], columns: Sequence[int]) -> tuple[TableRow, ...]:
    from msgspec.structs import replace

    narrowed = [replace(row, cells=tuple(row.cells[n] for n in columns)) for row in rows]
    return tuple(row for row in narrowed if any(cell.value is not None for cell in row.cells))


def _combined_rows(panels: Sequence[Panel], heading: str, which: str) -> tuple[TableRow, ...]:
    empty = TableCell(None)
    names = list(dict.fromkeys(row.label for panel in panels for row in getattr(panel, which)))
    rows = []
    for name in names:
        cells = []
        for panel in panels:
            row = next((row for row in getattr(panel, which) if row.label == name), None)
            column = panel.headings.index(heading) if heading in panel.headings else None
            cells.append(empty if row is None or column is None else row.cells[column])
        rows.append(TableRow(name, tuple(cells), origin="run" if which == "runs" else "published"))
    return tuple(rows)
