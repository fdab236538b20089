"""Checks for impossible shares: single cells, whole rows, and cells under wrong labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from triptych.audit.tables.cells import Cell, Tables, matching, rows_of
from triptych.audit.tables.interval import Interval, Printing, digits_of
from triptych.audit.tables.misprints import Address
from triptych.audit.tables.printing import other_interval
from triptych.audit.tables.rules import Shares
from triptych.audit.tables.shares import (
    better_order,
    chance,
    is_share,
    least_questions,
    likely_n,
    nearest_shares,
    scale_of,
)
from triptych.records import Finding, finding

Rows = Mapping[str, Mapping[str, Cell]]
Sizes = Mapping[str, tuple[int, ...]]
_ALPHA = 1e-4  # how often chance may exchange labels, over all columns and numbers tried
_MANY = 4  # impossible cells of one row (and half of it) from which they are reported together


def sizes_of(rules: Sequence[Shares], tables: Tables) -> dict[Address, tuple[int, float]]:
    """Return the n of each cell that is a share, if a rule gives a single n."""
    return {
        (rule.table, name, column): (sizes[0], rule.scale)
        for rule in rules
        for name, cells in rows_of(tables, rule.table, rule.rows, rule.without).items()
        for column in matching(cells, rule.columns)
        if len(sizes := rule.n_of(column)) == 1
    }


def sizes_of_columns(tables: Tables, table: str, rules: Sequence[Shares]) -> Callable[[str], tuple[int, float]]:
    """Return a function: column -> (number of questions, scale of its shares).

    The number is the smallest that a rule gives for any of the column's rows, otherwise the smallest of which all of
    the column's cells are shares.
    """

    @cache
    def size(column: str) -> tuple[int, float]:
        sizes = [
            (n, rule.scale)
            for rule in rules
            if rule.table == table and matching([column], rule.columns)
            for n in rule.n_of(column)
        ]
        values = [cells[column].value for cells in tables.rows(table).values() if column in cells]
        scale = scale_of(values)
        return min(sizes) if sizes else (least_questions(values, scale), scale)

    return size


def check_shares(benchmark: str, rule: Shares, tables: Tables) -> Iterator[Finding]:
    """Yield findings on cells that no whole number out of n gives.

    Columns of which most cells are impossible and all fit another column's n: one finding, their labels are exchanged.
    A row whose cells all fit in another order: one finding. A row of which at least half is impossible: one finding,
    with the n that its cells fit, if there is one. Otherwise: one finding per cell.
    """
    rows = rows_of(tables, rule.table, rule.rows, rule.without)
    columns = matching(tables.columns(rule.table), rule.columns)
    sizes = {c: n for c in columns if c != rule.pooled and (n := rule.n_of(c))}
    if exchanged := list(_labels(benchmark, rule, rows, sizes)):
        yield from exchanged
        return
    for name, cells in rows.items():
        sizes_of_cells = {c: n for c, n in sizes.items() if c in cells}
        yield from _row(benchmark, rule, name, cells, sizes_of_cells, tables.printing.get(rule.table, "rounded"))


def _row(
    benchmark: str, rule: Shares, name: str, cells: Mapping[str, Cell], sizes: Sizes, printing: Printing
) -> Iterator[Finding]:
    single = {c: n[0] for c, n in sizes.items() if len(n) == 1}
    if len(set(single.values())) > 1 and len(single) == len(sizes):
        pooled = cells[rule.pooled].value if rule.pooled in cells else None
        orders = better_order({c: cells[c].value for c in single}, single, pooled, rule.scale)
        if orders and len({tuple(sorted((c, single[p]) for c, p in order.items())) for order in orders}) == 1:
            yield _permuted(benchmark, rule, name, cells, orders[0])
            return
    wrong = [c for c, n in sizes.items() if not _fits(cells[c].value, n, rule.scale)]
    last = [c for c in wrong if _fits(other_interval(cells[c], printing), sizes[c], rule.scale)]
    alone = [c for c in wrong if c not in last]
    if len(alone) >= _MANY and 2 * len(alone) >= len(sizes):
        yield _whole_row(benchmark, rule, name, [cells[c] for c in sizes], wrong, sizes)
        return
    if last:
        yield _last_digit(benchmark, rule, name, [cells[c] for c in last], printing)
    yield from (_impossible(benchmark, rule, cells[c], sizes[c]) for c in alone)


def _fits(value: Interval, sizes: Sequence[int], scale: float) -> bool:
    return any(is_share(value, n, scale) for n in sizes)


def _last_digit(benchmark: str, rule: Shares, name: str, cells: Sequence[Cell], printing: Printing) -> Finding:
    """Cells that are shares if they were shortened in another way than the rest of their table."""
    text = ", ".join(f"{cell.column} {cell.text}" for cell in cells)
    other = "truncated" if printing == "rounded" else "rounded"
    return finding(
        "impossible",
        "note" if rule.fewer else "warning",
        benchmark,
        f"{text}: {'a share' if len(cells) == 1 else 'shares'} of the stated number of questions only if {other}, but "
        f"the table's figures are {printing} ({rule.why})",
        table=rule.table,
        rows=[name],
        columns=[cell.column for cell in cells],
        published=float(cells[0].text) if len(cells) == 1 else text,
        recomputed=f"a share if {other}",
        effect="one unit of the last digit",
    )


def _labels(benchmark: str, rule: Shares, rows: Rows, sizes: Sizes) -> Iterator[Finding]:
    """Return the columns whose cells (except at most one) fit another column's n, and half of them not their own."""
    all_sizes = {n for size_group in sizes.values() for n in size_group}
    belongs: dict[str, tuple[int, float]] = {}
    for column, column_sizes in sizes.items():
        cells = [cells[column] for cells in rows.values() if column in cells]
        if len(cells) < 3 or 2 * sum(not _fits(c.value, column_sizes, rule.scale) for c in cells) < len(cells):
            continue
        fitting = {}
        for n in all_sizes - set(column_sizes):
            hits = [c.value for c in cells if is_share(c.value, n, rule.scale)]
            if len(hits) >= len(cells) - 1:
                fitting[n] = chance(n, hits, rule.scale)
        if fitting and min(fitting.values()) * len(sizes) * len(all_sizes) < _ALPHA:
            best = min(fitting, key=lambda n: fitting[n])
            belongs[column] = (best, fitting[best])
    if not belongs:
        return
    text = "; ".join(
        f"{c} fits n = {n}, not {_joined_sizes(sizes[c])} (by chance {p:.0e})" for c, (n, p) in belongs.items()
    )
    yield finding(
        "permutation",
        "severe",
        benchmark,
        f"columns are under other columns' labels: {text} ({rule.why})",
        table=rule.table,
        rows=list(rows),
        columns=list(belongs),
        published=", ".join(f"{c}: n = {_joined_sizes(sizes[c])}" for c in belongs),
        recomputed=", ".join(f"{c}: n = {n}" for c, (n, _) in belongs.items()),
        effect="each figure is given for another category than it was measured on",
    )


def _joined_sizes(sizes: Sequence[int]) -> str:
    return " or ".join(map(str, sizes))


def _permuted(benchmark: str, rule: Shares, name: str, cells: Mapping[str, Cell], order: Mapping[str, str]) -> Finding:
    text = ", ".join(f"{cells[p].text} belongs under {c}" for c, p in order.items())
    follows = f" and {rule.pooled} follows" if rule.pooled in cells else ""
    return finding(
        "permutation",
        "severe",
        benchmark,
        f"the row's cells are in a different order from its columns: {text}; then every cell is k of its n{follows} "
        f"({rule.why})",
        table=rule.table,
        rows=[name],
        columns=list(order),
        published=", ".join(f"{c} {cells[c].text}" for c in order),
        recomputed=", ".join(f"{c} {cells[p].text}" for c, p in order.items()),
        effect="each figure is given for another category than it was measured on",
    )


def _whole_row(
    benchmark: str, rule: Shares, name: str, cells: Sequence[Cell], wrong: Sequence[str], sizes: Sizes
) -> Finding:
    """A row that rests on other numbers of questions: which, by what its cells have in common."""
    rest, whole_rows = list(cells), []
    while len(rest) >= 3 and (likely := likely_n([c.value for c in rest], rule.scale)):
        n, fits = likely
        whole_rows.append((n, [rest[fit].column for fit in fits]))
        rest = [c for index, c in enumerate(rest) if index not in fits]
    text = "; ".join(
        f"{len(columns)} fit n = {n} ({', '.join(columns[:4])}{' …' * (len(columns) > 4)})" for n, columns in whole_rows
    )
    asked_sizes = ", ".join(dict.fromkeys(_joined_sizes(sizes[c]) for c in wrong))
    return finding(
        "impossible",
        rule.severity,
        benchmark,
        f"{len(wrong)} of {len(cells)} cells are not a share of {asked_sizes} questions; "
        f"{text or 'no number under 1,000 fits them'} "
        f"({rule.why})",
        table=rule.table,
        rows=[name],
        columns=wrong,
        published=f"n = {asked_sizes}",
        recomputed=", ".join(f"n = {n}" for n, _ in whole_rows) or None,
        effect="the row was computed from other questions than the other rows, so it can't be compared with them",
    )


def _impossible(benchmark: str, rule: Shares, cell: Cell, sizes: Sequence[int]) -> Finding:
    digits = digits_of(cell.text)
    low, high = nearest_shares(cell.value, sizes[-1], rule.scale)
    fewer = _smaller_size(cell, sizes, rule.scale) if rule.fewer else 0
    text = f"; with {fewer} questions answered it is one" if fewer else ""
    return finding(
        "impossible",
        "note" if fewer else rule.severity,
        benchmark,
        f"printed {cell.text}, but {sizes[-1]} questions give {low:.{digits + 1}f} and {high:.{digits + 1}f} around it "
        f"({rule.why}){text}",
        table=cell.table,
        rows=[cell.row],
        columns=[cell.column],
        published=float(cell.text),
        recomputed=f"{low:.{digits}f} or {high:.{digits}f}",
        effect=f"it may rest on {fewer} questions"
        if fewer
        else "the figure is not a share of these questions: a misprint, or other questions",
    )


def _smaller_size(cell: Cell, sizes: Sequence[int], scale: float) -> int:
    """The largest number of questions, down to nine in ten of those released, that the cell is a share of; else 0."""
    numbers = (n for size in sorted(sizes, reverse=True) for n in range(size - 1, int(0.9 * size), -1))
    return next((n for n in numbers if is_share(cell.value, n, scale)), 0)
