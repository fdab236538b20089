"""Differences printed next to a figure (`67.2 (+1.4)`) that don't follow."""

from __future__ import annotations

from collections.abc import Iterator

from triptych.audit.anyone.baselines import comparisons
from triptych.audit.anyone.doubt import doubt
from triptych.audit.anyone.view import View, interval
from triptych.audit.sheets.printed import Figure
from triptych.audit.sheets.sheet import Sheet
from triptych.audit.tables.interval import Interval, digits_of
from triptych.records import Finding

_MIN_SHARE = 0.6


def check_changes(benchmark: str, sheet: Sheet) -> Iterator[Finding]:
    """Yield findings on differences printed next to a figure (`67.2 (+1.4)`) that don't follow.

    The row with which figures are compared is the one that explains most differences: a fixed row, the row above, or
    the first of the section.
    """
    changed = [(e.row, e.column, e.figure) for e in sheet.entries() if e.figure.change]
    if len(changed) < 4:
        return
    best: tuple[int, str, list[tuple[str, str, Figure, float]]] | None = None
    view = View(sheet, sheet.cells, sheet.columns, True)
    for base, base_of in comparisons(view, {row for row, _, _ in changed}, sheet.rows):
        says = f"against {base}"
        changes = [(r, c, f, b) for r, c, f in changed if r in base_of and (b := sheet.cells[base_of[r]].get(c))]
        wrong = [(r, c, f, base.value) for r, c, f, base in changes if not _is_change(f, base)]
        hits = len(changes) - len(wrong)
        if hits >= 4 and hits >= _MIN_SHARE * len(changes) and (best is None or hits > best[0]):
            best = (hits, says, wrong)
    if best is None:
        return
    hits, says, wrong = best
    for row, column, figure, value in wrong if len(wrong) <= max(3, hits // 3) else ():
        yield _wrong_change(benchmark, sheet, row, column, figure, value, says, hits, hits + len(wrong))


def _is_change(figure: Figure, base: Figure) -> bool:
    printed = Interval.printed(figure.change)
    difference = interval(figure) - interval(base)
    if printed.meets(difference) or (-printed).meets(difference):
        return True
    try:
        relative = Interval.exact(100.0) * (difference / interval(base))
    except ZeroDivisionError:
        return False
    return figure.percent and (printed.meets(relative) or (-printed).meets(relative))


def _wrong_change(
    benchmark: str, sheet: Sheet, row: str, column: str, figure: Figure, base: float, says: str, hits: int, of: int
) -> Finding:
    digits = digits_of(figure.change)
    follows = figure.value - base
    near = abs(abs(follows) - abs(float(figure.change))) <= 2.001 * 10.0**-digits
    return doubt(
        "average",
        "note" if near else "severe" if hits >= 8 and hits >= 0.8 * of else "warning",
        benchmark,
        f"printed {figure.text} ({figure.change}), but {figure.text} - {base:g} is {follows:+.{digits}f}; {hits} of "
        f"{of} differences follow {says}",
        table=sheet.name,
        rows=[row],
        columns=[column],
        published=float(figure.change),
        recomputed=round(follows, digits + 1),
        needs=f"it would have to be compared with {figure.value - float(figure.change):.{digits}f}",
        about="change",
    )
