"""A table with named rows and columns, and the figures that it prints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from triptych.audit.sheets.printed import Figure, figure_of, is_dash, parts_of
from triptych.audit.sheets.raw import RawCell, RawTable

_LABEL = 120  # characters of a label
_MIN_TABLE_SIZE = 2  # rows and columns of figures that a table has at least
_COUNTED = re.compile(
    r"(?:^|[^\w])(?:n|N|#\w*|num\w*|samples?|size|questions?)\s*[=:]\s*\(?\s*(\d{1,3}(?:,\d{3})+|\d+)\b"
)
_COUNT_IN_TEXT = re.compile(
    r"\b[nN]\s*=\s*(\d{1,3}(?:,\d{3})+|\d{2,7})\b(?!\.\d)|"
    r"(?<![\d.,])(\d{1,3}(?:,\d{3})+|\d{2,7})\s*(?:questions\b|items\b|test (?:samples|items|cases)\b|题|題|问|問)"
)
_COUNT_ROW = re.compile(
    r"^\s*(?:#\s*(?:of\s+)?(?:samples?|questions?|items?|qa(?:\s*pairs?)?|examples?|instances?|videos?|clips?|test\w*)?|n|"
    r"num(?:ber)?\.?\s*(?:of\s+)?\w*|counts?|samples?|questions?|total (?:samples|questions)|\w+ counts?)\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A printed figure at its place: `row` and `column` as labels."""

    row: str
    column: str
    figure: Figure


@dataclass(slots=True)
class Sheet:
    """A table.

    name       its file and number, as in `README.md#2`; `line`: where it begins; `caption`: caption or heading above
    rows, columns  labels in their order, each unique; a column below a common heading is `heading|label`
    cells      row -> column -> figure; cells without a number are left out
    unread     (row, column) of cells that print a number which isn't a figure, as `-5% (1.05x)`
    groups     row -> the heading of its section in the table; empty if there is none
    questions  column -> number of questions, as the header or a row of counts states it
    questions_of_table  number of questions, as the caption or the line above states it; 0 if neither does
    """

    name: str
    line: int
    caption: str
    rows: list[str]
    columns: list[str]
    cells: dict[str, dict[str, Figure]]
    groups: dict[str, str] = field(default_factory=dict)
    questions: dict[str, int] = field(default_factory=dict)
    questions_of_table: int = 0
    unread: set[tuple[str, str]] = field(default_factory=set)
    numbers: dict[str, int] = field(default_factory=dict)  # row -> its number in the table, from 1, headers included

    def entries(self) -> Iterator[Entry]:
        """Yield the figures row by row."""
        for row, row_cells in self.cells.items():
            for column, figure in row_cells.items():
                yield Entry(row, column, figure)

    def column(self, name: str) -> dict[str, Figure]:
        """Return a column as row -> figure."""
        return {row: row_cells[name] for row, row_cells in self.cells.items() if name in row_cells}


def sheets_of(table: RawTable, name: str) -> list[Sheet]:
    """Return the tables of figures in a raw table: several if headers occur between its rows, none without figures.

    The rows before the first with figures are the header; a column's labels from top to bottom are joined with `|`. A
    row with a single text across all columns is the heading of a section. The first column of text names the rows;
    other columns of text are added where its names aren't unique.
    """
    sheets = []
    for number, (head, body) in enumerate(_blocks(table)):
        sheet = _sheet(
            table, head, body, f"{name}{'abcdefghijklmnopqrstuvwxyz'[number - 1] if 0 < number < 27 else ''}"
        )
        if sheet:
            sheets.append(sheet)
    return sheets


def _blocks(table: RawTable) -> Iterator[tuple[list[list[RawCell]], list[tuple[int, list[RawCell]]]]]:
    """Yield (header rows, numbered body rows); a header between rows of figures begins a new block."""
    rows = table.rows
    first = _body_begins(table)
    head, body = rows[:first], list[tuple[int, list[RawCell]]]()
    at = first
    while at < len(rows):
        if body and _is_header(rows[at]) and any(_figures(r) >= 2 for r in rows[at + 1 : at + 3]):
            yield head, body
            head, body = [rows[at]], []
        else:
            body.append((at + 1, rows[at]))
        at += 1
    yield head, body


def _body_begins(table: RawTable) -> int:
    """Return the number of header rows: those that the file marks, those before the first inner rule, or those before
    the first row of figures."""
    rows = table.rows
    marked = 0
    while (
        marked < len(rows)
        and any(c.header and c.text for c in rows[marked][1:] or rows[marked])
        and _is_head_like(rows[marked])
    ):
        marked += 1
    if not marked and table.rules:
        inner = [rule for rule in table.rules if 0 < rule < len(rows)]
        marked = inner[0] if inner and inner[0] <= 6 else 0
    if marked:
        while marked < len(rows) and _is_second_header(rows[marked]):
            marked += 1
        return marked
    return next((n for n, row in enumerate(rows) if n and _figures(row) >= max(1, _texts(row[1:]))), 1)


def _is_head_like(row: Sequence[RawCell]) -> bool:
    """Whether a row that a file marks as header may be one: `th` is also used for every cell of some tables."""
    return _figures(row) * 2 <= max(_texts(row), 1) or all(c.header or not c.text for c in row)


def _is_second_header(row: Sequence[RawCell]) -> bool:
    filled = [c for c in row if c.text]
    return len({c.text for c in filled}) >= 2 and not _figures(row) and _texts(row) * 2 >= len(row) and len(row) > 2


def _is_header(row: Sequence[RawCell]) -> bool:
    """Whether a row between figures names columns: at least two different texts at half of the positions, none of them
    a figure."""
    texts = {c.text for c in row[1:] if c.text and not is_dash(c.text)}
    return (
        len(texts) >= 2
        and not _figures(row)
        and 2 * sum(bool(c.text) and not is_dash(c.text) for c in row[1:]) >= len(row) - 1
    )


def _figures(row: Sequence[RawCell]) -> int:
    return sum(_numbers(c.text) for c in row)


def _texts(row: Sequence[RawCell]) -> int:
    return sum(bool(c.text) and not is_dash(c.text) and not _numbers(c.text) for c in row)


def _numbers(text: str) -> bool:
    return any(figure_of(part) is not None for part in parts_of(text))


def _sheet(
    table: RawTable, head: list[list[RawCell]], body: list[tuple[int, list[RawCell]]], name: str
) -> Sheet | None:
    rows, groups = _without_sections(body)
    if not rows:
        return None
    width = len(rows[0][1])
    figures = [sum(_numbers(row[c].text) for _, row in rows) for c in range(width)]
    texts = [sum(bool(row[c].text) and not is_dash(row[c].text) for _, row in rows) - figures[c] for c in range(width)]
    numeric = [c for c in range(width) if figures[c] and figures[c] >= texts[c]]
    if not numeric:
        return None
    labels = [c for c in range(width) if c not in numeric and texts[c]]
    before = [c for c in labels if c < max(numeric)] or labels
    heads = _heads(head, width)
    named = _named(rows, before, groups)
    questions_rows = [
        n
        for n, (_, row) in enumerate(rows)
        if _COUNT_ROW.match(named[n].partition("|")[0]) and _are_counts(row, numeric)
    ]
    split = {c: _split(rows, c, heads[c]) for c in numeric}
    columns = _unique([label for c in numeric for label in split[c]])
    sheet = Sheet(name, table.line, table.caption, [], columns, {}, questions_of_table=_stated_number(table))
    places = [(c, part, len(split[c])) for c in numeric for part in range(len(split[c]))]
    for number, (at, row) in enumerate(rows):
        cells = _read_row(row, places, columns)
        if number in questions_rows:
            sheet.questions |= {c: int(float(f.text)) for c, f in cells.items()}
        else:
            label = named[number]
            sheet.rows.append(label)
            sheet.unread |= {
                (label, column)
                for (c, _, _), column in zip(places, columns, strict=True)
                if column not in cells and any(character.isdigit() for character in row[c].text)
            }
            sheet.cells[label], sheet.groups[label], sheet.numbers[label] = cells, groups[number], at
    for column, source in zip(columns, (heads[c] for c, _, _ in places), strict=True):
        if count_match := _COUNTED.search(f" {source}") or re.search(r"\((\d{2,6}|\d{1,3}(?:,\d{3})+)\)\s*$", source):
            sheet.questions.setdefault(column, int(count_match[1].replace(",", "")))
    sheet.columns = [c for c in columns if any(c in cell_group for cell_group in sheet.cells.values())]
    return sheet if len(sheet.rows) >= 1 and sum(map(len, sheet.cells.values())) >= _MIN_TABLE_SIZE else None


def _stated_number(table: RawTable) -> int:
    """Return the number of questions that a table's caption or the line above it states: `n = 200`, `200 questions`."""
    numbers = {int((m[1] or m[2]).replace(",", "")) for m in _COUNT_IN_TEXT.finditer(f"{table.caption}\n{table.above}")}
    return numbers.pop() if len(numbers) == 1 else 0


def _are_counts(row: Sequence[RawCell], numeric: Sequence[int]) -> bool:
    figures = [f for c in numeric if (f := figure_of(row[c].text))]
    return bool(figures) and all("." not in f.text and f.value >= 1 for f in figures)


def _without_sections(body: list[tuple[int, list[RawCell]]]) -> tuple[list[tuple[int, list[RawCell]]], list[str]]:
    """Return the rows of figures, and for each the heading of its section."""
    remaining, groups, group = [], [], ""
    for at, row in body:
        texts = {c.text for c in row if c.text and not is_dash(c.text)}
        if len(texts) == 1 and not _figures(row):
            group = clean(texts.pop())
        elif texts:
            remaining.append((at, row))
            groups.append(group)
    return remaining, groups


def _heads(head: list[list[RawCell]], width: int) -> list[str]:
    """Return each column's labels from top to bottom, joined; a title across the whole table is left out."""
    heads = []
    rows = [row for row in head if len({c.text for c in row if c.text}) > 1 or len(head) == 1]
    for index in range(width):
        parts: list[str] = []
        for row in rows:
            text = clean(row[index].text) if index < len(row) else ""
            if text and text not in parts:
                parts.append(text)
        heads.append("|".join(parts))
    return heads


def _named(rows: list[tuple[int, list[RawCell]]], labels: list[int], groups: list[str]) -> list[str]:
    """Return a unique name for each row: the first column of text, with others and its section where needed."""
    if not labels:
        return _unique([f"row {number + 1}" for number in range(len(rows))])
    names = [_filled(rows, number, labels[0]) for number in range(len(rows))]
    for label in labels[1:]:
        if len(set(names)) < len(names):
            more = [clean(row[label].text) for _, row in rows]
            names = [_joined_name(name, extra) for name, extra in zip(names, more, strict=True)]
    if len(set(names)) < len(names):
        sections: dict[str, set[str]] = {}
        for name, group in zip(names, groups, strict=True):
            sections.setdefault(name, set()).add(group)
        doubled = {name for name, name_sections in sections.items() if len(name_sections) > 1}
        names = [f"{n} ({g})" if n in doubled and g else n for n, g in zip(names, groups, strict=True)]
    return _unique(names)


def _joined_name(name: str, extra: str) -> str:
    return name if is_dash(extra) or extra == name else extra if is_dash(name) else f"{name} · {extra}"


def _filled(rows: list[tuple[int, list[RawCell]]], number: int, index: int) -> str:
    """Return a row's name; an empty one is that of the row above (an unmarked span), if there is one."""
    for above in range(number, -1, -1):
        if text := clean(rows[above][1][index].text):
            return text
    return f"row {number + 1}"


def _split(rows: list[tuple[int, list[RawCell]]], index: int, head: str) -> list[str]:
    """Return the labels of a column's parts: one, or several if most cells print several numbers (`1.8 / 3.6`)."""
    sizes = [len(parts_of(row[index].text)) for _, row in rows if _numbers(row[index].text)]
    usual_size = max(set(sizes), key=sizes.count) if sizes else 1
    if usual_size < 2 or 2 * sizes.count(usual_size) <= len(sizes):
        return [head or f"column {index + 1}"]
    above, _, last = head.rpartition("|")
    for mark in ("/", " & ", ","):
        parts = [part.strip(" ()[]") for part in last.split(mark)]
        if len(parts) == usual_size and all(parts):
            return [f"{above}|{part}" if above else part for part in parts]
    return [f"{head or f'column {index + 1}'} ({number + 1})" for number in range(usual_size)]


def _read_row(
    row: Sequence[RawCell], places: Sequence[tuple[int, int, int]], columns: Sequence[str]
) -> dict[str, Figure]:
    figures: dict[str, Figure] = {}
    for (start, part, size), column in zip(places, columns, strict=True):
        cell = row[start]
        parts = parts_of(cell.text) if size > 1 else [cell.text]
        if len(parts) != size or (cell.repeated and start and row[start - 1].text == cell.text):
            continue
        if figure := figure_of(parts[part]):
            figures[column] = _marked(figure, cell)
    return figures


def _marked(figure: Figure, cell: RawCell) -> Figure:
    from dataclasses import replace

    return replace(figure, bold=cell.bold, underlined=cell.underlined) if cell.bold or cell.underlined else figure


def clean(text: str) -> str:
    """Return a label: short, without the characters that mean something in rules (`*`, `[`, `'`), and with a space for
    each run of whitespace."""
    plain = re.sub(
        r"\s+", " ", re.sub(r"[*†‡§¶\ufe0f\u200b-\u200d\ufeff\u2600-\u27bf\U0001f300-\U0001faff]", "", text)
    ).strip(" :")
    return (
        plain.replace("[", "(")
        .replace("]", ")")
        .replace("'", "’")
        .replace("\\", "/")
        .replace("|", "/")[:_LABEL]
        .strip()
    )


def _unique(names: Sequence[str]) -> list[str]:
    seen: dict[str, int] = {}
    unique_names = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        unique_names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return unique_names
