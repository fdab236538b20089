"""Texts around tables, the same in every format: coverage, counts, headline figure, signatures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from triptych.records import ANSWERED, SCORE_STATUSES, Aggregate, Table, TableCell, TableRow, signature_of
from triptych.reports.tables.marks import UNFINISHED

DASH = "–"
UNSCORED = ("unavailable", "judge_failed")  # there is a reply, but its judge or weights are missing
# Characters set as Chinese: ideographs, their punctuation, full-width signs
CHINESE = r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
ARROWS = {"higher": "↑", "lower": "↓", "zero": "→0"}
HEADLINES = {
    "all": "all Units count; unanswered ones count as wrong",
    "answered": "answered Units only",
    "": "",
}


def condition(name: str) -> str:
    """Return a Condition's name without the hash of its table's content."""
    return _TABLE_HASH.sub("", name)


def texts_condition(name: str) -> str:
    """Return a Condition's name by the engine whose texts it gives, however it is written: a table of texts that is
    named after an engine (`ocr:name=PaddleOCR`) is the engine (`ocr:from=local/paddleocr`)."""
    return _ENGINE.sub(":", condition(name)).casefold()


_TABLE_HASH = re.compile(r"@[0-9a-f]{8}\b")
_ENGINE = re.compile(r":(?:name=|from=local/)")


def number(value: float | None, digits: int) -> str:
    """Return a value as printed; a dash for None, never `-0.0`."""
    if value is None:
        return DASH
    shown = f"{value:.{digits}f}"
    return shown.lstrip("-") if not float(shown) else shown


def value(cell: TableCell) -> str:
    """Return a cell's value as printed, with its unit and the figure in brackets: `26.0M`, `82.53 (+2.61)`."""
    shown = number(cell.value, cell.digits)
    return shown if cell.value is None else f"{shown}{cell.unit}{f' ({cell.bracket})' if cell.bracket else ''}"


def interval(cell: TableCell) -> str:
    """Return `58.1–66.9`, or `-2.0 to 1.5` if a bound is negative; empty without an interval."""
    return "" if cell.interval is None else range_words(cell.interval, cell.digits)


def range_words(bounds: tuple[float, float], digits: int) -> str:
    """Return `58.1–66.9`, or `-2.0 to 1.5` if a bound is negative."""
    low, high = (number(bound, digits) for bound in bounds)
    return f"{low} to {high}" if "-" in low + high else f"{low}–{high}"


MANY = 4  # Runs from which a heading has the n of most of them
MIN_UNITS_WITHOUT_INTERVAL = 30  # Units below which a figure without an interval has too few of them


def no_interval(n: int) -> str:
    """Return the text in place of an interval: `too few (n 4)`, or `no interval (n 537)`; empty without Units."""
    if not n:
        return ""
    return f"too few (n {n})" if n < MIN_UNITS_WITHOUT_INTERVAL else f"no interval (n {n:,})"


def interval_text(cell: TableCell, row: TableRow) -> str:
    """Return the interval of a Run's figure, or why there is none; empty without a figure, and for a rank."""
    if row.origin != "run" or cell.value is None:
        return ""
    if cell.interval is not None:
        return interval(cell)
    return "" if cell.plain else no_interval(cell.n)


def printed_value(cell: TableCell) -> str:
    """Return the value for people: with a minus sign, not a hyphen."""
    return minus(value(cell))


def printed_spread(cell: TableCell, row: TableRow) -> str:
    """Return `spread` for people: with minus signs."""
    return minus(interval_text(cell, row))


def minus(text: str) -> str:
    """Return a printed number or interval with minus signs in place of hyphens."""
    return text.replace("-", "−")


def units(table: Table, column: int) -> int:
    """Return the number of Units behind a column, if all Runs' figures in it have the same, or most of at least four;
    otherwise 0."""
    counted = [row.cells[column].n for row in table.rows if _counts(row, column)]
    ((usual, times),) = Counter(counted).most_common(1) or [(0, 0)]
    return usual if times == len(counted) or (len(counted) >= MANY and 2 * times > len(counted)) else 0


def own_units(table: Table, row: TableRow, column: int) -> str:
    """Return `n 24` for a Run's figure; empty if the heading says it, or the text in place of the interval."""
    cell = row.cells[column]
    is_as_stated = units(table, column) == cell.n or no_interval(cell.n) == interval_text(cell, row)
    return "" if is_as_stated or not _counts(row, column) else f"n {cell.n:,}"


def _counts(row: TableRow, column: int) -> bool:
    cell = row.cells[column]
    return row.origin == "run" and cell.value is not None and cell.n > 0


def other_figure(cell: TableCell, headline: str) -> str:
    """Return the figure that isn't the headline one, if it differs: `all 61.4` or `ans. 63.6`."""
    name, value = ("all", cell.value_all) if headline == "answered" else ("ans.", cell.value_answered)
    if value is None or number(value, cell.digits) == number(cell.value, cell.digits):
        return ""
    return f"{name} {number(value, cell.digits)}"


def share(counts: Mapping[str, int]) -> str:
    """Return `590/600`: Units with a reply and all Units. A reply that has no score, because a judge or weights are
    missing, counts as a reply."""
    return f"{_answered(counts):,}/{sum(counts.values()):,}"


def is_unfinished(row: TableRow) -> bool:
    """Return True for a Run that was interrupted: a share of what it was asked so far is not its coverage."""
    return any(mark.startswith(UNFINISHED) for mark in row.marks)


def row_percent(row: TableRow) -> str:
    """Return the share of a row's Units that have a reply, as printed; `unfinished` for an interrupted Run."""
    if is_unfinished(row):
        return UNFINISHED
    return counts_percent(row.counts) if row.counts else percent(row.coverage)


def row_share(row: TableRow) -> str:
    """Return `590/600`: Units with a reply and all Units; for an interrupted Run `asked 56, answered 44`."""
    if not is_unfinished(row):
        return share(row.counts)
    return f"asked {sum(row.counts.values()):,}, answered {_answered(row.counts):,}"


def counts_percent(counts: Mapping[str, int]) -> str:
    """Return the share of Units that have a reply, as printed."""
    return percent(_answered(counts) / max(1, sum(counts.values())))


def by_outcome(counts: Mapping[str, int]) -> str:
    """Return `12 scored, 429 not scored, 8 failed`: the Units by outcome, those that lack a judge or weights under one
    name; empty if all were scored."""
    unscored = sum(counts.get(status, 0) for status in UNSCORED)
    rest = losses({status: n for status, n in counts.items() if status not in UNSCORED})
    return ", ".join(filter(None, [_scored(counts), f"{unscored:,} not scored" if unscored else "", rest]))


def by_status(counts: Mapping[str, int]) -> str:
    """Return `15 scored, 5 unparsed, 4 failed`: the Units by status; empty if all were scored."""
    return ", ".join(filter(None, [_scored(counts), losses(counts)]))


def _scored(counts: Mapping[str, int]) -> str:
    """Return `15 scored` if other replies have no score: then the number of replies is not that of the scores."""
    is_needed = counts.get("scored") and _answered(counts) > counts["scored"]
    return f"{counts['scored']:,} scored" if is_needed else ""


def row_losses(row: TableRow) -> str:
    """Return `by_outcome`; of an interrupted Run without the Units that have no reply: the counts say that."""
    counts = {s: n for s, n in row.counts.items() if s != "missing"} if is_unfinished(row) else row.counts
    return by_outcome(counts)


def percent(coverage: float | None) -> str:
    """Return a coverage as printed. Anything below 1 is never rounded up to 100%, nor anything above 0 down to 0%."""
    if coverage is None:
        return DASH
    shown = f"{100 * coverage:.1f}%"
    if shown == "100.0%":
        return "100%" if coverage == 1 else "99.9%"
    return "0.1%" if shown == "0.0%" and coverage > 0 else shown


def losses(counts: Mapping[str, int]) -> str:
    """Return `8 failed, 2 refused`: every status except `scored`; empty if all Units were scored."""
    return ", ".join(f"{counts[s]:,} {s.replace('_', ' ')}" for s in SCORE_STATUSES if s != "scored" and counts.get(s))


def coverage(row: TableRow) -> str:
    """Return `98.3% (590/600; 8 failed, 2 refused)`, or `100% (441/441; 12 scored, 429 not scored)`."""
    if not row.counts:
        return percent(row.coverage)
    inside = "; ".join(filter(None, [row_share(row), row_losses(row)]))
    return f"{row_percent(row)} ({inside})"


def caption(table: Table) -> str:
    """Return the protocol and the kind of headline figure."""
    words = [f"protocol {table.protocol}"] if table.protocol else []
    if table.headline:
        words.append(HEADLINES[table.headline])
    return ", ".join(words)


def headings_with_arrows(table: Table) -> list[str]:
    """Return the headings, each with an arrow for the direction in which it is better."""
    columns = table.columns or (None,) * len(table.headings)
    return [
        f"{heading} {ARROWS[column.better]}" if column is not None and column.better else heading
        for heading, column in zip(table.headings, columns, strict=True)
    ]


def marks_of_all_rows(table: Table) -> list[str]:
    """Return the marks that every row with a figure has; they are printed once, without a footnote number."""
    bearers = _bearers(table)
    every = {row for rows in bearers.values() for row in rows} | _with_figures(table)
    return [mark for mark, rows in bearers.items() if rows == every]


def on_all(table: Table) -> list[str]:
    """Return `marks_of_all_rows` as one line; an empty list if there are none."""
    marks = marks_of_all_rows(table)
    return ["; ".join([marks[0][:1].upper() + marks[0][1:], *marks[1:]])] if marks else []


def footnotes(table: Table) -> dict[str, int]:
    """Return mark -> footnote number for the marks of some rows only. Marks of the same rows share a number."""
    apart = {mark: rows for mark, rows in _bearers(table).items() if mark not in marks_of_all_rows(table)}
    numbers = {rows: number for number, rows in enumerate(dict.fromkeys(apart.values()), 1)}
    return {mark: numbers[rows] for mark, rows in apart.items()}


def numbered_footnotes(table: Table) -> dict[int, str]:
    """Return footnote number -> text."""
    columns_by_number: dict[int, list[str]] = {}
    for mark, number in footnotes(table).items():
        columns_by_number.setdefault(number, []).append(mark)
    return {number: "; ".join(marks) for number, marks in columns_by_number.items()}


def numbers_of(row: TableRow, table: Table) -> list[int]:
    """Return the row's footnote numbers, each once."""
    notes = footnotes(table)
    return sorted({notes[mark] for mark in row.marks if mark in notes})


def _bearers(table: Table) -> dict[str, frozenset[int]]:
    """Return mark -> the indices of its rows."""
    columns_by_bearer: dict[str, set[int]] = {}
    for number, row in enumerate(table.rows):
        for mark in row.marks:
            columns_by_bearer.setdefault(mark, set()).add(number)
    return {mark: frozenset(rows) for mark, rows in columns_by_bearer.items()}


def _with_figures(table: Table) -> set[int]:
    return {n for n, row in enumerate(table.rows) if any(cell.value is not None for cell in row.cells)}


def superscripts(numbers: Iterable[int]) -> str:
    """Return the numbers as superscripts: `¹·³`; empty without numbers."""
    return "·".join(str(number).translate(_RAISED) for number in numbers)


def footer_lines(table: Table) -> list[str]:
    """Return the lines below a table: marks of all rows, footnotes, then notes."""
    alone = (f"{superscripts([number])} {text}" for number, text in numbered_footnotes(table).items())
    return [*on_all(table), *alone, *table.notes]


def footnote_marks(row: TableRow, table: Table) -> str:
    """Return the row's footnote numbers as superscripts."""
    return superscripts(numbers_of(row, table))


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def note_owners(notes: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return note -> the labels of its Runs, each note once."""
    owners: dict[str, list[str]] = {}
    for label, lines in notes.items():
        for line in dict.fromkeys(lines):
            owners.setdefault(line, []).append(label)
    return owners


def signatures(runs: Mapping[str, Sequence[Aggregate]]) -> dict[str, str]:
    """Return label -> the Run's full signature."""
    signatures_by_run = {label: signature_of(aggregates) for label, aggregates in runs.items()}
    return {label: signature for label, signature in signatures_by_run.items() if signature}


def short_signatures(full: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return (the fields that all signatures share, label -> its other fields)."""
    fields = {label: signature.split("|") for label, signature in full.items()}
    common = [f for f in next(iter(fields.values()), []) if all(f in field_group for field_group in fields.values())]
    fields_by_label = {label: "|".join(f for f in listed if f not in common) for label, listed in fields.items()}
    return "|".join(common), fields_by_label


def _answered(counts: Mapping[str, int]) -> int:
    return sum(n for status, n in counts.items() if status in ANSWERED or status in UNSCORED)
