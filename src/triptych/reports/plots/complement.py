"""Convert error rates for a drawing in which higher is better, such as 1 - CER next to accuracies."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from triptych.records import Column, Table, TableCell

PERCENT = 100.0  # the columns are in percent


def complemented(table: Table, names: Mapping[str, str]) -> Table:
    """Return the table with 100 - value, under a new heading, in the columns of `names` (heading -> new heading)."""
    if not names:
        return table
    turned = [number for number, heading in enumerate(table.headings) if heading in names]
    rows = [
        replace(row, cells=tuple(_complement_cell(cell) if n in turned else cell for n, cell in enumerate(row.cells)))
        for row in table.rows
    ]
    return replace(
        table,
        headings=tuple(names.get(heading, heading) for heading in table.headings),
        rows=tuple(rows),
        columns=tuple(_column(column, names) for column in table.columns),
    )


def _column(column: Column, names: Mapping[str, str]) -> Column:
    if column.heading not in names:
        return column
    return replace(column, heading=names[column.heading], better="higher" if column.better == "lower" else "lower")


def _complement_cell(cell: TableCell) -> TableCell:
    low_high = cell.interval
    return replace(
        cell,
        value=_complement_value(cell.value),
        value_all=_complement_value(cell.value_all),
        value_answered=_complement_value(cell.value_answered),
        interval=None if low_high is None else (PERCENT - low_high[1], PERCENT - low_high[0]),
    )


def _complement_value(value: float | None) -> float | None:
    return None if value is None else PERCENT - value
