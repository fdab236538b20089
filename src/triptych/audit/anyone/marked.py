"""Marks that aren't right: bold figures that aren't the best of their column, ranks that don't follow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from triptych.audit.anyone.doubt import doubt
from triptych.audit.anyone.names import is_change, is_meta, is_reference, is_service, lower_is_better
from triptych.audit.anyone.view import View
from triptych.audit.sheets.printed import Figure
from triptych.audit.sheets.sheet import Sheet
from triptych.audit.tables.repeats import tail
from triptych.records import Finding

_MIN_RIGHT = 3  # places with a right mark from which a convention is read
_SHARE = 0.75  # of the places that must follow it
_MAX_ODDS = 0.02  # how likely as many marks are right by chance
_RANK = re.compile(r"^(?:#|rank|ranking|place|pos|position|no\.?|名次|排名)$", re.IGNORECASE)


def check_bold(benchmark: str, by_rows: View, by_columns: View) -> Iterator[Finding]:
    """Yield findings on places whose bold figures aren't the best, if the bold figures of most other places are.

    The best are marked in columns or in rows, whichever explains more marks. Lines that are bold as a whole are marked
    as the authors' own, and lines outside of the comparison may be better. Better is what the label says (WER, ↓),
    otherwise higher if that explains more marks of the place.
    """
    of_rows, of_columns = (_judged_places(view) for view in (by_rows, by_columns))
    view, judged = min(((by_rows, of_rows), (by_columns, of_columns)), key=lambda both: _odds(both[1]))
    right = [judgement.name for judgement in judged.values() if judgement.is_best]
    if len(right) < max(_MIN_RIGHT, _SHARE * len(judged)) or _odds(judged) > _MAX_ODDS:
        return
    for cell, judgement in judged.items():
        if not judgement.is_best and len({*right, judgement.name}) > 1:  # otherwise the one row is the authors' own
            yield _not_best(benchmark, view, cell, judgement, len(right), len(judged))


@dataclass(frozen=True, slots=True)
class _Judgement:
    """The bold figure of a place and the best one. `chance`: how likely a bold figure is the best by chance."""

    is_best: bool
    name: str
    figure: Figure
    best: str
    best_figure: Figure
    chance: float


def _odds(judged: Mapping[str, _Judgement]) -> float:
    """Return how likely as many marks are right by chance."""
    rate = sum(judgement.chance for judgement in judged.values()) / max(len(judged), 1)
    return tail(sum(judgement.is_best for judgement in judged.values()), len(judged), rate)


def _judged_places(view: View) -> dict[str, _Judgement]:
    """Return the judgement on each place of which a figure or a few are bold."""
    names = _compared(view)
    judged = {}
    for cell in view.places:
        figures = {n: view.lines[n][cell] for n in names if cell in view.lines[n]}
        bold = {n: f for n, f in figures.items() if f.bold}
        if is_meta(cell) or is_change(cell) or not bold or len(figures) < 3 or len(bold) * 2 > len(figures):
            continue
        judged[cell] = _judged(cell, figures, bold)
    return judged


def _compared(view: View) -> list[str]:
    """Return the lines among which the best are marked.

    Left out: lines that are bold as a whole, chance and people, sections in which nothing is bold, and models that are
    offered as a service, unless one of them is marked.
    """
    bold_lines = _bold_lines(view)
    names = [name for name in view.lines if name not in bold_lines and not (view.by_rows and is_reference(name))]
    marked = [name for name in names if any(f.bold for f in view.lines[name].values())]
    if view.by_rows:
        sections = {view.sheet.groups.get(name, "") for name in marked}
        names = [name for name in names if view.sheet.groups.get(name, "") in sections]
    if not any(is_service(name) for name in marked):
        names = [name for name in names if not is_service(name)]
    return names


def _bold_lines(view: View) -> set[str]:
    """Return the lines of which nearly all figures are bold: marked as the authors' own, not as the best."""
    return {
        name
        for name, line in view.lines.items()
        if len(line) >= 3 and sum(f.bold for f in line.values()) >= 0.9 * len(line)
    }


def _judged(cell: str, figures: Mapping[str, Figure], bold: Mapping[str, Figure]) -> _Judgement:
    """Return whether a bold figure is the best, and its line, figure, and those of the best."""
    lower = lower_is_better(cell)
    chance = len(bold) / len(figures)
    top = max(figures, key=lambda n: figures[n].value)
    low = min(figures, key=lambda n: figures[n].value)
    marked = max(bold, key=lambda n: bold[n].value)
    if lower is not True and figures[marked].value >= figures[top].value:
        return _Judgement(True, marked, bold[marked], top, figures[top], chance)
    marked_low = min(bold, key=lambda n: bold[n].value)
    if lower is not False and figures[marked_low].value <= figures[low].value:
        return _Judgement(True, marked_low, bold[marked_low], low, figures[low], chance)
    best = low if lower else top
    chosen = marked_low if lower else marked
    return _Judgement(False, chosen, bold[chosen], best, figures[best], chance)


def _not_best(benchmark: str, view: View, cell: str, judgement: _Judgement, right: int, of: int) -> Finding:
    rows, columns = view.rows_and_columns([judgement.name, judgement.best], [cell])
    return doubt(
        "mark",
        "warning",
        benchmark,
        f"{judgement.figure.text} of {judgement.name} is bold, but {judgement.best} has {judgement.best_figure.text}; "
        f"in {right} of {of} {'columns' if view.by_rows else 'rows'} the best figure is bold",
        table=view.sheet.name,
        rows=rows,
        columns=columns,
        published=judgement.figure.value,
        recomputed=judgement.best_figure.value,
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
