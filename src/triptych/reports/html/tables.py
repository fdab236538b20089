"""Tables in the form of the templates: every text is final, every number has its sort value and the figure behind
it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from triptych.records import Column, Table, TableRow
from triptych.reports.tables import words
from triptych.reports.tables.groups import bracketed, group_of, name_of

ARROWS = {
    "higher": ("↑", "higher is better"),
    "lower": ("↓", "lower is better"),
    "zero": ("→0", "nearer to 0 is better"),
}


@dataclass(frozen=True)
class Heading:
    """A column's heading: `arrow` and `better` give the direction, `column_key` identifies its figure for the page's
    script."""

    text: str
    arrow: str = ""
    better: str = ""
    column_key: str = ""
    n: int = 0


@dataclass(frozen=True)
class Cell:
    """A figure as shown; `sort` is its sort value, `title` the explanation of an empty cell."""

    text: str
    interval: str = ""
    other: str = ""
    sort: str = ""
    best: bool = False
    second: bool = False
    title: str = ""
    n: str = ""


@dataclass(frozen=True)
class Row:
    """A Run's or a published row. `about`: facts of the model; `notes`: its footnote numbers; `name`: its name within
    its group."""

    label: str
    origin: str
    cells: tuple[Cell, ...]
    share: str = ""
    percent: str = ""
    complete: bool = True
    losses: str = ""
    part_key: str = ""
    about: tuple[str, ...] = ()
    notes: tuple[int, ...] = ()
    name: str = ""


@dataclass(frozen=True)
class Group:
    """The rows of a slice; a table without slices is one group without a title."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class HtmlTable:
    """A table, ready for the template. `across`: it has a column for each model."""

    id: str
    title: str
    caption: str
    headings: tuple[Heading, ...]
    groups: tuple[Group, ...]
    notes: tuple[str, ...]
    protocol: str
    covered: bool
    about: tuple[str, ...] = ()
    footnotes: tuple[tuple[int, str], ...] = ()
    across: bool = False


def html_table(table: Table, once: Sequence[str] = ()) -> HtmlTable:
    """Return the table with all its texts, except those that the section says once: `basis`."""
    table = bracketed(table)
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in table.rows:
        groups.setdefault(group_of(row, table), []).append(_row(row, table))
    columns: tuple[Column | None, ...] = table.columns or (None,) * len(table.headings)
    return HtmlTable(
        id=table.id,
        title=table.title,
        caption=_caption(table, once),
        headings=tuple(
            _heading(text, column, words.units(table, number))
            for number, (text, column) in enumerate(zip(table.headings, columns, strict=True))
        ),
        groups=tuple(Group(title, tuple(rows)) for (_, title), rows in groups.items()),
        notes=tuple(note for note in (*words.on_all(table), *table.notes) if note not in once),
        protocol=table.protocol,
        covered=any(row.counts for row in table.rows),
        about=table.about,
        footnotes=tuple(words.numbered_footnotes(table).items()),
        across=table.models_across and not any(row.sub for row in table.rows),
    )


def compact(value: Any) -> str:
    """Return JSON on one line; the template escapes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def basis(table: Table) -> tuple[str, ...]:
    """Return what the figures of a table are, and what they are over: the same for the tables of a section."""
    return tuple(filter(None, (words.caption(table), *words.on_all(table))))


def _caption(table: Table, once: Sequence[str]) -> str:
    parts = [caption for caption in (words.caption(table),) if caption not in once]
    if any(cell.interval for row in table.rows for cell in row.cells):
        parts.append("95% interval below each value")
    if any(words.other_figure(cell, table.headline) for row in table.rows if row.origin == "run" for cell in row.cells):
        parts.append(
            "all: all Units, unanswered ones as wrong" if table.headline == "answered" else "ans.: answered Units only"
        )
    text = "; ".join(filter(None, parts))
    return text[:1].upper() + text[1:] if once else text


def _heading(text: str, column: Column | None, n: int) -> Heading:
    if column is None:
        return Heading(text, n=n)
    arrow, better = ARROWS.get(column.better, ("", ""))
    heading = "" if column.rank else compact([column.task, column.metric, column.slice])
    return Heading(text, arrow, better, heading, n)


def _row(row: TableRow, table: Table) -> Row:
    part = row.part
    return Row(
        label=row.label,
        name=name_of(row, table),
        origin=row.origin,
        cells=tuple(_cell(number, row, table) for number in range(len(row.cells))),
        share=words.row_share(row) if row.counts else "",
        percent=words.row_percent(row) if row.counts else "",
        complete=not words.by_outcome(row.counts) and not words.is_unfinished(row),
        losses=words.row_losses(row),
        part_key=compact([part.task, part.slice]) if part else "",
        about=tuple(text or words.DASH for text in row.about) if table.about else (),
        notes=tuple(words.numbers_of(row, table)),
    )


def _cell(number: int, row: TableRow, table: Table) -> Cell:
    cell, ours = row.cells[number], row.origin == "run"
    return Cell(
        text=words.printed_value(cell),
        interval=words.printed_spread(cell, row),
        other=words.other_figure(cell, table.headline) if ours else "",
        sort="" if cell.value is None else f"{cell.value:.7g}",
        best=cell.best,
        second=cell.second,
        title=cell.note,
        n=words.own_units(table, row, number),
    )
