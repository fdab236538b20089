"""The first screen of a report in the terminal: a sentence for each benchmark, and the matrix of Runs and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from triptych.records.harmless import visible
from triptych.reports.html.first_screen import Screen, screen
from triptych.reports.tables import words
from triptych.reports.tables.columns import chop, line_width, wrapped
from triptych.reports.tables.matrix import MIN_UNITS, Block, Cell, MatrixColumn

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

NAME = 30  # columns of a Run's name; longer ones are folded
BlockColumn = tuple[Block, int]  # a benchmark, and the number of one of its columns


def show_screen(blocks: Sequence[Block], title: str = "") -> None:
    """Print the answer of a report: what is known about each benchmark, all headline figures, and the caveats."""
    from triptych.reports.terminal.tables import QUIET, WARNING, stdout

    console, made = stdout(), screen(blocks, title)
    console.print()
    console.print(made.title, style="bold", overflow="fold")
    console.print(made.lead, style=QUIET)
    console.print()
    for one in blocks:
        absent = f"Without a value: {'; '.join(one.absent)}." if one.absent else ""
        if text := " ".join(filter(None, [one.summary, absent])):
            console.print(f"{one.title}: {text}", overflow="fold")
    for grid in _grids(made, console.width):
        console.print()
        console.print(grid)
    console.print()
    for one in blocks:
        if one.few:
            text = f"{one.title}, fewer than {MIN_UNITS} questions in this sample: {', '.join(one.few)}"
            console.print(text, style=QUIET, overflow="fold")
    for one in blocks:
        for mark in one.shared:
            console.print(f"{one.title}: {mark}", style=WARNING, overflow="fold")
    for label in made.labels:
        caveats = [*(["not ranked"] if label in made.unranked_runs else []), *made.notes(blocks, label)]
        if caveats:
            console.print(f"{label}: {'; '.join(caveats)}", style=WARNING, overflow="fold")
    console.print(
        "Value, rank by paired tests (#), and 95% interval; bold: the interval is better than those of all other Runs.",
        style=QUIET,
        overflow="fold",
    )


def _grids(made: Screen, width: int) -> Iterator[Table]:
    """Yield the matrix in as few parts as fit."""
    places = [(one, number) for one in made.blocks for number in range(len(one.columns))]
    names = {label: [p for line in wrapped(label, NAME) for p in chop(line, NAME)] for label in made.labels}
    left = width - line_width(line for lines in names.values() for line in lines)
    part: list[BlockColumn] = []
    used = 0
    for column in places:
        size = line_width([*_heading(*column), *(line for label in made.labels for line in _lines(*column, label))]) + 2
        if part and used + size > left:
            yield _grid(made, names, part)
            part, used = [], 0
        part.append(column)
        used += size
    if part:
        yield _grid(made, names, part)


def _grid(made: Screen, names: dict[str, list[str]], part: Sequence[BlockColumn]) -> Table:
    from rich import box
    from rich.table import Table

    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)
    grid.add_column("", no_wrap=True)
    for column in part:
        grid.add_column("\n".join(_heading(*column)), justify="right", no_wrap=True)
    before = None
    for label in made.labels:
        if before is not None and (label in made.unranked_runs) != before:
            grid.add_section()
        before = label in made.unranked_runs
        grid.add_row(visible("\n".join(names[label])), *(_cell(one, number, label) for one, number in part))
    return grid


def _heading(block: Block, number: int) -> list[str]:
    matrix_column: MatrixColumn = block.columns[number]
    arrow = words.ARROWS.get(matrix_column.better, "")
    counted = [f"n {matrix_column.n:,}"] if matrix_column.n else []
    part = wrapped(matrix_column.part, 14) if matrix_column.part else []
    return [*wrapped(block.title, 11), *wrapped(f"{matrix_column.heading} {arrow}".strip(), 11), *counted, *part]


def _lines(block: Block, number: int, label: str) -> list[str]:
    cells = block.cells.get(label)
    if not cells:
        return [words.DASH]
    cell, column = cells[number], block.columns[number]
    if cell.value is None:
        return [words.DASH, *wrapped(cell.lacks, 14)]
    first = f"{cell.text} #{cell.rank}" if cell.rank else cell.text
    counted = [f"n {cell.n:,}"] if cell.n != column.n and cell.interval else []
    part = wrapped(cell.part, 14) if cell.part and cell.part != column.part else []
    return [first, *wrapped(cell.spread, 14), *counted, *part]


def _cell(block: Block, number: int, label: str) -> Text:
    from rich.text import Text

    from triptych.reports.terminal.tables import BEST, QUIET, SECOND

    first, *rest = _lines(block, number, label)
    cells = block.cells.get(label)
    cell: Cell | None = cells[number] if cells else None
    style = BEST if cell and cell.best else SECOND if cell and cell.second else ""
    value, _, rank = first.partition(" ")
    shown = Text().append(visible(value), style=style)
    if rank:
        shown.append(f" {rank}", style=QUIET)
    for line in rest:
        shown.append(f"\n{visible(line)}", style=QUIET)
    return shown
