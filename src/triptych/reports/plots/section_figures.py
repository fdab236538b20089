"""Figures of analyses, drawn from their tables, by the kind of analysis."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import structs

from triptych.analysis.raters.calibrated import AGREEMENT
from triptych.records import Section, Table, TableRow
from triptych.reports.plots.draw import Drawing, Marks, draw
from triptych.reports.plots.spec import FigureSpec

MAX_ROWS = 14  # rows of a table that can still be drawn


def section_figures(sections: Sequence[Section], marks: Marks | None = None) -> Iterator[tuple[str, Drawing]]:
    """Yield (kind of analysis, figure): ablations, positions chosen, kinds of error, agreement of raters. `marks`:
    label -> restrictions of the Run."""
    for section in sections:
        for spec, table in _specs(section):
            if (drawing := draw(spec, table, marks=marks)) is not None:
                yield section.id.partition(".")[0], drawing
    if (rated := raters(sections)) is not None:
        spec = FigureSpec("judges", "dots", "Reliability of judges", axis="1: perfect agreement, 0: none")
        if (drawing := draw(spec, rated, marks=marks)) is not None:
            yield "agreement", drawing
    if (places := _places(sections)) is not None:
        spec = FigureSpec(
            "positions", "bars", "Position of the correct option, positions chosen, accuracy by position", axis="%"
        )
        if (drawing := draw(spec, places, marks=marks)) is not None:
            yield "robustness", drawing


def transpose(table: Table, headings: Sequence[int] | None = None) -> Table:
    """Return the table transposed: each of the `headings` (None: all) becomes a row over the table's rows."""
    chosen = range(len(table.headings)) if headings is None else headings
    rows = [TableRow(table.headings[n], tuple(row.cells[n] for row in table.rows)) for n in chosen]
    names = tuple(row.label.replace("_", " ") for row in table.rows)
    return Table(table.id, table.title, names, tuple(rows), table.protocol)


def _specs(section: Section) -> Iterator[tuple[FigureSpec, Table]]:
    kind = section.id.partition(".")[0]
    for number, table in enumerate(section.tables):
        name = _slug(f"{section.id}-{section.title if number == 0 else table.title}")
        if not 1 < len(table.rows) <= MAX_ROWS and kind != "error_kinds":
            continue
        if kind == "ablation" and number == 0:
            columns = [
                n for n, heading in enumerate(table.headings) if heading.partition(" ")[0] in ("minus", "more", "plus")
            ]
            yield (
                FigureSpec(name, "bars", section.title, axis="points; 0 means no difference"),
                transpose(table, columns),
            )
        elif kind == "error_kinds" and number == 0:
            yield FigureSpec(name, "stack", "Kinds of error", axis="share of errors, %"), transpose(table)


def raters(sections: Sequence[Section]) -> Table | None:
    """Return the agreement of pairs of raters, with one slice per Run: judges with people, with each other and with
    themselves, then with metrics. The bias is left out because its scale differs."""
    rows: list[TableRow] = []
    protocol = ""
    for section in sections:
        if section.id.partition(".")[0] != "agreement" or not section.tables:
            continue
        table = section.tables[0]
        places = [table.headings.index(name) for name in AGREEMENT if name in table.headings]
        if len(places) < len(AGREEMENT):
            continue
        rater_rows = [
            TableRow(row.label, tuple(row.cells[n] for n in places), sub=section.title.rpartition(": ")[2])
            for row in table.rows
            if any(row.cells[n].value is not None for n in places)
        ]
        rows += _named(sorted(rater_rows, key=lambda row: _rank(row.label))[:MAX_ROWS])
        protocol = protocol or table.protocol
    return Table("judges", "", AGREEMENT, tuple(rows), protocol) if rows else None


_JUDGE = re.compile(r"-[0-9a-f]{8} on (\S+)")


def _named(rows: Sequence[TableRow]) -> list[TableRow]:
    """Return the rows without the hashes of judges, and without a constant metric, if the names stay distinct."""
    metrics = {metric for row in rows for metric in _JUDGE.findall(row.label)}
    short = [_JUDGE.sub(" on \\1" if len(metrics) > 1 else "", row.label) for row in rows]
    if len(set(short)) < len(rows):
        return list(rows)
    return [structs.replace(row, label=name) for row, name in zip(rows, short, strict=True)]


def _rank(pair: str) -> int:
    """Return a sort key, people before judges before metrics: 0 for a pair with a person and no metric."""
    metric, person = pair.count("metric "), pair.count("person ")
    return 3 if metric else 0 if person else 1 if pair.count("judge ") > 1 else 2


def _places(sections: Sequence[Section]) -> Table | None:
    """Return the position tables of all Runs as slices of one table."""
    rows: list[TableRow] = []
    headings: tuple[str, ...] = ()
    protocol = ""
    for section in sections:
        if (
            not section.id.startswith("robustness.position")
            or not section.tables
            or len(section.tables[0].rows) > MAX_ROWS // 2
        ):
            continue
        if not any(cell.value is not None for row in section.tables[0].rows for cell in row.cells[1:]):
            continue  # nothing was picked
        table = transpose(section.tables[0])
        headings, protocol = headings or table.headings, table.protocol
        if table.headings == headings:
            who = section.title.rpartition(": ")[2]
            rows += [TableRow(row.label, row.cells, sub=who) for row in table.rows]
    return Table("positions", "", headings, tuple(rows), protocol) if rows else None


def _slug(text: str) -> str:
    return "-".join("".join(sign if sign.isalnum() and sign.isascii() else " " for sign in text.lower()).split())
