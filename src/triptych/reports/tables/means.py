"""Means over the models of a table, all of them and by a fact: the closed-source models against the open ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from triptych.records import Layout, TableCell, TableRow
from triptych.reports.tables.published import Published, systems_of

ALL = "all"  # in `Layout.means`: the mean over all models


def mean_rows(layout: Layout, rows: Sequence[TableRow], published: Published | None) -> Iterator[TableRow]:
    """Yield the rows of means that a layout asks for, over at least two models each.

    Published rows without facts (an average, people, chance) don't count, and next to published rows neither do Runs
    over the mini set or a part of the questions. With published rows and at least two Runs, the Runs' own mean comes
    first. A column has a mean if all of its models have a complete figure.
    """
    counted = [row for row in rows if _counts(row, rows, systems_of(published))]
    runs = [row for row in counted if row.origin == "run"]
    if layout.means and 1 < len(runs) < len(counted):
        yield _mean(f"mean of {len(runs)} Runs", runs, layout)
    for fact in layout.means:
        for value, members in _rows_by_fact(fact, layout, counted):
            if len(members) > 1:
                yield _mean(f"mean of {len(members)} {value + ' ' if value else ''}models", members, layout)


def _counts(row: TableRow, rows: Sequence[TableRow], systems: Mapping[str, Mapping[str, str]]) -> bool:
    if row.origin == "published":
        return row.label in systems
    return bool(row.counts) and not (row.marks and any(other.origin == "published" for other in rows))


def _rows_by_fact(fact: str, layout: Layout, rows: Sequence[TableRow]) -> list[tuple[str, list[TableRow]]]:
    """Return (value of the fact, its rows) in the rows' order; a single pair without a value for `all`."""
    if fact == ALL:
        return [("", list(rows))]
    rows_by_key: dict[str, list[TableRow]] = {}
    for row in rows:
        if value := dict(zip(layout.about, row.about, strict=False)).get(fact, ""):
            rows_by_key.setdefault(value, []).append(row)
    return list(rows_by_key.items())


def _mean(label: str, rows: Sequence[TableRow], layout: Layout) -> TableRow:
    cells = tuple(_cell([row.cells[n] for row in rows], column.digits) for n, column in enumerate(layout.columns))
    return TableRow(label, cells, origin="mean", about=("",) * len(layout.about))


def _cell(cells: Sequence[TableCell], digits: int) -> TableCell:
    values = [cell.value for cell in cells if cell.value is not None and not cell.parts]
    if len(values) < len(cells):
        return TableCell(None, digits, note=f"{len(cells) - len(values)} of {len(cells)} models have no such figure")
    return TableCell(sum(values) / len(values), max(digits, 2))
