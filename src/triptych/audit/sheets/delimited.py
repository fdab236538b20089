"""Tables of CSV and TSV files: one per file, or several with empty lines between them."""

from __future__ import annotations

import csv
import io
from itertools import groupby

from triptych.audit.sheets.raw import MAX_COLUMNS, MAX_ROWS, RawCell, RawTable, expand_spans
from triptych.errors import DataError

_DELIMITERS = (",", "\t", ";", "|")
_MAX_FIELD_LENGTH = 1_000_000  # characters of a field


def delimited_tables(text: str, where: str, delimiter: str = "") -> list[RawTable]:
    """Return the tables of a CSV or TSV text. `delimiter`: found from the first lines if it is empty.

    Raises DataError with file and line for a text that isn't well-formed, or a table that is too large.
    """
    csv.field_size_limit(max(csv.field_size_limit(), _MAX_FIELD_LENGTH))
    delimiter = delimiter or _delimiter(text)
    rows: list[tuple[int, list[str]]] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        for all_cells in reader:
            rows.append((reader.line_num, all_cells))
            if len(rows) > MAX_ROWS or len(all_cells) > MAX_COLUMNS:
                expected = f"{MAX_ROWS:,} rows, {MAX_COLUMNS} columns"
                raise DataError("a table is too large", expected=expected, where=f"{where}:{reader.line_num}")
    except csv.Error as error:
        raise DataError("a table can't be read", where=f"{where}:{reader.line_num}", got=error) from None
    tables = []
    for filled, group in groupby(rows, key=lambda row: any(cell.strip() for cell in row[1])):
        own_rows = list(group)
        if filled:
            line = own_rows[0][0]
            cells = [[RawCell(" ".join(text.split())) for text in row] for _, row in own_rows]
            tables.append(RawTable(expand_spans(cells, f"{where}:{line}"), line))
    return tables


def _delimiter(text: str) -> str:
    """Return the delimiter that occurs in most of the first lines, as often in each."""
    lines = [line for line in text.splitlines()[:20] if line.strip()]
    return max(_DELIMITERS, key=lambda d: (min((line.count(d) for line in lines), default=0), -_DELIMITERS.index(d)))
