"""Tables of a Run's figures, each linked to the Items that it was computed from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from triptych.benchmarks import Benchmark
from triptych.records import (
    Aggregate,
    Column,
    FigureKey,
    RowSlice,
    Table,
    TableCell,
    TableRow,
    column_key,
    figure_key,
    slice_key,
)
from triptych.reports.html.links import items_path
from triptych.reports.tables import words
from triptych.reports.tables.book import Report
from triptych.reports.tables.fill import without_empty
from triptych.scoring.outcome import Scored
from triptych.store.folder import RunFolder
from triptych.viewer.index.files import RunIndex


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as a page shows it: `href` links to the Items behind it; empty if there are none to show."""

    shown: str
    interval: str
    n: int
    href: str
    note: str
    best: bool
    sort: float | None
    second: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """A table as a page shows it: rows are (name, second name, cells, coverage)."""

    table: Table
    rows: tuple[tuple[str, str, tuple[Cell, ...], str], ...]


def run_tables(
    benchmark: Benchmark, slug: str, scored: Scored, protocol: str, index: RunIndex, folder: RunFolder
) -> list[Shown]:
    """Return the overview and every table of the benchmark in which the Run has a figure; tables of a sample only for
    Runs on it."""
    report = Report(benchmark, {slug: scored}, frozenset({folder.manifest.sample}), folders={slug: folder})
    # A benchmark's own overview, where it has one, stands for the general one.
    tables = {table.id: table for table in (report.overview(protocol), *report.tables(protocol))}
    made = {figure_key(figure): figure for figure in scored[protocol]}
    return [
        _shown(_single_run_table(without_empty(table), slug), protocol, {slug: index}, made)
        for table in tables.values()
    ]


def _single_run_table(table: Table, slug: str) -> Table:
    """Return the table of one Run, with its marks as plain notes that don't name the Run."""
    marks = dict.fromkeys(mark for row in table.rows for mark in row.marks)
    return replace(table, notes=(*marks, *(note.replace(f" ({slug})", "") for note in table.notes)))


def overview_of(benchmark: Benchmark, runs: Mapping[str, Scored], folders: Mapping[str, RunFolder]) -> Shown | None:
    """Return the Runs of one benchmark in one table, under its first protocol, without links to Items. The best is
    marked as in a report: a Run of a part of the questions is not compared with those of all."""
    report = Report(benchmark, runs, folders={slug: folders[slug] for slug in runs})
    names = report.protocols()
    return _shown(without_empty(report.overview(names[0])), names[0], {}) if names else None


def _shown(
    table: Table, protocol: str, indexes: Mapping[str, RunIndex], made: Mapping[FigureKey, Aggregate] | None = None
) -> Shown:
    """Return the table for a page. `indexes`: row label -> the index of its Run; `made`: that Run's figures."""
    rows = []
    for row in table.rows:
        cells = [
            _cell(cell, column, protocol, row, indexes.get(row.label), made or {})
            for cell, column in zip(row.cells, table.columns, strict=True)
        ]
        coverage = f"{words.row_percent(row)} {words.row_share(row)}" if row.counts else ""
        rows.append((row.label, row.sub, tuple(cells), coverage))
    return Shown(table, tuple(rows))


def _cell(
    cell: TableCell,
    column: Column,
    protocol: str,
    row: TableRow,
    index: RunIndex | None,
    made: Mapping[FigureKey, Aggregate],
) -> Cell:
    shown, between = words.value(cell), words.interval(cell)
    href = _href(row.label, column, row.part, protocol, index, made) if index and not column.rank else ""
    return Cell(shown, between, cell.n, href, cell.note, cell.best, cell.value, cell.second)


def _href(
    slug: str,
    column: Column,
    slice_: RowSlice | None,
    protocol: str,
    index: RunIndex,
    made: Mapping[FigureKey, Aggregate],
) -> str:
    """Return the address of the Items behind a figure; empty if the Run has none.

    Only facets of Items filter the list: a prompt or a Condition applies to the whole Run. If a figure leaves out Tasks
    that these facets would include, the address names the figure, so that the list leaves them out too.
    """
    task, wanted, _ = column_key(column, slice_)
    contents = index.contents
    facets = {**(slice_.slice if slice_ else {}), **column.slice}
    figure = made.get((task, wanted, slice_key(facets)))
    facets = {name: value for name, value in facets.items() if name in contents.facets}
    if any(value not in contents.facets[name] for name, value in facets.items()):
        return ""
    benchmark = task.partition("/")[0]
    if task != benchmark and not any(t == task or t.startswith(f"{task}/") for t in contents.tasks):
        return ""
    metric = wanted if wanted in contents.metrics.get(protocol, ()) else ""
    task_part = task if task != benchmark else ""
    below = {t for t in contents.tasks if not task_part or t == task_part or t.startswith(f"{task_part}/")}
    name = figure_name(figure) if figure and figure.tasks and below - {*figure.tasks} else ""
    return items_path(slug, protocol=protocol, task=task_part, metric=metric, slice_=facets, figure=name)


def figure_name(figure: Aggregate) -> str:
    """Return a figure's name in an address: `xmodbench|acc|family=perception`."""
    return "|".join([figure.task, figure.metric, *(f"{name}={value}" for name, value in slice_key(figure.slice))])
