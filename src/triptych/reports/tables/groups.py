"""Rows that belong together: the models of a row slice or, in a table by model, the row slices of a model."""

from __future__ import annotations

from collections.abc import Iterable

from triptych.records import Table, TableRow


def by_model(rows: Iterable[TableRow]) -> list[TableRow]:
    """Return the rows with those of each model next to each other: published models first, both in their order."""
    groups: dict[tuple[str, str], list[TableRow]] = {}
    for row in rows:
        groups.setdefault((row.origin, row.label), []).append(row)
    published = [own for (origin, _), own in groups.items() if origin == "published"]
    others = [own for (origin, _), own in groups.items() if origin != "published"]
    return [row for own in (*published, *others) for row in own]


def group_of(row: TableRow, table: Table) -> tuple[str, str]:
    """Return what the row shares with the others of its group; its last element is the group's heading."""
    return (row.origin, row.label) if table.by_model else ("", row.sub)


def name_of(row: TableRow, table: Table) -> str:
    """Return the row's name within its group."""
    return row.sub if table.by_model else row.label
