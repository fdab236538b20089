"""The papers' own rows, from a benchmark's `published/*.csv` (paper, table, model, column, value)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from triptych.benchmarks.published import published_cells
from triptych.records import Column, Layout, RowSlice

# table -> model -> column -> value; None where the paper prints a dash
Published = Mapping[str, Mapping[str, Mapping[str, float | None]]]


def load_published(benchmark: Path) -> Published:
    """Every published cell of the benchmark whose folder this is; empty where it ships none.

    Raises DataError, with file and line, for a row that can't be read.
    """
    found: dict[str, dict[str, dict[str, float | None]]] = {}
    for cell in published_cells(benchmark / "published"):
        row = found.setdefault(cell.table, {}).setdefault(cell.row, {})
        row[cell.column] = float(cell.text) if cell.text else None
    return found


def published_value(cells: Mapping[str, float | None], column: Column, row: RowSlice | None) -> float | None:
    """What the paper prints for a column (in a row slice): found by the names that the layout gives, else headings.

    A paper's table with two headings is named `row|column` or `column|row`.
    """
    name = column.published or column.heading
    if row is None or not (row.published or row.heading):
        return cells.get(name)
    sub = row.published or row.heading
    for key in (f"{sub}|{name}", f"{name}|{sub}"):
        if key in cells:
            return cells[key]
    return None


def published_models(published: Published, layout: Layout) -> Mapping[str, Mapping[str, float | None]]:
    """The models that the paper lists in this layout's table, in its order."""
    return published.get(layout.paper, {}) if layout.paper else {}
