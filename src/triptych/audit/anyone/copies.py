"""Rows and columns that repeat others more than chance allows, and cells with two values in two tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from triptych.audit.anyone.counted import Questions
from triptych.audit.anyone.doubt import doubt
from triptych.audit.anyone.names import is_average, is_change, is_meta, label_key
from triptych.audit.anyone.view import list_in_words
from triptych.audit.sheets.printed import Figure
from triptych.audit.sheets.sheet import Sheet
from triptych.audit.tables.interval import Interval, digits_of
from triptych.audit.tables.repeats import Repeat, repeats, transposed
from triptych.audit.tables.shares import least_questions, scale_of
from triptych.records import Finding, FindingSeverity

_MAX_LINES = 400  # lines of a table that are compared with each other
_EQUAL = 6  # equal cells of two tables from which a different one is severe
_SHARE = 0.8  # share of equal cells, from which two tables print the same quantities


def check_copies(benchmark: str, sheet: Sheet, questions: Mapping[str, Questions]) -> Iterator[Finding]:
    """Yield findings on rows, then columns, that share more figures than chance allows."""
    columns = [c for c in sheet.columns if not (is_meta(c) or is_change(c) or is_average(c))]
    grid = {
        row: {c: f.text for c, f in row_cells.items() if c in columns and digits_of(f.text)}
        for row, row_cells in sheet.cells.items()
    }
    grid = {row: cells for row, cells in grid.items() if len(cells) >= 2}
    if not 2 <= len(grid) <= _MAX_LINES:
        return
    sizes = _sizes(sheet, questions)
    matching_repeats = [r for r in repeats(grid, lambda _, column: sizes(column)) if not _same_name(r.first, r.second)]
    for repeat in _leading(matching_repeats):
        yield _copy_finding(benchmark, sheet, repeat, grid, True)
    by_column = {c: figures for c, figures in transposed(grid, list(grid)).items() if len(figures) >= 3}
    if len(by_column) <= _MAX_LINES:
        for repeat in repeats(by_column, lambda column, _: sizes(column)):
            if not (is_average(repeat.first) or is_average(repeat.second) or _same_name(repeat.first, repeat.second)):
                yield _copy_finding(benchmark, sheet, repeat, by_column, False)


def _leading(repeats: Sequence[Repeat]) -> list[Repeat]:
    """Return the repeats without those that follow from two others: of three equal rows, two pairs are enough."""
    repeats_kept: list[Repeat] = []
    group: dict[str, str] = {}

    def root(name: str) -> str:
        while group.get(name, name) != name:
            name = group[name]
        return name

    for repeat in sorted(repeats, key=lambda r: -len(r.places)):
        first, second = root(repeat.first), root(repeat.second)
        if first != second or len(repeat.places) < repeat.shared:
            repeats_kept.append(repeat)
        group[second] = first
    return repeats_kept


def _same_name(first: str, second: str) -> bool:
    """Whether two rows name the same system: their names are equal up to what makes them unique, or one is the other
    with a remark."""
    a, b = (label_key(_without_parenthesis(name)) for name in (first, second))
    return bool(a) and bool(b) and (a == b or (min(len(a), len(b)) >= 6 and (a in b or b in a)))


def _without_parenthesis(name: str) -> str:
    return name.rpartition(" (")[0] if name.endswith(")") and " (" in name else name


def _sizes(sheet: Sheet, questions: Mapping[str, Questions]) -> Callable[[str], tuple[int, float]]:
    made: dict[str, tuple[int, float]] = {}

    def size(column: str) -> tuple[int, float]:
        if column not in made:
            values = [_interval_of_text(f.text) for f in sheet.column(column).values()]
            scale = questions[column].scale if column in questions else scale_of(values)
            made[column] = (questions[column].n if column in questions else least_questions(values, scale), scale)
        return made[column]

    return size


def _interval_of_text(text: str) -> Interval:
    """Return the numbers that are printed as a text if they are rounded or truncated: rather too few questions are
    assumed than too many, so that equal cells are likelier by chance."""
    rounded, truncated = Interval.printed(text), Interval.printed(text, printing="truncated")
    return Interval(min(rounded.low, truncated.low), max(rounded.high, truncated.high))


def _copy_finding(
    benchmark: str, sheet: Sheet, repeat: Repeat, grid: Mapping[str, Mapping[str, str]], rows: bool
) -> Finding:
    pair = [repeat.first, repeat.second]
    return doubt(
        "copy",
        _severity(repeat),
        benchmark,
        f"the {'rows' if rows else 'columns'} {repeat.first} and {repeat.second} print the same figure in "
        f"{len(repeat.places)} of {repeat.shared} cells "
        f"({list_in_words([grid[repeat.first][p] for p in repeat.places], 4)}); "
        f"over all pairs this happens by chance with probability {repeat.chance:.0e}, or {repeat.related:.0e} if one "
        "was made from the other",
        table=sheet.name,
        rows=pair if rows else repeat.places,
        columns=repeat.places if rows else pair,
        published=f"{len(repeat.places)} of {repeat.shared} equal",
        needs="both would have to be one system under two names, or hardly differ"
        if rows
        else "both would have to be one quantity under two names",
    )


def _severity(repeat: Repeat) -> FindingSeverity:
    """Return the severity: a repeat of all cells may be one system with two names, so it is a warning at most."""
    if repeat.severity == "severe" and len(repeat.places) == repeat.shared:
        return "warning"
    return repeat.severity


def check_across(benchmark: str, sheets: Sequence[Sheet]) -> Iterator[Finding]:
    """Yield findings on cells that two tables print with different values, if most of their common cells are equal."""
    keyed = [(sheet, _keyed(sheet)) for sheet in sheets]
    for (first, ones), (second, others) in combinations(keyed, 2):
        shared = ones.keys() & others.keys()
        differ = [key for key in shared if not _agree(ones[key][2], others[key][2])]
        equal = len(shared) - len(differ)
        telling = {ones[key][2].text for key in shared if key not in differ and digits_of(ones[key][2].text)}
        if differ and len(telling) >= 3 and equal >= _SHARE * len(shared):
            for key in sorted(differ, key=lambda k: (ones[k][0], ones[k][1])):
                yield _two_values(benchmark, first, second, ones[key], others[key], equal, len(shared))


def _keyed(sheet: Sheet) -> dict[tuple[str, str], tuple[str, str, Figure]]:
    """Return (row, column) for comparison -> row, column and figure; names that aren't unique are left out."""
    figures_by_key: dict[tuple[str, str], tuple[str, str, Figure]] = {}
    doubled = set()
    for entry in sheet.entries():
        row, column = label_key(entry.row), label_key(entry.column)
        if (
            is_meta(entry.column)
            or is_change(entry.column)
            or not row
            or not column
            or entry.column.startswith("column ")
        ):
            continue
        if is_average(entry.column) or is_average(entry.row):
            column = f"{label_key(sheet.caption)} {column}"  # averages of two tables are of different things
        if (row, column) in figures_by_key:
            doubled.add((row, column))
        figures_by_key[row, column] = (entry.row, entry.column, entry.figure)
    return {key: figures for key, figures in figures_by_key.items() if key not in doubled}


def _agree(first: Figure, second: Figure) -> bool:
    a, b = Interval.printed(first.text), Interval.printed(second.text)
    return a.meets(b) or any(a.meets(Interval(b.low * f, b.high * f)) for f in (100.0, 0.01))


def _two_values(
    benchmark: str,
    first: Sheet,
    second: Sheet,
    one: tuple[str, str, Figure],
    other: tuple[str, str, Figure],
    equal: int,
    shared: int,
) -> Finding:
    return doubt(
        "mismatch",
        "severe" if equal >= _EQUAL and equal >= 0.9 * shared else "warning",
        benchmark,
        f"printed {one[2].text} here and {other[2].text} in {second.name}; of the {shared} cells with the same row and "
        f"column in both tables, {equal} are equal",
        table=first.name,
        rows=[one[0]],
        columns=[one[1]],
        published=one[2].value,
        recomputed=other[2].value,
        needs="the two tables would have to measure different things under the same names",
        about=second.name,
    )
