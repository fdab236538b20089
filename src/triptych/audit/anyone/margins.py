"""Margins and intervals that a number of questions can't give."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from triptych.audit.anyone.counted import Questions
from triptych.audit.anyone.doubt import doubt
from triptych.audit.anyone.names import is_change, may_be_share
from triptych.audit.anyone.view import interval, odds_in_words, unit
from triptych.audit.sheets.printed import Figure
from triptych.audit.sheets.sheet import Sheet
from triptych.audit.tables.interval import Interval, digits_of
from triptych.audit.tables.repeats import tail
from triptych.audit.tables.shares import scale_of
from triptych.records import Finding

# "SE" alone: SE-P2P and SE-Asia name data sets
_ERROR = re.compile(
    r"(?:^|[^a-z])(?:stderr|std\.? ?err(?:or)?|standard error)(?:[^a-z]|$)|^\W*s\.?e\.?m?\W*$", re.IGNORECASE
)
_TIMES = {"standard error": 1.0, "half-width of a 95% interval": 1.96}
_MAX_ODDS = 1e-4
_MIN_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class _Margin:
    row: str
    column: str
    figure: Figure
    margin: str


def check_margins(benchmark: str, sheet: Sheet, questions: Mapping[str, Questions]) -> Iterator[Finding]:
    """Yield findings on intervals that don't contain their figure, and on margins that contradict their n."""
    for entry in sheet.entries():
        f = entry.figure
        if f.low and not (float(f.low) - unit(f) <= f.value <= float(f.high) + unit(f)):
            yield doubt(
                "ordering",
                "severe",
                benchmark,
                f"printed {f.text}, but its interval is {f.low} to {f.high}",
                table=sheet.name,
                rows=[entry.row],
                columns=[entry.column],
                published=f.value,
                recomputed=f"{f.low} to {f.high}",
                effect="either the figure or the interval is wrong",
            )
    for column, margins in _margins(sheet).items():
        if may_be_share(column) and not is_change(column):
            yield from _of_column(benchmark, sheet, column, margins, questions.get(column))


def _margins(sheet: Sheet) -> dict[str, list[_Margin]]:
    """Return the margins of each column: after ±, or in a column of standard errors next to it."""
    margins_by_column: dict[str, list[_Margin]] = {}
    for entry in sheet.entries():
        if entry.figure.margin:
            margin = _Margin(entry.row, entry.column, entry.figure, entry.figure.margin)
            margins_by_column.setdefault(entry.column, []).append(margin)
    for before, column in zip(sheet.columns, sheet.columns[1:], strict=False):
        if _ERROR.search(column.rpartition("|")[2]) and before not in margins_by_column:
            errors = sheet.column(column)
            values = sheet.column(before)
            margins_by_column[before] = [
                _Margin(r, before, f, errors[r].text) for r, f in values.items() if r in errors
            ]
    return margins_by_column


def _of_column(
    benchmark: str, sheet: Sheet, column: str, margins: Sequence[_Margin], questions: Questions | None
) -> Iterator[Finding]:
    scale = questions.scale if questions else scale_of([interval(m.figure) for m in margins])
    usable = [m for m in margins if 0 < m.figure.value < scale]
    wide = [m for m in usable if Interval.printed(m.margin).low > _most_deviation(m.figure, scale)]
    if len(wide) * 4 > len(usable) and len(usable) > 1:
        return  # the column holds something other than margins
    for figures in usable:
        if float(figures.margin) == 0 and digits_of(figures.margin) >= 1 and _has_error_name(sheet, column):
            yield _impossible_margin(benchmark, sheet, figures, "a standard error of 0 is possible only at 0% and 100%")
        elif figures in wide:
            yield _impossible_margin(
                benchmark,
                sheet,
                figures,
                f"no answers with this mean vary by more than {_most_deviation(figures.figure, scale):.3g}",
            )
    usable = [m for m in usable if float(m.margin) > 0]
    if len(usable) < 3:
        return
    best: tuple[float, str, int, list[_Margin]] | None = None
    for says, times in _TIMES.items():
        for n in [questions.n] if questions and not questions.odds else _candidates(usable, scale, times):
            fits = [m for m in usable if _follows(m, n, scale, times)]
            rate = sum(_chance(m, usable) for m in usable) / len(usable)
            odds = tail(len(fits), len(usable), min(rate, 1.0)) * len(usable) * len(_TIMES)
            if best is None or odds < best[0]:
                best = (odds, says, n, fits)
    if best and best[0] < _MAX_ODDS and len(best[3]) >= max(3, math.ceil(_MIN_SHARE * len(usable))):
        odds, says, n, fits = best
        for figures in usable:
            if figures not in fits:
                yield _margin_finding(benchmark, sheet, figures, says, n, scale, len(fits), len(usable), odds)


def _has_error_name(sheet: Sheet, column: str) -> bool:
    column_number = sheet.columns.index(column) + 1
    return column_number < len(sheet.columns) and bool(_ERROR.search(sheet.columns[column_number]))


def _most_deviation(figure: Figure, scale: float) -> float:
    """Return the largest standard deviation of two or more values from 0 to `scale` with this mean."""
    return math.sqrt(2 * figure.value * (scale - figure.value)) + unit(figure)


def _error(p: float, n: int, scale: float) -> float:
    return math.sqrt(max(p * (scale - p), 0.0) / n)


def _follows(margin: _Margin, n: int, scale: float, times: float) -> bool:
    value, printed = interval(margin.figure), Interval.printed(margin.margin)
    errors = [times * _error(p, m, scale) for p in (value.low, value.middle, value.high) for m in (n, n - 1) if m > 0]
    return printed.meets(Interval(min(errors), max(errors)))


def _candidates(margins: Sequence[_Margin], scale: float, times: float) -> list[int]:
    """Return the numbers of questions that each margin alone implies."""
    candidates: dict[int, None] = {}
    for margin in margins:
        p = margin.figure.value
        n = round(times**2 * p * (scale - p) / float(margin.margin) ** 2)
        if 4 <= n <= 10_000_000:
            candidates[n] = None
    return list(candidates)


def _chance(margin: _Margin, every: Sequence[_Margin]) -> float:
    """Return how likely a margin is where it is by chance: its width over the range of the column's margins."""
    values = [float(m.margin) for m in every]
    spread = max(max(values) - min(values), max(values) / 2, 1e-9)
    return float(min(1.0, 2 * 10.0 ** -digits_of(margin.margin) / spread))


def _margin_finding(
    benchmark: str, sheet: Sheet, margin: _Margin, says: str, n: int, scale: float, fits: int, of: int, odds: float
) -> Finding:
    times = _TIMES[says]
    digits = digits_of(margin.margin) + 1
    follows = times * _error(margin.figure.value, n, scale)
    implied = times**2 * margin.figure.value * (scale - margin.figure.value) / float(margin.margin) ** 2
    return doubt(
        "average",
        "severe"
        if odds < 1e-6 and abs(follows - float(margin.margin)) > 5 * 10.0 ** -digits_of(margin.margin)
        else "warning",
        benchmark,
        f"printed {margin.figure.text} ± {margin.margin}, but the {says} of {margin.figure.text} on {n:,} questions is "
        f"{follows:.{digits}f}; {fits} of {of} margins of the column follow from {n:,} questions "
        f"({odds_in_words(odds)} by chance)",
        table=sheet.name,
        rows=[margin.row],
        columns=[margin.column],
        published=float(margin.margin),
        recomputed=round(follows, digits),
        needs=f"it would have to rest on about {implied:,.0f} questions",
        about="margin",
    )


def _impossible_margin(benchmark: str, sheet: Sheet, margin: _Margin, why: str) -> Finding:
    return doubt(
        "impossible",
        "severe",
        benchmark,
        f"printed {margin.figure.text} ± {margin.margin}, but {why}",
        table=sheet.name,
        rows=[margin.row],
        columns=[margin.column],
        published=float(margin.margin),
        needs="the margin would have to be of something else than this share",
        about="margin",
    )
