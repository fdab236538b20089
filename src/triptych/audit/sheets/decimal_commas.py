"""Tables whose numbers have decimal commas (`67,2`), and points or spaces between thousands (`1.234,5`)."""

from __future__ import annotations

import re
from dataclasses import replace

from triptych.audit.sheets.raw import RawTable

# A comma that separates no group of three digits, or follows a single 0, is a decimal one.
_COMMA = re.compile(r"(?<![\d.,])(?:0,\d+|(?:\d{1,3}(?:\.\d{3})+|\d+),(?:\d{1,2}|\d{4,}))(?![\d.,])")
_POINT = re.compile(r"(?<![\d.,])(?:0\.\d+|(?:\d{1,3}(?:,\d{3})+|\d*)\.(?:\d{1,2}|\d{4,}))(?![\d.,])")
_LIST = re.compile(r"\d,\d{1,2},\d")  # 1,2,3: commas between numbers
_NUMBER = re.compile(r"(?<![\d.,])(?:\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d+)(?![\d.,])")
_LETTERS = re.compile(r"[^\W\d_]{2}")


def with_points(table: RawTable) -> RawTable:
    """Return a table with its decimal commas replaced by points; any other table unchanged.

    Commas are taken for decimal ones if three cells or more have numbers that can be written so only, and none has a
    decimal point or a list (`1,2,3`). Cells with words are left as they are.

    Example:
        >>> from triptych.audit.sheets.raw import RawCell
        >>> rows = [[RawCell(text) for text in row] for row in (["67,2 ± 1,1", "1.234,5"], ["58,25", "0,125"])]
        >>> [[cell.text for cell in row] for row in with_points(RawTable(rows)).rows]
        [['67.2 ± 1.1', '1234.5'], ['58.25', '0.125']]
    """
    texts = [cell.text for row in table.rows for cell in row if not _LETTERS.search(cell.text)]
    if sum(bool(_COMMA.search(text)) for text in texts) < 3:
        return table
    if any(_POINT.search(text) or _LIST.search(text) for text in texts):
        return table
    rows = [
        [cell if _LETTERS.search(cell.text) else replace(cell, text=_with_decimal_points(cell.text)) for cell in row]
        for row in table.rows
    ]
    return RawTable(rows, table.line, table.caption, table.rules)


def _with_decimal_points(text: str) -> str:
    return _NUMBER.sub(lambda match: match[0].replace(".", "").replace(",", "."), text)
