"""Tables as LaTeX, in the layout of each paper's: booktabs, best value bold, second underlined, arrows for the
direction."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from msgspec import structs

from triptych.records import Aggregate, Table, TableCell, TableRow
from triptych.reports.tables import words
from triptych.reports.tables.groups import bracketed, group_of

WIDE = 96  # letters of a line, after which a table is made as wide as the text
SEPARATION = 2.6  # letters between columns
TALL = 50  # lines of a page, after which a table goes on in another
LONG = 700  # letters of a note, after which it goes on in notes.csv
ARROWS = {"higher": r"$\uparrow$", "lower": r"$\downarrow$", "zero": r"$\rightarrow 0$"}
_SIGNS = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "'": "'",
    "–": "--",
    "—": "---",
    "−": "$-$",
    "[": "{[}",
    "]": "{]}",
    "→": r"$\rightarrow$",
    "·": r"$\cdot$",
    "×": r"$\times$",
    "…": r"\ldots{}",
}
_CJK = re.compile(words.CHINESE)
# A bracket after a line's end would be read as its option, hence the braces above.
# A document of its own; its tables can be copied out, or the file be read by \input from `% ---- tables` on.
_HEAD = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[margin=2cm]{geometry}
\usepackage{booktabs}
\usepackage{graphicx}
\setlength{\belowcaptionskip}{4pt}
"""
# Chinese: XeLaTeX and LuaLaTeX take the system's fonts, pdfLaTeX the CJK package's.
_CHINESE = r"""\usepackage{iftex}
\ifPDFTeX
  \usepackage{CJKutf8}
  \AtBeginDocument{\begin{CJK*}{UTF8}{gbsn}}
  \AtEndDocument{\end{CJK*}}
\else
  \usepackage{fontspec}
  \usepackage[fontset=fandol]{ctex}
\fi
"""


def latex_report(title: str, tables: Iterable[Table], runs: Mapping[str, Sequence[Aggregate]]) -> str:
    """Return a document that compiles by itself: the tables, then each Run's signature."""
    body = "\n".join(latex(table) for table in tables)
    signed = [
        rf"\item {escape(label)}: {{\footnotesize {_with_breaks(sign)}}}"
        for label, sign in words.signatures(runs).items()
    ]
    listed = "\n".join([r"\begin{itemize}\raggedright", *signed, r"\end{itemize}"]) if signed else ""
    chinese = _CHINESE if _CJK.search(title + body + listed) else ""
    head = _HEAD + chinese + r"\begin{document}"
    heading = rf"\section*{{{escape(title)}}}"
    parts = [head, heading, "% ---- tables", body, "% ---- signatures", listed, r"\end{document}"]
    return "\n".join(part for part in parts if part) + "\n"


def latex(table: Table) -> str:
    """Return the table as one or several `table` environments of at most a page each, split between slices.

    Intervals are below the values in small type; published rows come first, in italics; footnotes and notes follow the
    last piece.
    """
    table = bracketed(table)
    pieces = [table] if table.models_across else _pages(table)
    return "\n".join(_piece(piece, table, number, number == len(pieces) - 1) for number, piece in enumerate(pieces))


def _pages(table: Table) -> list[Table]:
    """Split the table between its slices so that each piece fits a page; a slice itself is never split."""
    pieces: list[list[TableRow]] = [[]]
    for _, rows in groupby(table.rows, key=lambda row: group_of(row, table)):
        all_rows = list(rows)
        if pieces[-1] and _lines(pieces[-1]) + _lines(all_rows) > TALL:
            pieces.append([])
        pieces[-1] += all_rows
    return [structs.replace(table, rows=tuple(rows)) for rows in pieces]


def _lines(rows: Sequence[TableRow]) -> float:
    """Return the approximate height in lines; lines of intervals are smaller."""
    return sum(1.7 if row.origin == "run" and any(cell.interval for cell in row.cells) else 1 for row in rows)


def _piece(table: Table, full_table: Table, number: int, last: bool) -> str:
    subs = any(row.sub for row in full_table.rows)
    shape = "l" * (1 + subs + len(table.about)) + "r" * len(table.headings)
    head, lines = _head(table, full_table, subs), _body(table, full_table, subs)
    if table.models_across:
        shape = "l" + "r" * len(table.rows)
        head, lines = _wide_table(table)
    body = "\n".join(
        [
            rf"\begin{{tabular}}{{{shape}}}",
            r"\toprule",
            head,
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )
    if (_letters_across(table) if table.models_across else _letters(full_table)) > WIDE:
        body = "\\resizebox{\\linewidth}{!}{%\n" + body + "}"
    label = re.sub(r"[^A-Za-z0-9-]+", "-", "-".join(filter(None, [table.id, table.protocol])))
    start = [
        r"\begin{table}[htbp]",
        r"\centering",
        r"\small",
        rf"\caption{{{_caption(full_table) if not number else escape(table.title) + ', continued.'}}}",
        rf"\label{{tab:{label}{f'-{number + 1}' if number else ''}}}",
    ]
    return "\n".join([*start, body, *(_foot(full_table) if last else ()), r"\end{table}", ""])


def _caption(table: Table) -> str:
    """Return title and protocol."""
    caption = words.caption(table)
    return " ".join(
        f"{escape(part).rstrip('.')}." for part in (table.title, f"{caption[:1].upper()}{caption[1:]}") if part
    )


def _foot(table: Table) -> list[str]:
    """Return the lines below the table: footnotes, missing answers, notes."""
    marks = [
        rf"\textsuperscript{{{number}}} {escape(text)}" for number, text in words.numbered_footnotes(table).items()
    ]
    lines = [
        *map(escape, words.on_all(table)),
        *marks,
        *(escape(_shortened(line)) for line in (*_losses(table), *table.notes)),
    ]
    if not lines:
        return []
    wording = "\\par\n".join(line.rstrip(".") + "." for line in lines)
    return [r"\par\smallskip", r"\begin{minipage}{\linewidth}\footnotesize\raggedright", wording, r"\end{minipage}"]


def _shortened(note: str) -> str:
    """Return a note truncated after one of its entries if it is too long for a page; the CSV contains all of it."""
    return note if len(note) <= LONG else f"{note[:LONG].rpartition(', ')[0] or note[:LONG]} … (complete in notes.csv)"


def _letters(table: Table) -> float:
    """Return the approximate width of the table in letters; intervals are set in small type."""
    names = max((len(row.label) for row in table.rows), default=0) + max(
        (len(row.sub) for row in table.rows), default=0
    )
    widths = [
        max([len(heading) + 2, *(_cell_letters(table, row, number) for row in table.rows)])
        for number, heading in enumerate(table.headings)
    ]
    all_widths = [max(len(name), *(len(row.about[n]) for row in table.rows)) for n, name in enumerate(table.about)]
    return names + sum(widths) + sum(all_widths) + SEPARATION * (len(widths) + len(all_widths))


def _letters_across(table: Table) -> float:
    """Return the approximate width of a table with a column for each model."""
    columns = range(len(table.headings))
    widths = [max([len(row.label), *(_cell_letters(table, row, number) for number in columns)]) for row in table.rows]
    return max(map(len, table.headings), default=0) + sum(widths) + SEPARATION * len(widths)


def _cell_letters(table: Table, row: TableRow, column: int) -> float:
    cell = row.cells[column]
    below = len(words.interval_text(cell, row)) + len(words.own_units(table, row, column)) + 3
    return max(len(_value(cell)) - 9 * (cell.best or cell.second), 0.75 * below)


def escape(text: str) -> str:
    """Return any text as LaTeX source that prints it, on one line and without control characters."""
    plain = "".join(sign for sign in " ".join(str(text).split()) if sign.isprintable())
    return "".join(_SIGNS.get(sign, sign) for sign in plain)


def _head(table: Table, full_table: Table, subs: bool) -> str:
    headings = _headings(table)
    first = _line([*[""] * (1 + subs), *map(escape, table.about), *headings])
    counted = [rf"{{\scriptsize $n$ {n:,}}}" if (n := words.units(full_table, i)) else "" for i in range(len(headings))]
    return "\n".join([first, *([_line([*[""] * (1 + subs + len(table.about)), *counted])] if any(counted) else [])])


def _headings(table: Table) -> list[str]:
    columns = table.columns or (None,) * len(table.headings)
    return [
        escape(heading) + (f" {ARROWS[column.better]}" if column is not None and column.better else "")
        for heading, column in zip(table.headings, columns, strict=True)
    ]


def _wide_table(table: Table) -> tuple[str, list[str]]:
    """Return head and lines of a table with a column for each model and a line for each figure."""
    names = [_name(row, table) + (f", {escape(row.sub)}" if row.sub else "") for row in table.rows]
    lines: list[str] = []
    for number, heading in enumerate(_headings(table)):
        counted = rf" {{\scriptsize $n$ {n:,}}}" if (n := words.units(table, number)) else ""
        lines.append(_line([heading + counted, *(_value(row.cells[number]) for row in table.rows)]))
        spreads = [_interval(table, row, number) for row in table.rows]
        lines += [_line(["", *spreads])] if any(spreads) else []
    for number, name in enumerate(table.about):
        lines.append(_line([escape(name), *(escape(row.about[number]) or "--" for row in table.rows)]))
    return _line(["", *names]), lines


def _name(row: TableRow, table: Table) -> str:
    """Return a model's name with its footnote numbers; a published one in italics."""
    name = escape(row.label)
    name = rf"\textit{{{name}}}" if row.origin == "published" else name
    raised = ",".join(map(str, words.numbers_of(row, table)))
    return name + (rf"\textsuperscript{{{raised}}}" if raised else "")


def _body(table: Table, full_table: Table, subs: bool) -> list[str]:
    lines: list[str] = []
    before: TableRow | None = None
    for row in table.rows:
        new = before is None or group_of(row, full_table) != group_of(before, full_table)
        if before is not None and (new or row.origin != before.origin):
            lines.append(r"\midrule" if new else r"\addlinespace")
        name = _name(row, full_table)
        names = [name if new or not full_table.by_model else ""]
        if subs:
            names.insert(full_table.by_model, escape(row.sub) if new or full_table.by_model else "")
        about = [escape(text) or "--" for text in row.about] if table.about else []
        lines.append(_line([*names, *about, *map(_value, row.cells)]))
        spreads = [_interval(full_table, row, number) for number in range(len(row.cells))]
        if any(spreads):
            lines.append(_line([*[""] * (1 + subs + len(table.about)), *spreads]))
        before = row
    return lines


def _value(cell: TableCell) -> str:
    shown = escape(words.value(cell).replace("–", "to")) if cell.bracket else words.value(cell)
    shown = "--" if cell.value is None else shown.replace("-", "$-$")
    return rf"\textbf{{{shown}}}" if cell.best else rf"\underline{{{shown}}}" if cell.second else shown


def _interval(table: Table, row: TableRow, column: int) -> str:
    """Return the interval with the number of Units, if the heading doesn't have it."""
    cell = row.cells[column]
    spread, counted = escape(words.interval_text(cell, row).replace("-", "−")), words.own_units(table, row, column)
    parts = [f"[{spread}]" if cell.interval else spread, counted and f"${counted[0]}$ {counted[2:]}"]
    return rf"{{\scriptsize {' '.join(filter(None, parts))}}}" if any(parts) else ""


def _losses(table: Table) -> list[str]:
    """Return the Units without a score, once per Run."""
    loss_notes = {f"{row.label}: {words.by_status(row.counts)}": None for row in table.rows if words.losses(row.counts)}
    return list(loss_notes)


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _with_breaks(signature: str) -> str:
    """Return a signature that may break after each field and, within a field, after each `+`."""
    fields = (escape(field).replace("+", r"+\allowbreak{}") for field in signature.split("|"))
    return r"\texttt{" + r"\allowbreak\textbar{}".join(fields) + "}"
