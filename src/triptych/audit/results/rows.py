"""The row of the paper's tables that results or a Run should give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.audit.results.published import figure_cells, task_cells
from triptych.audit.tables.cells import NoCell, Tables, load_tables
from triptych.audit.tables.interval import Interval, Printing
from triptych.audit.tables.rules import TableRules
from triptych.errors import SpecError, nearest
from triptych.models.catalogue import models_named

if TYPE_CHECKING:
    from triptych.audit.results.systems import System

Accuracies = Mapping[str, float]  # Task without its benchmark -> accuracy in percent
_ENOUGH = 10  # cells of a row that the items must give, and half of those compared, for the row to be recognised


def published_row(system: System, rules: TableRules, accuracies: Accuracies) -> str | None:
    """Return the row of the paper's tables that a system is; None if it is unknown.

    The row that was named; otherwise the one that a rule gives for the system's name, for the name or the files of a
    replayed Run; or the one whose figures the items give. A Run of another model has no row in the paper.
    """
    if system.row:
        return system.row
    for name in _names(system):
        if (row := rules.runs.row_of(name)) is not None:
            return row
    return _by_figures(system, rules, accuracies) if is_released(system) else None


def catalogue_rows(system: System, rules: TableRules) -> list[str]:
    """Return the rows of the paper's tables that are of the model which the catalogue has under a name of the system;
    those of several models if the name is ambiguous."""
    every = _compared_rows(system, rules)
    for name in _names(system):
        if models := models_named(name):
            keys = {model.key for model in models}
            return [row for row in every if any(model.key in keys for model in models_named(row))]
    return []


def _compared_rows(system: System, rules: TableRules) -> list[str]:
    """Return the rows of the tables with which results are compared."""
    tables = load_tables(system.benchmark.folder / "published", rules.decimals, rules.aliases)
    compared = {table for _, table, _ in task_cells(rules.runs)} | {cell.table for cell in figure_cells(rules.runs)}
    return sorted({row for table in compared for row in tables.cells.get(table, {})})


def is_released(system: System) -> bool:
    """Return whether the replies are results of others: files, or a Run that replays them without a Condition."""
    manifest = system.manifest
    return manifest is None or (manifest.model.startswith("replay/") and not manifest.conditions)


def _names(system: System) -> Iterator[str]:
    yield system.name
    if system.manifest is not None and is_released(system):
        yield system.manifest.model.partition("/")[2]
        path = Path(str(system.manifest.model_settings.get("path", "")))
        yield from dict.fromkeys((path.name, path.stem))


def _by_figures(system: System, rules: TableRules, accuracies: Accuracies) -> str | None:
    """Return the row of which the items give at least 10 cells, and half of those compared; None if there is none, or
    if two rows do equally well."""
    tables = load_tables(system.benchmark.folder / "published", rules.decimals, rules.aliases)
    compared, printed_counts = Counter[str](), Counter[str]()
    for task, table, column in task_cells(rules.runs):
        for row, cells in tables.cells.get(table, {}).items() if task in accuracies else ():
            if column in cells:
                compared[row] += 1
                printed_counts[row] += cells[column].value.meets(Interval.exact(accuracies[task]))
    best = printed_counts.most_common(2)
    if not best or (len(best) > 1 and best[0][1] == best[1][1]):
        return None
    row, n = best[0]
    return row if n >= _ENOUGH and 2 * n >= compared[row] else None


def tables_of_row(system: System, rules: TableRules, row: str, accuracies: Accuracies) -> Tables:
    """Return the paper's tables, read as truncated if that explains at least half of the row's cells that the items
    don't give if they were rounded."""
    folder = system.benchmark.folder / "published"
    rounded = load_tables(folder, rules.decimals, rules.aliases)
    odd = _unmatched_cells(rounded, rules, row, accuracies)
    if not odd:
        return rounded
    every: dict[str, Printing] = dict.fromkeys(rounded.cells, "truncated")
    truncated = load_tables(folder, rules.decimals, rules.aliases, every)
    return truncated if 2 * _unmatched_cells(truncated, rules, row, accuracies) <= odd else rounded


def _unmatched_cells(tables: Tables, rules: TableRules, row: str, accuracies: Accuracies) -> int:
    """Return the number of a row's cells that the items don't give."""
    odd = 0
    for task, table, column in task_cells(rules.runs):
        try:
            cell = tables.cell(table, row, column)
        except NoCell:
            continue
        odd += task in accuracies and not cell.value.meets(Interval.exact(accuracies[task]))
    return odd


def check_rows(system: System, rules: TableRules) -> None:
    """Raise SpecError if the row that was named for a system is in none of the tables with which it is compared."""
    if not system.row:
        return
    rows = _compared_rows(system, rules)
    if system.row not in rows:
        raise SpecError(
            f"the tables of {system.benchmark.name}'s paper have no such row",
            where="--row",
            got=system.row,
            fix=nearest(system.row, rows),
        )
