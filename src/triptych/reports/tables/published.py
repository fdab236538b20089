"""The papers' own rows, from a benchmark's folder `published/`, and which of their cells a table may show.

A printed figure is shown next to a measured one only if both were measured alike: the same modality (if a table's rows
are modalities), the same metric, the same rule. Otherwise its cell is left out, or a footnote states the difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from triptych.benchmarks.published import Basis, published_basis, published_cells, published_systems
from triptych.records import Column, Layout, RowSlice, TableCell, TableRow

# table -> model -> column -> value; None where the paper prints a dash
Published = Mapping[str, Mapping[str, Mapping[str, float | None]]]


class PublishedRows(dict[str, dict[str, dict[str, float | None]]]):
    """Published cells of a benchmark, facts of their models, and what they were measured on."""

    def __init__(self, systems: Mapping[str, Mapping[str, str]], basis: Basis) -> None:
        super().__init__()
        self.systems: Mapping[str, Mapping[str, str]] = systems
        self.basis: Basis = basis


def load_published(benchmark: Path) -> PublishedRows:
    """Return every published cell of the benchmark in this folder; empty if it ships none.

    Raises DataError, with file and line, for a row that can't be read.
    """
    folder = benchmark / "published"
    rows = PublishedRows(published_systems(folder), published_basis(folder))
    for cell in published_cells(folder):
        row = rows.setdefault(cell.table, {}).setdefault(cell.row, {})
        row[cell.column] = float(cell.text) if cell.text else None
    return rows


def published_rows(
    layout: Layout, row: RowSlice | None, published: Published, protocol: str, metrics: Mapping[int, set[str]]
) -> Iterator[tuple[TableRow, dict[str, str]]]:
    """Return the paper's rows of a layout (in a row slice), each with heading -> the reason why its cell was left out.

    `metrics`: column index -> the ids of the metrics of the Runs' figures in it.
    """
    for model, cells in published.get(layout.paper, {}).items() if layout.paper else ():
        about = systems_of(published).get(model, {})
        # A slice of rows that is a fact of the model (its modality): the model's cells aren't named by it.
        facts = set(row.slice) & set(about) if row else set()
        if row and any(about[name] != row.slice[name] for name in facts):
            continue
        named = None if facts else row
        if all(published_value(cells, column, named) is None for column in layout.columns):
            continue
        shown = [
            _cell(
                cells, column, named, metrics.get(number, set()), _PrintedCell(layout.paper, model, protocol, published)
            )
            for number, column in enumerate(layout.columns)
        ]
        marks = dict.fromkeys(mark for _, marks, _ in shown for mark in marks)
        left_out = {c.heading: text for c, (_, _, text) in zip(layout.columns, shown, strict=True) if text}
        if any(cell.value is not None for cell, _, _ in shown) or left_out:
            yield (
                TableRow(
                    label=model,
                    cells=tuple(cell for cell, _, _ in shown),
                    sub=row.heading if row else "",
                    origin="published",
                    part=row,
                    marks=tuple(marks),
                    about=tuple(about.get(name, "") for name in layout.about),
                ),
                left_out,
            )


def published_value(cells: Mapping[str, float | None], column: Column, row: RowSlice | None) -> float | None:
    """Return the printed value of a column (in a row slice), found by the names that the layout gives or by headings,
    or computed from the printed columns.

    A table of the paper with two headings is named `row|column` or `column|row`.
    """
    if column.published_sum:
        parts = [(cells.get(name), factor) for name, factor in column.published_sum.items()]
        values = [value * factor for value, factor in parts if value is not None]
        return sum(values) if len(values) == len(parts) else None
    name = column.published or column.heading
    if row is None or not (row.published or row.heading):
        return cells.get(name)
    sub = row.published or row.heading
    for key in (f"{sub}|{name}", f"{name}|{sub}"):
        if key in cells:
            return cells[key]
    return None


def systems_of(published: Published | None) -> Mapping[str, Mapping[str, str]]:
    """Return model -> the paper's facts about it."""
    return published.systems if isinstance(published, PublishedRows) else {}


def basis_of(published: Published | None) -> Basis:
    """Return what the printed figures were measured on."""
    return published.basis if isinstance(published, PublishedRows) else Basis()


class _PrintedCell:
    """Position of a printed cell: table, row, and the protocol whose table would show it."""

    def __init__(self, table: str, model: str, protocol: str, published: Published) -> None:
        self.table, self.model, self.protocol, self.basis = table, model, protocol, basis_of(published)


def _cell(
    cells: Mapping[str, float | None],
    column: Column,
    row: RowSlice | None,
    metrics: set[str],
    row_printed: _PrintedCell,
) -> tuple[TableCell, list[str], str]:
    """Return (the cell, its footnotes, the reason why it was left out)."""
    value = published_value(cells, column, row)
    metric, unit = (row.metric or column.metric, row.unit) if row else (column.metric, "")
    if value is None:
        return TableCell(None, column.digits, note="not in the paper"), [], ""
    if others := sorted(metrics - {metric}):
        text = f"the paper reports {metric}, the Runs are scored by {' and '.join(others)}"
        return TableCell(None, column.digits, note=text), [], text
    printed = column.published or column.heading
    matching_differs = [
        one
        for one in row_printed.basis.differs
        if one.applies_to(row_printed.table, row_printed.model, printed, row_printed.protocol)
    ]
    if gone := [one.says for one in matching_differs if one.left_out]:
        return TableCell(None, column.digits, note=gone[0]), [], gone[0]
    marks = [one.says for one in matching_differs]
    return TableCell(value, column.digits, note="; ".join(marks), unit=unit), marks, ""
