"""All figures of a report: those that the benchmark declares, and those that any benchmark has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from triptych.records import Column, Section, Table, TableCell, TableRow
from triptych.reports.book import Report
from triptych.reports.costs import Cost
from triptych.reports.figures.draw import Drawing, draw, need_matplotlib
from triptych.reports.figures.spec import FigureSpec, layout_of, load_figures
from triptych.reports.section_figures import section_figures
from triptych.store.atomic import write_atomically

_NUMBER = re.compile(r"(=)(-?\d+(?:\.\d+)?)(?=$|,)")
_NOT_WORD = re.compile(r"[^a-z0-9]+")
MOST = 16  # headings of an overview that can still be drawn


def gallery(report: Report, protocol: str) -> Iterator[Drawing]:
    """The figures in which any Run has a value. Raises SpecError where matplotlib isn't installed."""
    need_matplotlib()
    file = load_figures(report.benchmark)
    wanted = [spec for spec in file.figures if not spec.protocols or protocol in spec.protocols]
    tables = [(spec, report.fill(layout_of(spec, report.benchmark), protocol)) for spec in wanted]
    overview = report.overview(protocol)
    if not tables and 0 < len(overview.headings) <= MOST:
        tables.append((FigureSpec("overview", "bars", overview.title), overview))
    tables += list(_outcomes(report)) + list(_costs(report, overview)) + list(_doses(report, overview))
    for spec, table in tables:
        if not spec.published:
            table = _own(table)
        if (drawing := draw(spec, table, file.latin)) is not None:
            yield drawing


def write_figures(
    report: Report, protocol: str, place: Path, kinds: Sequence[str], sections: Sequence[Section] = ()
) -> list[Path]:
    """Each figure, also those of the analyses, in each of the kinds (`svg`, `png`, `pdf`) in `figures/`; returns the
    files written."""
    written = []
    for drawing in [*gallery(report, protocol), *(drawing for _, drawing in section_figures(sections))]:
        for kind in kinds:
            path = place / "figures" / f"{report.benchmark.name}-{drawing.id}.{kind}"
            write_atomically(path, drawing.save(kind))
            written.append(path)
    return written


def _own(table: Table) -> Table:
    from msgspec.structs import replace

    return replace(table, rows=tuple(row for row in table.rows if row.origin == "run"))


def _costs(report: Report, overview: Table) -> Iterator[tuple[FigureSpec, Table]]:
    """Cost against the total: money where it is known and was spent, else tokens, else time."""
    costs = {label: Cost.of(folder.responses()) for label, folder in report.folders.items()}
    totals = {row.label: row.cells[-1] for row in overview.rows if row.origin == "run" and row.cells}
    measures = {
        "US$": {label: cost.usd or None for label, cost in costs.items()},
        "thousand tokens": {label: (cost.input_tokens + cost.output_tokens) / 1000 if cost.told else None
                            for label, cost in costs.items()},
        "minutes until the answers, added up": {label: cost.seconds / 60 if cost.seconds else None
                                                for label, cost in costs.items()},
    }  # fmt: skip
    for name, values in measures.items():
        if sum(value is not None for value in values.values()) > 1:
            rows = [
                TableRow(label, (TableCell(values[label]), cell)) for label, cell in totals.items() if label in values
            ]
            table = Table("cost", "", (name, overview.headings[-1]), tuple(rows), overview.protocol, overview.headline)
            yield FigureSpec("cost", "scatter", f"Cost against score: {overview.headings[-1]}"), table
            return


def _doses(report: Report, overview: Table) -> Iterator[tuple[FigureSpec, Table]]:
    """A score along a Condition's number (noise in dB, a bit rate), for Runs that differ in nothing else."""
    totals = {row.label: row.cells[-1] for row in overview.rows if row.origin == "run" and row.cells}
    series: dict[str, dict[float, dict[str, TableCell]]] = {}
    plain: dict[str, TableCell] = {}
    for label, folder in report.folders.items():
        names = folder.manifest.conditions
        if not names:
            plain.setdefault(folder.manifest.model, totals[label])
        elif len(names) == 1 and (found := _NUMBER.search(names[0])):
            kind = _NUMBER.sub(lambda match: match[1] + "…", names[0], count=1)
            series.setdefault(kind, {}).setdefault(float(found[2]), {})[folder.manifest.model] = totals[label]
    for kind, steps in series.items():
        if len(steps) < 2:
            continue
        models = list(dict.fromkeys(model for step in steps.values() for model in step))
        columns: list[tuple[str, dict[str, TableCell]]] = [(f"{value:g}", steps[value]) for value in sorted(steps)]
        columns += [("as it is", plain)] if any(model in plain for model in models) else []
        rows = [TableRow(m, tuple(told.get(m, TableCell(None)) for _, told in columns)) for m in models]
        table = Table("dose", "", tuple(name for name, _ in columns), tuple(rows), overview.protocol, overview.headline)
        name = f"dose-{_NOT_WORD.sub('-', kind).strip('-')}"
        yield FigureSpec(name, "lines", f"{overview.headings[-1]} along {kind}", axis=overview.headings[-1]), table


def _outcomes(report: Report) -> Iterator[tuple[FigureSpec, Table]]:
    """What became of the Requests, where not all were answered."""
    from triptych.scoring.outcome import Scored

    counts = {label: own.counts for label, own in report.runs.items() if isinstance(own, Scored)}
    statuses = list(dict.fromkeys(status for own in counts.values() for status in own))
    if len(statuses) < 2:
        return
    rows = [
        TableRow(label, tuple(TableCell(float(own.get(s, 0)), 0, n=sum(own.values())) for s in statuses))
        for label, own in counts.items()
    ]
    columns = tuple(Column(status, report.benchmark.name, "units", better="") for status in statuses)
    yield (
        FigureSpec("outcomes", "stack", "What became of the questions"),
        Table("outcomes", "", tuple(statuses), tuple(rows), columns=columns),
    )
