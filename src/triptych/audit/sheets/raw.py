"""A table as a file holds it: rows of cells with their spans, before anything is known about headers and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from triptych.errors import DataError

MAX_ROWS, MAX_COLUMNS, MAX_TABLES = 20_000, 512, 2_000
MAX_CELL_LENGTH = 2_000  # characters of a cell that are kept


@dataclass(frozen=True, slots=True)
class RawCell:
    """A cell: its text, how far it spans, and how it is marked. `header`: the file itself calls it a header."""

    text: str
    bold: bool = False
    underlined: bool = False
    header: bool = False
    columns: int = 1
    rows: int = 1
    repeated: bool = False  # this position is covered by a cell that spans it, and isn't the cell's first


@dataclass(slots=True)
class RawTable:
    """A table of a file. `line`: where it begins; `caption`: its caption or the heading above it; `above`: the line of
    text above it; `rules`: the numbers of rows before which a rule is drawn, empty if the format has none."""

    rows: list[list[RawCell]]
    line: int = 1
    caption: str = ""
    rules: list[int] = field(default_factory=list)
    above: str = ""


EMPTY = RawCell("")


def expand_spans(rows: Sequence[Sequence[RawCell]], where: str, *, listed: bool = False) -> list[list[RawCell]]:
    """Return the rows with a cell at every position: a cell that spans several is repeated at each of them.

    `listed`: positions that a cell above covers are listed again, as empty cells (LaTeX), instead of left out (HTML).
    Raises DataError for a table with more rows or columns than `MAX_ROWS` and `MAX_COLUMNS`.
    """
    if len(rows) > MAX_ROWS:
        raise DataError("a table has too many rows", expected=f"at most {MAX_ROWS:,}", got=len(rows), where=where)
    rows_of_cells: list[list[RawCell]] = []
    waiting: dict[int, tuple[int, RawCell]] = {}  # column -> rows that a cell above still covers, and that cell
    for row in rows:
        line: list[RawCell] = []
        for cell in row:
            if listed:
                cell = _listed(cell, waiting, len(line))
            else:
                _fill(line, waiting)
            for index in range(min(max(cell.columns, 1), MAX_COLUMNS)):
                shown = cell if not index else _repeated_cell(cell)
                if cell.rows > 1:
                    waiting[len(line)] = (min(cell.rows, MAX_ROWS) - 1, _repeated_cell(cell))
                line.append(shown)
            if len(line) > MAX_COLUMNS:
                raise DataError("a table has too many columns", expected=f"at most {MAX_COLUMNS}", where=where)
        if not listed:
            _fill(line, waiting)
        rows_of_cells.append(line)
    width = max(map(len, rows_of_cells), default=0)
    return [line + [EMPTY] * (width - len(line)) for line in rows_of_cells]


def _listed(cell: RawCell, waiting: dict[int, tuple[int, RawCell]], index: int) -> RawCell:
    """Return the cell of a row above that covers this empty one, otherwise the cell itself."""
    left, above = waiting.pop(index, (0, cell))
    if not left or cell.text:
        return cell
    if left > 1:
        waiting[index] = (left - 1, above)
    return above


def _fill(line: list[RawCell], waiting: dict[int, tuple[int, RawCell]]) -> None:
    """Append the cells that rows above extend to the next positions."""
    while len(line) in waiting:
        column = len(line)
        left, cell = waiting.pop(column)
        if left > 1:
            waiting[column] = (left - 1, cell)
        line.append(cell)


def _repeated_cell(cell: RawCell) -> RawCell:
    return RawCell(cell.text, cell.bold, cell.underlined, cell.header, repeated=True)
