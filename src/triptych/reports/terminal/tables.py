"""Tables in the terminal. A table that is too wide is transposed or split into parts; nothing is truncated.

A cell shows the headline figure, its 95% interval, and the other figure if it differs. rich is imported on first use.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from triptych.records import Aggregate, Table, TableCell, TableRow
from triptych.records.harmless import visible
from triptych.reports.tables import words
from triptych.reports.tables.columns import chop, line_width, pack, wrapped
from triptych.reports.tables.groups import bracketed, group_of

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

LABEL = 24  # longer labels are folded
GAP = 2  # between columns: one space of padding, one of the box
BEST, SECOND, QUIET, WARNING = "bold green", "underline", "dim", "yellow"


def print_table(table: Table, console: Console | None = None) -> None:
    """Print a table: in one piece if it fits, transposed if that fits, otherwise in parts."""
    console = console or stdout()
    full_table, table = table, bracketed(table)
    turned = table.models_across and _fits(_transposed_grid(table), console)
    grids, interval_place = [_upright(table, range(len(table.headings)), with_coverage=True)], "below each value"
    if turned or not _fits(grids[0], console):
        grids, interval_place = [_transposed_grid(table)], "after each value"
    if not _fits(grids[0], console):
        table = full_table
        grids, interval_place = list(_parts(table, console)), "below each value"
    console.print()
    _line(console, table.title, "bold")
    _line(console, _legend(table, interval_place), QUIET)
    for number, grid in enumerate(grids):
        console.print(*([""] if number else []), grid, sep="\n")
    for row in table.rows:
        if loss_text := words.by_status(row.counts):
            _line(console, f"{_name(row)}: {loss_text}", WARNING)
    for note in words.footer_lines(table):
        _line(console, note, QUIET)


def print_signatures(runs: Mapping[str, Sequence[Aggregate]], console: Console | None = None) -> None:
    """Print the Runs' signatures, shared fields once, with line breaks between fields only."""
    console = console or stdout()
    common, short = words.short_signatures(words.signatures(runs))
    console.print()
    if common:
        _packed(console, "signature: ", common)
    for label, fields in short.items():
        if fields:
            _packed(console, f"  {label}: ", fields)


def print_notes(notes: Mapping[str, Sequence[str]], console: Console | None = None) -> None:
    """Print the notes on each Run."""
    console = console or stdout()
    for line, labels in words.note_owners(notes).items():
        _line(console, f"{', '.join(labels)}: {line}", WARNING)


def stdout() -> Console:
    """Return a console on standard output; 100 columns wide if it isn't a terminal and COLUMNS isn't set."""
    from rich.console import Console

    class Visible(Console):
        """A console that makes control characters visible: model names, facets and replies can contain terminal
        commands."""

        def render_str(self, text: str, **how: Any) -> Text:
            return super().render_str(visible(text), **how)

        def on_broken_pipe(self) -> None:
            """Let the command line end quietly after `triptych report … | head`; rich would end with exit code 1."""
            raise BrokenPipeError

    console = Visible(highlight=False, emoji=False, markup=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = 100
    return console


def _line(console: Console, line: str, style: str) -> None:
    if line:
        console.print(line, style=style, overflow="fold")


def _packed(console: Console, start: str, fields: str) -> None:
    for line in pack(start, [f"{field}|" for field in fields.split("|")], console.width):
        _line(console, line.rstrip("|") if line.endswith(fields[-8:] + "|") else line, QUIET)


def _legend(table: Table, heading: str) -> str:
    runs = [row for row in table.rows if row.origin == "run"]
    parts = [words.caption(table)]
    if any(cell.interval for row in runs for cell in row.cells):
        parts.append(f"95% interval {heading}")
    if any(words.other_figure(cell, table.headline) for row in runs for cell in row.cells):
        name, units = ("all", "all Units") if table.headline == "answered" else ("ans.", "those answered")
        parts.append(f"`{name}`: over {units}")
    return "; ".join(filter(None, parts))


def _name(row: TableRow) -> str:
    return f"{row.label}, {row.sub}" if row.sub else row.label


def _row_label(row: TableRow, table: Table) -> str:
    """Return the row's label with its footnotes and, in a transposed table, facts of its model."""
    about = ", ".join(text for text in row.about if table.about and text)
    return f"{_name(row)}{f' ({about})' if about else ''}{words.footnote_marks(row, table)}"


# ---- a table of rich

# Origins of neighbouring rows that a line separates
_NEW_SECTION = {("published", "run"), ("published", "mean"), ("run", "mean")}


def _grid() -> RichTable:
    from rich import box
    from rich.table import Table as RichTable

    return RichTable(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, GAP - 1, 0, 0), show_edge=False)


def _fits(grid: RichTable, console: Console) -> bool:
    width = sum((column.min_width or 0) + GAP for column in grid.columns) - GAP
    return width <= console.width


def _upright(table: Table, columns: Sequence[int], *, with_coverage: bool) -> RichTable:
    """Return a grid with Runs as rows and figures as columns."""
    grid = _grid()
    subs = any(row.sub for row in table.rows)
    folded = ["\n".join(wrapped(row.label + words.footnote_marks(row, table), LABEL)) for row in table.rows]
    label = max(4, min(LABEL, line_width(line for lines in folded for line in lines.split("\n"))))
    names: list[dict[str, Any]] = [{"min_width": label, "max_width": label, "overflow": "fold"}]
    if subs:
        names.insert(table.by_model, {"min_width": line_width(row.sub for row in table.rows), "no_wrap": True})
    for form in names:
        grid.add_column("", **form)
    for number, name in enumerate(table.about):
        cells = [name, *(row.about[number] for row in table.rows if row.about)]
        grid.add_column(name, min_width=line_width(cells), no_wrap=True)
    if with_coverage:
        width = max([8, *map(_cover_width, table.rows)])
        grid.add_column("coverage", justify="right", min_width=width, no_wrap=True)
    for column in columns:
        width = max((line_width(_lines(column, row, table)) for row in table.rows), default=1)
        heading = [*wrapped(table.headings[column], max(width, 7)), *filter(None, [_units(table, column)])]
        grid.add_column("\n".join(heading), justify="right", min_width=max(width, line_width(heading)), no_wrap=True)
    before: TableRow | None = None
    for name, row in zip(folded, table.rows, strict=True):
        new = before is None or group_of(row, table) != group_of(before, table)
        if before is not None and ((new and subs) or (before.origin, row.origin) in _NEW_SECTION):
            grid.add_section()
        start = [_text(name if new or not table.by_model else "", _style(row))]
        if subs:
            start.insert(table.by_model, _text(row.sub if new or table.by_model else ""))
        shown = [_cell(column, row, table) for column in columns]
        covered = [_coverage(row)] if with_coverage else []
        texts = [_text(text or words.DASH, _style(row)) for text in row.about] if table.about else []
        grid.add_row(*start, *texts, *covered, *shown)
        before = row
    return grid


def _transposed_grid(table: Table) -> RichTable:
    """Return a grid with figures as rows and Runs as columns, for many figures of few Runs."""
    grid = _grid()
    grid.add_column("", min_width=line_width(table.headings), no_wrap=True)
    units = [_units(table, number).removeprefix("n ") for number in range(len(table.headings))]
    if any(units):
        grid.add_column("n", justify="right", min_width=line_width(units), style=QUIET, no_wrap=True)
    spreads = [line_width(words.printed_spread(cell, row) for cell in row.cells) for row in table.rows]
    for row, spread in zip(table.rows, spreads, strict=True):
        figures = line_width(words.printed_value(cell) for cell in row.cells)
        width = max(figures + 1 + spread, _cover_width(row))
        label = [
            piece for line in wrapped(_row_label(row, table), max(width, 14)) for piece in chop(line, max(width, 14))
        ]
        grid.add_column("\n".join(label), justify="right", min_width=max(width, line_width(label)), no_wrap=True)
    grid.add_row("coverage", *([""] if any(units) else []), *[_coverage(row) for row in table.rows])
    grid.add_section()
    for number, heading in enumerate(table.headings):
        cells = [_one_line_cell(number, row, table, w) for row, w in zip(table.rows, spreads, strict=True)]
        grid.add_row(heading, *([units[number]] if any(units) else []), *cells)
    return grid


def _parts(table: Table, console: Console) -> Iterator[RichTable]:
    """Return the columns in as few parts as fit, evenly filled, with coverage in the first one."""
    every = list(range(len(table.headings)))
    grids: list[RichTable] = []
    for count in range(2, len(every) + 1):
        size = -(-len(every) // count)
        starts = list(range(0, len(every), size))
        grids = [_upright(table, every[s : s + size], with_coverage=s == starts[0]) for s in starts]
        if all(_fits(grid, console) for grid in grids):
            break
    yield from grids or [_upright(table, every, with_coverage=True)]


# ---- cells


def _style(row: TableRow, cell: TableCell | None = None) -> str:
    if row.origin == "published":
        return QUIET
    return BEST if cell and cell.best else SECOND if cell and cell.second else ""


def _text(content: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(visible(content), style=style)


def _lines(column: int, row: TableRow, table: Table) -> list[str]:
    cell = row.cells[column]
    value = words.printed_value(cell)
    if row.origin != "run":
        return [value]
    below = [
        words.printed_spread(cell, row),
        words.own_units(table, row, column),
        words.other_figure(cell, table.headline),
    ]
    return [value, *filter(None, below)]


def _cell(column: int, row: TableRow, table: Table) -> Text:
    """Return figure, interval, number of Units and the other figure, below each other."""
    first, *rest = _lines(column, row, table)
    shown = _text("").append(first, style=_style(row, row.cells[column]))
    for line in rest:
        shown.append(f"\n{line}", style=QUIET)
    return shown


def _one_line_cell(column: int, row: TableRow, table: Table, spread: int) -> Text:
    """Return figure and interval on one line, aligned, with the other figure below."""
    cell = row.cells[column]
    shown = _text("").append(words.printed_value(cell), style=_style(row, cell))
    if spread:
        shown.append(f" {words.printed_spread(cell, row):>{spread}}", style=QUIET)
    if counted := words.own_units(table, row, column):
        shown.append(f"\n{counted}{' ' * (spread + 1 if spread else 0)}", style=QUIET)
    if row.origin == "run" and (other := words.other_figure(cell, table.headline)):
        shown.append(f"\n{other}{' ' * (spread + 1 if spread else 0)}", style=QUIET)
    return shown


def _coverage(row: TableRow) -> Text:
    if row.origin != "run":
        return _text("paper" if row.origin == "published" else "", QUIET)
    is_complete = row.coverage == 1 and not words.is_unfinished(row)
    shown = _text("").append(words.row_percent(row), style="" if is_complete else WARNING)
    return shown.append("".join(f"\n{line}" for line in _counts(row)), style=QUIET)


def _counts(row: TableRow) -> list[str]:
    """Return the counts below a coverage, one per line for an interrupted Run."""
    return words.row_share(row).split(", ") if row.counts and row.origin == "run" else []


def _cover_width(row: TableRow) -> int:
    return line_width([words.row_percent(row) if row.counts else "", *_counts(row)])


def _units(table: Table, column: int) -> str:
    """Return `n 60` if all Runs' figures cover the same number of Units; otherwise empty."""
    counted = words.units(table, column)
    return f"n {counted:,}" if counted else ""
