"""All figures of a report: the benchmark's own, and those that any benchmark has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import structs

from triptych.records import Section, Table, TableRow
from triptych.reports.files.csv_files import table_csv
from triptych.reports.plots.complement import complemented
from triptych.reports.plots.draw import MAX_DISTINCT_RUNS, Drawing, draw, need_matplotlib
from triptych.reports.plots.run_figures import run_figures
from triptych.reports.plots.section_figures import section_figures
from triptych.reports.plots.spec import FigureSpec, layout_of, load_figures
from triptych.reports.tables.book import Report
from triptych.reports.tables.keys import key_errors
from triptych.reports.tables.overview import unit_of
from triptych.store.files.atomic import write_atomically

MAX_HEADINGS = 16  # headings of an overview that can still be drawn


def gallery(report: Report, protocol: str) -> Iterator[Drawing]:
    """Return the figures in which any Run has a value. Raises SpecError if matplotlib isn't installed."""
    need_matplotlib()
    file = load_figures(report.benchmark)
    wanted = [spec for spec in file.figures if not spec.protocols or protocol in spec.protocols]
    tables = [(spec, _table(spec, report, protocol)) for spec in wanted]
    overview, marks = report.overview(protocol), report.run_marks()
    if not tables and 0 < len(overview.headings) <= MAX_HEADINGS:
        tables.append((FigureSpec("overview", "bars", overview.title, axis=_axis(overview)), overview))
    tables += run_figures(report, overview)
    for spec, table in _without_crowded_bars(tables):
        if not spec.published:
            table = structs.replace(table, rows=_run_rows(table))
        if (drawing := draw(spec, table, file.latin, marks)) is not None:
            yield drawing


def _axis(overview: Table) -> str:
    """Return the unit of the overview's values, after the heading if there is only one; a mean over several metrics is
    in percent."""
    units = {unit_of(column.metric) for column in overview.columns}
    unit = units.pop() if len(units) == 1 else "each heading has its own unit"
    return f"{overview.headings[0]}, {unit}" if len(overview.headings) == 1 and unit else unit


def _table(spec: FigureSpec, report: Report, protocol: str) -> Table:
    if spec.keys:
        return key_errors(report, protocol, spec.keys)
    return complemented(report.fill(layout_of(spec, report.benchmark), protocol), spec.complement)


def _without_crowded_bars(tables: Sequence[tuple[FigureSpec, Table]]) -> Iterator[tuple[FigureSpec, Table]]:
    """Leave out bars over so many Runs that they would be drawn as the heat map that is already there."""
    heats = {frozenset(table.headings) for spec, table in tables if spec.kind == "heat"}
    for spec, table in tables:
        many = len({row.label for row in _run_rows(table)}) > MAX_DISTINCT_RUNS
        if not (spec.kind == "bars" and not spec.grid and many and frozenset(table.headings) in heats):
            yield spec, table


def write_figures(
    report: Report, protocol: str, location: Path, kinds: Sequence[str], sections: Sequence[Section] = ()
) -> list[Path]:
    """Write each figure, including those of analyses, in each of the formats (`svg`, `png`, `pdf`) to `figures/`;
    return the files written. With each goes its table as CSV and a line of LaTeX that includes it."""
    written = []
    for drawing in [
        *gallery(report, protocol),
        *(drawing for _, drawing in section_figures(sections, report.run_marks())),
    ]:
        name = f"{report.benchmark.name}-{drawing.id}"
        files = {kind: drawing.save(kind) for kind in kinds} | {"tex": drawing.latex(name).encode()}
        if drawing.table is not None:
            files["csv"] = table_csv([drawing.table]).encode()
        for kind, content in files.items():
            path = location / "figures" / f"{name}.{kind}"
            write_atomically(path, content)
            written.append(path)
    return written


def _run_rows(table: Table) -> tuple[TableRow, ...]:
    return tuple(row for row in table.rows if row.origin == "run")
