"""Tables as Markdown, for a README or an issue."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from triptych.records import Aggregate, Table, TableRow
from triptych.records.harmless import visible
from triptych.reports.tables import words
from triptych.reports.tables.groups import bracketed


def markdown(table: Table) -> str:
    """Return a table in GitHub's Markdown: best value bold, second underlined, arrows for the direction, intervals in
    brackets, published rows in italics."""
    table = bracketed(table)
    start = [
        f"**{escaped(table.title)}**",
        "",
        *([escaped(words.caption(table)), ""] if words.caption(table) else []),
    ]
    lines = [*start, *(_model_column_lines(table) if table.models_across else _model_row_lines(table))]
    for note in words.footer_lines(table):
        lines += ["", escaped(note)]
    return "\n".join(lines) + "\n"


def _model_row_lines(table: Table) -> list[str]:
    """Return the lines of a table with a row for each model."""
    subs = any(row.sub for row in table.rows)
    start = ["", ""] if subs else [""]
    return [
        _row(
            [*start, *map(escaped, table.about), *(escaped(h) for h in words.headings_with_arrows(table)), "coverage"]
        ),
        _row([":--"] * (len(start) + len(table.about)) + ["--:"] * len(table.headings) + [":--"]),
        *_units(table, len(start)),
        *(_row(_cells(row, table, subs)) for row in table.rows),
    ]


def _model_column_lines(table: Table) -> list[str]:
    """Return the lines of a table with a column for each model."""
    names = [_name(row, table) + (f" ({escaped(row.sub)})" if row.sub else "") for row in table.rows]
    lines = [_row(["", *names]), _row([":--", *["--:"] * len(names)])]
    for number, heading in enumerate(words.headings_with_arrows(table)):
        counted = f" (n {n:,})" if (n := words.units(table, number)) else ""
        lines.append(_row([escaped(heading) + counted, *(_cell(number, row, table) for row in table.rows)]))
    for number, name in enumerate(table.about):
        lines.append(_row([escaped(name), *(escaped(row.about[number] or words.DASH) for row in table.rows)]))
    return [*lines, _row(["coverage", *map(_covered, table.rows)])]


def markdown_report(title: str, tables: Iterable[Table], runs: Mapping[str, Sequence[Aggregate]]) -> str:
    """Return the tables and, at the end, each Run's signature."""
    parts = [f"# {escaped(title)}\n", *(markdown(table) for table in tables)]
    signed = words.signatures(runs)
    if signed:
        parts.append("Signatures:\n\n" + "\n".join(f"- {escaped(k)}: {code(v)}" for k, v in signed.items()) + "\n")
    return "\n".join(parts)


def _cells(row: TableRow, table: Table, subs: bool) -> list[str]:
    names = [_name(row, table)]
    if subs:
        names.insert(table.by_model, escaped(row.sub))
    about = [escaped(text or words.DASH) for text in row.about] if table.about else []
    return [*names, *about, *(_cell(number, row, table) for number in range(len(row.cells))), _covered(row)]


def _name(row: TableRow, table: Table) -> str:
    label = escaped(row.label)
    return (f"*{label}*" if row.origin == "published" else label) + words.footnote_marks(row, table)


def _covered(row: TableRow) -> str:
    return "published" if row.origin == "published" else words.coverage(row)


def _units(table: Table, names: int) -> list[str]:
    """Return a row with the number of Units behind each column, where all Runs have the same."""
    counted = [f"n {n:,}" if (n := words.units(table, number)) else "" for number in range(len(table.headings))]
    return [_row([*[""] * (names + len(table.about)), *counted, ""])] if any(counted) else []


def _cell(number: int, row: TableRow, table: Table) -> str:
    cell = row.cells[number]
    value = words.printed_value(cell)
    if row.origin == "published":
        return f"*{value}*"
    inside = ", ".join(filter(None, (words.printed_spread(cell, row), words.own_units(table, row, number))))
    other = words.other_figure(cell, table.headline)
    marked = f"**{value}**" if cell.best else f"<ins>{value}</ins>" if cell.second else value
    shown = [marked, f"[{inside}]" if inside else "", f"({other})" if other else ""]
    return " ".join(filter(None, shown))


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """Return a text that Markdown prints literally, on one line: no markup, no link, no image that would be fetched."""
    for sign in ("\\", "|", "*", "`", "<"):
        text = text.replace(sign, f"\\{sign}")
    return visible(" ".join(re.sub(r"\](?=[(\[:])", r"\]", text).split()))


def code(text: str) -> str:
    """Return a text as inline code, on one line; backticks in it are handled."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{visible(' '.join(text.split()))}{fence}"
