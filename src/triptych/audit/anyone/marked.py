"""Marks that aren't right: bold figures that aren't the best of their column, ranks that don't follow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from triptych.audit.anyone.doubt import doubt
from triptych.audit.anyone.names import is_change, is_meta, lower_is_better
from triptych.audit.anyone.view import View
from triptych.audit.sheets.printed import Figure
from triptych.audit.sheets.sheet import Sheet
from triptych.records import Finding

_MIN_MARKED_COLUMNS = 5  # columns with marks from which a convention is read
_SHARE = 0.8  # of the columns that must follow it
_RANK = re.compile(r"^(?:#|rank|ranking|place|pos|position|no\.?|名次|排名)$", re.IGNORECASE)


def check_bold(benchmark: str, view: View) -> Iterator[Finding]:
    """Yield findings on places whose bold figures aren't the best, if the bold figures of most other places are.

    Rows that are bold as a whole aren't marks of the best. Better is what the label says (WER, ↓), otherwise higher if
    that explains more marks of the place.
    """
    bold_lines = _bold_lines(view)
    judged: dict[str, tuple[bool, str, Figure, str, Figure]] = {}
    for cell in view.places:
        figures = {n: line[cell] for n, line in view.lines.items() if cell in line and n not in bold_lines}
        bold = {n: f for n, f in figures.items() if f.bold}
        if is_meta(cell) or is_change(cell) or not bold or len(figures) < 3 or len(bold) * 2 > len(figures):
            continue
        judged[cell] = _judged(cell, figures, bold)
    right = sum(judgement[0] for judgement in judged.values())
    if len(judged) < _MIN_MARKED_COLUMNS or right < _SHARE * len(judged) or right < _MIN_MARKED_COLUMNS - 1:
        return
    for cell, (is_best, name, figure, best, best_figure) in judged.items():
        if not is_best:
            yield _not_best(benchmark, view, cell, (name, figure), (best, best_figure), right, len(judged))


def _bold_lines(view: View) -> set[str]:
    """Return the lines of which nearly all figures are bold: marked as the authors' own, not as the best."""
    return {
        name
        for name, line in view.lines.items()
        if len(line) >= 3 and sum(f.bold for f in line.values()) >= 0.9 * len(line)
    }


def _judged(
    cell: str, figures: Mapping[str, Figure], bold: Mapping[str, Figure]
) -> tuple[bool, str, Figure, str, Figure]:
    """Return whether a bold figure is the best, and its line, figure, and those of the best."""
    lower = lower_is_better(cell)
    top = max(figures, key=lambda n: figures[n].value)
    low = min(figures, key=lambda n: figures[n].value)
    marked = max(bold, key=lambda n: bold[n].value)
    if lower is not True and figures[marked].value >= figures[top].value:
        return True, marked, bold[marked], top, figures[top]
    marked_low = min(bold, key=lambda n: bold[n].value)
    if lower is not False and figures[marked_low].value <= figures[low].value:
        return True, marked_low, bold[marked_low], low, figures[low]
    best = low if lower else top
    chosen = marked_low if lower else marked
    return False, chosen, bold[chosen], best, figures[best]


def _not_best(
    benchmark: str, view: View, cell: str, marked: tuple[str, Figure], best: tuple[str, Figure], right: int, of: int
) -> Finding:
    return doubt(
        "mark",
        "warning",
        benchmark,
        f"{marked[1].text} of {marked[0]} is bold, but {best[0]} has {best[1].text}; in {right} of {of} "
        f"{'columns' if view.by_rows else 'rows'} the best figure is bold",
        table=view.sheet.name,
        rows=view.both([marked[0], best[0]], [cell])[0],
        columns=view.both([marked[0], best[0]], [cell])[1],
        published=marked[1].value,
        recomputed=best[1].value,
        needs="bold would have to mean the best of some rows only",
    )


def check_ranks(benchmark: str, sheet: Sheet) -> Iterator[Finding]:
    """Yield findings on ranks that don't follow from the column that most of them follow from."""
    for column in sheet.columns:
        if not _RANK.match(column.rpartition("|")[2].strip()):
            continue
        ranks = {row: f.value for row, f in sheet.column(column).items() if f.value == int(f.value)}
        if len(ranks) < 5 or len(set(ranks.values())) < len(ranks) * 0.8:
            continue
        best: tuple[int, str, list[str]] | None = None
        for other in sheet.columns:
            values_by_row = {row: f.value for row, f in sheet.column(other).items() if row in ranks}
            if other == column or len(values_by_row) < len(ranks) or len(set(values_by_row.values())) < 3:
                continue
            for sign in (-1, 1):
                wrong = [r for r in ranks if not _is_rank_correct(ranks[r], r, values_by_row, sign)]
                if best is None or len(wrong) < best[0]:
                    best = (len(wrong), other, wrong)
        if best and 0 < best[0] <= max(2, len(ranks) // 10):
            yield _misranked(benchmark, sheet, column, best[1], best[2], ranks)


def _is_rank_correct(rank: float, row: str, values: Mapping[str, float], sign: int) -> bool:
    before = sum(sign * v < sign * values[row] for v in values.values())
    ties = sum(v == values[row] for v in values.values())
    return before < rank <= before + ties


def _misranked(
    benchmark: str, sheet: Sheet, column: str, other: str, wrong: list[str], ranks: Mapping[str, float]
) -> Finding:
    figures = sheet.column(other)
    text = ", ".join(f"{row} ({other.rpartition('|')[2]} {figures[row].text}) has rank {ranks[row]:g}" for row in wrong)
    return doubt(
        "mark",
        "warning",
        benchmark,
        f"{text}; the other {len(ranks) - len(wrong)} ranks follow from {other.rpartition('|')[2]}",
        table=sheet.name,
        rows=wrong,
        columns=[column, other],
        needs="these rows would have to be ranked by something else",
    )
