"""Tables as CSV: one tidy file with every figure, and one file per layout."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from triptych.records import Aggregate, Table, TableCell, TableRow
from triptych.records.harmless import harmless

TIDY = (
    "run",
    "protocol",
    "task",
    "metric",
    "slice",
    "value",
    "low",
    "high",
    "value_all",
    "value_answered",
    "n",
    "units",
    "coverage",
    "counts",
    "signature",
    "marks",
)


def tidy_csv(
    runs: Mapping[str, Mapping[str, Sequence[Aggregate]]], marks: Mapping[str, Sequence[str]] | None = None
) -> str:
    """Return every figure of every Run (label -> protocol -> aggregates), one per line, unrounded; empty for a missing
    value.

    `low` and `high` are the bounds of the 95% interval of `value`; `slice` and `counts` are JSON objects. `marks`:
    label -> restrictions of the Run (for example the mini set).
    """
    rows = (
        _tidy(label, aggregate, "; ".join((marks or {}).get(label, ())))
        for label, protocols in runs.items()
        for aggregates in protocols.values()
        for aggregate in aggregates
    )
    return _csv([TIDY, *rows])


def table_csv(tables: Iterable[Table]) -> str:
    """Return one layout under its protocols, with one line per Run (and slice) or published row.

    Each heading has its value and, for measured Runs, the bounds of the interval, the figure over all Units and over
    the answered ones, and n. The last columns are facts of the model and the row's `marks` (restrictions such as the
    mini set). In a table with a column for each model, all this is turned: a line has one heading and one such value.
    """
    listed = list(tables)
    if not listed:
        return ""
    if any(table.models_across for table in listed):
        return _csv(_wide_lines(listed))
    headings = [name for heading in listed[0].headings for name in _names(heading)]
    start = ("protocol", "headline", "origin", "run", "slice")
    about = list(dict.fromkeys(name for table in listed for name in table.about))
    lines: list[Sequence[object]] = [(*start, *headings, "coverage", "counts", *about, "marks")]
    for table in listed:
        lines += [_line(table, row, about) for row in table.rows]
    return _csv(lines)


def _wide_lines(tables: Sequence[Table]) -> Iterator[Sequence[object]]:
    """Yield the lines of tables that have a column for each model; each line has one figure of all models."""
    heads = list(dict.fromkeys((row.origin, row.label, row.sub) for table in tables for row in table.rows))
    yield "protocol", "headline", "figure", *(f"{label}, {sub}" if sub else label for _, label, sub in heads)
    for table in tables:
        rows = {(row.origin, row.label, row.sub): row for row in table.rows}
        row_cells = [rows.get(head) for head in heads]
        names = [name for heading in table.headings for name in _names(heading)]
        lines: list[tuple[str, list[object]]] = [("origin", [row and row.origin for row in row_cells])]
        values = [
            [value for cell in row.cells for value in _cell(cell)] if row else [None] * len(names) for row in row_cells
        ]
        lines += [(name, [each[number] for each in values]) for number, name in enumerate(names)]
        lines += [
            ("coverage", [row and row.coverage and round(row.coverage, 6) for row in row_cells]),
            ("counts", [_json(row.counts) if row and row.counts else None for row in row_cells]),
            ("marks", ["; ".join(row.marks) if row else "" for row in row_cells]),
        ]
        lines += [(name, [row and row.about[number] for row in row_cells]) for number, name in enumerate(table.about)]
        yield from ((table.protocol, table.headline, name, *each) for name, each in lines)


def _tidy(label: str, a: Aggregate, marks: str) -> tuple[object, ...]:
    low, high = a.interval or (None, None)
    return (
        label,
        a.protocol,
        a.task,
        a.metric,
        _json(a.slice),
        a.value,
        low,
        high,
        a.value_all,
        a.value_answered,
        a.n,
        a.units,
        round(a.coverage, 6),
        _json(a.counts),
        a.signature,
        marks,
    )


def _names(heading: str) -> tuple[str, ...]:
    return heading, f"{heading} low", f"{heading} high", f"{heading} all", f"{heading} answered", f"{heading} n"


def _line(table: Table, row: TableRow, about: Sequence[str]) -> tuple[object, ...]:
    cells = [value for cell in row.cells for value in _cell(cell)]
    coverage = None if row.coverage is None else round(row.coverage, 6)
    counts = _json(row.counts) if row.counts else None
    facts = dict(zip(table.about, row.about, strict=True)) if table.about else {}
    values = [facts.get(name, "") for name in about]
    marks = "; ".join(row.marks)
    return (table.protocol, table.headline, row.origin, row.label, row.sub, *cells, coverage, counts, *values, marks)


def notes_csv(tables: Iterable[Table]) -> str:
    """Return the notes below each table, one per line. `row` is the row of a footnote; empty for a note on the whole
    table."""
    lines: list[Sequence[object]] = [("table", "protocol", "row", "note")]
    for table in tables:
        rows = dict.fromkeys((row.label, mark) for row in table.rows for mark in row.marks)
        lines += [(table.id, table.protocol, label, mark) for label, mark in rows]
        lines += [(table.id, table.protocol, "", note) for note in table.notes]
    return _csv(lines)


def _cell(cell: TableCell) -> Iterator[float | None]:
    yield cell.value
    yield from cell.interval or (None, None)
    yield cell.value_all
    yield cell.value_answered
    yield cell.n or None


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _csv(rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([harmless(cell) for cell in row] for row in rows)
    return out.getvalue()
