"""Cells that a conversion has probably damaged, with their rows and columns: encodings, and what spreadsheets make of
texts. The questions are asked as they are; `run` and `check` name the cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from triptych.benchmarks._questions.cells import is_empty, parse_cell, words
from triptych.benchmarks._questions.items import CONTROL
from triptych.benchmarks._questions.mapping import Columns
from triptych.benchmarks._questions.rows import Row
from triptych.benchmarks._questions.spreadsheet_traces import is_rounded, traces_among
from triptych.metrics.text.damage import damages
from triptych.records import Problem

_NOTES = {"private-use", "combining-mark"}  # kinds that real texts have, too
_SHOWN = 5  # rows that a notice names
_SPREADSHEET = "spreadsheet-conversion"


class _Notice(msgspec.Struct):
    """A message about the first cell, the first rows, and the number of rows."""

    message: str
    rows: list[str]
    count: int = 0


class TextNotices:
    """Notices of the texts of rows, one for each kind and column."""

    def __init__(self, columns: Columns, path: Path) -> None:
        self._path = path
        self._roles = columns
        self._notices: dict[tuple[str, str], _Notice] = {}
        self._compared = {columns.answer, *columns.options} - {""}
        # Control characters in them are faults
        self._checked = {columns.question, *columns.options}
        others = (columns.question, columns.messages, columns.context, columns.rubric, columns.category)
        self._columns = tuple(dict.fromkeys(filter(None, (*others, *columns.facets, *columns.options, columns.answer))))

    def look_at(self, row: Row, options: Sequence[Any]) -> None:
        """Look at the texts of a row."""
        for column in self._columns:
            for text in _texts_in(row.cells.get(column)):
                for damage in damages(text, compared=column in self._compared):
                    if damage.kind != "control-character" or column not in self._checked or not CONTROL.search(text):
                        self._add(damage.kind, column, row.where, damage.message)
        self._look_for_traces(row, options)

    def _look_for_traces(self, row: Row, options: Sequence[Any]) -> None:
        columns, texts = self._roles.options, [words(one) for one in options]
        for position, message in traces_among(texts):
            self._add(_SPREADSHEET, columns[position] if len(columns) > 1 else columns[0], row.where, message)
        for column in filter(None, (self._roles.id, "" if options else self._roles.answer)):
            if isinstance(cell := row.cells.get(column), str) and is_rounded(cell.strip()):
                message = f"{cell.strip()!r} is probably a long number that a spreadsheet has rounded"
                self._add(_SPREADSHEET, column, row.where, message)

    def _add(self, kind: str, column: str, where: str, message: str) -> None:
        notice = self._notices.setdefault((kind, column), _Notice(message, []))
        if notice.rows[-1:] != [where]:
            notice.count += 1
            if len(notice.rows) < _SHOWN:
                notice.rows.append(where)

    def problems(self) -> Iterator[Problem]:
        """Yield a Problem for each kind and column, with the first rows."""
        for (kind, column), notice in self._notices.items():
            more = f" and {notice.count - len(notice.rows):,} more" if notice.count > len(notice.rows) else ""
            every = f" ({notice.count:,} rows: {', '.join(notice.rows)}{more})" if notice.count > 1 else ""
            where = f"{self._path}, {notice.rows[0]}, column {column}"
            severity = "note" if kind in _NOTES else "warning"
            yield Problem(severity, kind, where, notice.message + every, rows=notice.count)  # type: ignore[arg-type]


def _texts_in(cell: Any) -> Iterator[str]:
    """Yield the texts of a cell, also of lists and dictionaries, and of those that a text writes."""
    if is_empty(cell) or isinstance(cell, int | float):
        return
    if isinstance(cell, str) and cell.isascii() and "\\u" not in cell:
        yield cell
        return
    cells: list[Any] = [parse_cell(cell)]
    while cells:
        one = cells.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            cells += reversed(one.values())
        elif isinstance(one, list):
            cells += reversed(one)
