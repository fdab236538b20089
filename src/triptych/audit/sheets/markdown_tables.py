"""Tables of a Markdown file: pipe tables, and HTML tables between them."""

from __future__ import annotations

import re
from dataclasses import replace

from triptych.audit.sheets.latex import plain_math
from triptych.audit.sheets.markup import markup_cell
from triptych.audit.sheets.raw import MAX_TABLES, RawCell, RawTable, expand_spans
from triptych.audit.sheets.web_tables import web_tables
from triptych.errors import DataError

_DELIMITER = re.compile(r"^\s*(?:>\s*)?\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_FENCE = re.compile(r"^\s*(```+|~~~+)")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$")
_PIPE = re.compile(r"(?<!\\)\|")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def markdown_tables(text: str, where: str) -> list[RawTable]:
    """Return the tables of a Markdown text in their order; those in code blocks and comments are left out.

    Raises DataError if there are too many, or one is too large.
    """
    text = _COMMENT.sub(lambda m: "\n" * m[0].count("\n"), text)
    lines = _without_code(text.splitlines())
    tables: list[RawTable] = []
    heading, at = "", 0
    while at < len(lines):
        if titled := _HEADING.match(lines[at]):
            heading = markup_cell(titled[1], markdown=True).text
        elif _begins(lines, at):
            end = at + 2
            while end < len(lines) and "|" in lines[end] and lines[end].strip():
                end += 1
            table = _table(lines[at:end], at + 1, heading, where)
            tables.append(replace(table, above=_line_above(lines, at)))
            at = end
            continue
        at += 1
        if len(tables) > MAX_TABLES:
            raise DataError("a file has too many tables", expected=f"at most {MAX_TABLES:,}", where=where)
    if any("<table" in line.lower() for line in lines):
        tables += _html_tables(lines, where)
    return sorted(tables, key=lambda table: table.line)


def _line_above(lines: list[str], at: int) -> str:
    """Return the text of the line above a table, with at most one empty line in between; empty if there is none."""
    above = next((line for line in reversed(lines[max(0, at - 2) : at]) if line.strip()), "")
    return "" if "|" in above or _HEADING.match(above) else markup_cell(above, markdown=True).text


def _html_tables(lines: list[str], where: str) -> list[RawTable]:
    """Return the HTML tables, with the Markdown heading above each as caption if it has none."""
    tables = []
    for table in web_tables("\n".join(lines), where, markdown=True):
        above = (m for line in reversed(lines[: table.line]) if (m := _HEADING.match(line)))
        titled = next(above, None)
        caption = table.caption or (markup_cell(titled[1], markdown=True).text if titled else "")
        tables.append(replace(table, caption=caption))
    return tables


def _without_code(lines: list[str]) -> list[str]:
    """Return the lines with those of fenced code blocks emptied."""
    remaining, fence = [], ""
    for line in lines:
        marked = _FENCE.match(line)
        if fence:
            closes = marked and marked[1][0] == fence[0] and len(marked[1]) >= len(fence)
            fence = "" if closes else fence
            remaining.append("")
        elif marked:
            fence = marked[1]
            remaining.append("")
        else:
            remaining.append(line)
    return remaining


def _begins(lines: list[str], at: int) -> bool:
    if at + 1 >= len(lines) or "|" not in lines[at] or "-" not in lines[at + 1]:
        return False
    below = lines[at + 1]
    return len(below) < 20_000 and bool(_DELIMITER.match(below)) and len(_split(lines[at])) == len(_split(below))


def _split(line: str) -> list[str]:
    line = line.strip().removeprefix(">").strip()
    cells = _PIPE.split(line)
    if line.startswith("|"):
        cells = cells[1:]
    if cells and not cells[-1].strip() and line.endswith("|"):
        cells = cells[:-1]
    return cells


def _table(lines: list[str], line: int, caption: str, where: str) -> RawTable:
    head, body = _split(lines[0]), [_split(figures_in_line) for figures_in_line in lines[2:]]
    rows = [[_cell(text, header=True) for text in head]]
    rows += [[_cell(text) for text in row[: len(head)]] for row in body]
    return RawTable(expand_spans(rows, f"{where}:{line}"), line, caption)


def _cell(text: str, header: bool = False) -> RawCell:
    markup = markup_cell(text, markdown=True, math=plain_math)
    return RawCell(markup.text, markup.bold, markup.underlined, header)
