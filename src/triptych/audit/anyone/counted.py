"""Shares that no count gives: n from the header, from a row of counts, as stated by the user, or inferred by fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from triptych.audit.anyone.doubt import doubt
from triptych.audit.anyone.names import is_average, is_change, is_error_rate, is_reference, may_be_share
from triptych.audit.anyone.view import interval, odds_in_words, unit
from triptych.audit.sheets.printed import Figure
from triptych.audit.sheets.sheet import Sheet
from triptych.audit.tables.interval import Interval, Printing, digits_of
from triptych.audit.tables.misprints import edits
from triptych.audit.tables.repeats import tail
from triptych.audit.tables.shares import is_share, likely_n, nearest_shares, scale_of
from triptych.records import Finding, FindingSeverity

_MAX_ODDS = 1e-4  # how likely an inferred n may be by chance, over all numbers and columns tried
_MAX_N = 1000  # largest number of questions that is inferred
_SURE = 1e-9  # odds of an inferred n from which a cell that isn't a share of it is severe
_RATE = 0.5  # share of the cells that fit an n by chance, from which fitting says nothing


@dataclass(frozen=True, slots=True)
class Questions:
    """The number of questions on which a column rests. `source`: where it is from; `odds`: how likely as good a fit is
    by chance, if it was inferred (0 if it is stated)."""

    n: int
    scale: float
    source: str
    odds: float = 0.0
    printing: Printing = "rounded"


def questions_of(sheet: Sheet, stated: Mapping[str, int]) -> dict[str, Questions]:
    """Return the number of questions of each column of shares, as far as it is known or can be inferred.

    Args:
        sheet: A table.
        stated: Number of questions by column (or by the last part of its label), as the user states it.
    """
    base = {}
    for column in sheet.columns:
        figures = _shares(sheet, column)
        if len(figures) < 1 or is_change(column):
            continue
        values = [interval(f) for f in figures.values()]
        scale = scale_of(values)
        if n := stated.get(column, stated.get(column.rpartition("|")[2], 0)):
            base[column] = Questions(n, scale, "as stated with --n")
        elif (n := sheet.questions.get(column, 0)) and may_be_share(column):
            if _fit(values, n, scale) * 2 >= len(values):
                base[column] = Questions(n, scale, "as the table states it")
        elif _states_number_of(sheet, column, values, scale):
            base[column] = Questions(sheet.questions_of_table, scale, "as the text above the table states it")
        elif (
            may_be_share(column)
            and not (is_average(column) or is_error_rate(column))
            and (inferred := _best_inferred(figures.values(), scale, len(sheet.columns)))
        ):
            base[column] = inferred
    return base


def _shares(sheet: Sheet, column: str) -> dict[str, Figure]:
    """Return a column's figures, except negative ones and those of chance and people, which needn't be counts."""
    figures_by_row = sheet.column(column)
    return {
        row: f for row, f in figures_by_row.items() if not (f.text.startswith("-") or f.signed or is_reference(row))
    }


def _states_number_of(sheet: Sheet, column: str, values: Sequence[Interval], scale: float) -> bool:
    """Return whether the number of questions above a table is that of a column: most of its figures fit, which chance
    hardly explains."""
    n = sheet.questions_of_table
    if not n or not may_be_share(column) or is_average(column) or is_error_rate(column):
        return False
    fits = _fit(values, n, scale)
    rate = sum(min(1.0, (v.high - v.low) * n / scale) for v in values) / len(values)
    return fits * 4 >= len(values) * 3 and tail(fits, len(values), rate) * len(sheet.columns) < _MAX_ODDS


def _fit(values: Sequence[Interval], n: int, scale: float) -> int:
    return sum(is_share(v, n, scale) for v in values)


def _best_inferred(figures: Iterable[Figure], scale: float, columns: int) -> Questions | None:
    """Return the likeliest n, whether the figures were rounded or truncated."""
    ways: tuple[Printing, ...] = ("rounded", "truncated")
    values = {way: [interval(f, way) for f in figures] for way in ways}
    candidates = [
        replace(inferred, printing=way) for way in ways if (inferred := _inferred(values[way], scale, 2 * columns))
    ]
    return min(candidates, key=lambda size: size.odds, default=None)


def _inferred(values: Sequence[Interval], scale: float, columns: int) -> Questions | None:
    """Return the n that nearly all of a column's figures fit, if chance hardly gives one."""
    if len(values) < 4 or any(v.high > scale * 1.0001 + 0.5 * (v.high - v.low) for v in values):
        return None
    likely = likely_n(values, scale, _MAX_N)
    if likely is None:
        return None
    n, fits = likely
    telling = [v for v in values if v.low > 0 and v.high < scale]
    rate = sum(min(1.0, (v.high - v.low) * n / scale) for v in telling) / max(len(telling), 1)
    odds = min(1.0, tail(len(fits), len(telling), min(rate, 1.0)) * _MAX_N * columns)
    if odds >= _MAX_ODDS or rate >= _RATE or len(telling) - len(fits) > max(1, len(telling) // 5):
        return None
    return Questions(n, scale, "inferred", odds)


def check_counted(benchmark: str, sheet: Sheet, base: Mapping[str, Questions]) -> Iterator[Finding]:
    """Yield findings on figures that no whole number out of n gives, and on counts that contradict their share."""
    by_column = {column: _misfits(_shares(sheet, column), shares) for column, shares in base.items()}
    if _is_truncated(list(by_column.values())):
        by_column = {column: (wrong - truncated, truncated) for column, (wrong, truncated) in by_column.items()}
    for column, shares in base.items():
        figures, misfits = _shares(sheet, column), by_column[column]
        left = misfits[0] - misfits[1] if _is_truncated([misfits]) else misfits[0]
        wrong = [row for row in figures if row in left]
        if len(wrong) > max(2, len(figures) // 2):
            yield _column(benchmark, sheet, column, shares, wrong, len(figures))
            continue
        for row in wrong:
            yield _cell(benchmark, sheet, row, column, figures[row], shares, len(figures) - len(wrong), len(figures))
    yield from _stated_count_findings(benchmark, sheet)


def _misfits(figures: Mapping[str, Figure], shares: Questions) -> tuple[frozenset[str], frozenset[str]]:
    """Return the rows whose figure isn't a share of n, and those of them whose figure is one if it was truncated."""
    values = {row: interval(f, shares.printing) for row, f in figures.items()}
    wrong = [row for row, value in values.items() if not is_share(value, shares.n, shares.scale)]
    truncated = [row for row in wrong if is_share(interval(figures[row], "truncated"), shares.n, shares.scale)]
    return frozenset(wrong), frozenset(truncated)


def _is_truncated(misfits: Sequence[tuple[frozenset[str], frozenset[str]]]) -> bool:
    """Return whether the figures of a table, or of one of its columns, were truncated: this explains at least half of
    those that aren't shares if they were rounded, and there is more than one such figure."""
    wrong, truncated = (sum(len(one[index]) for one in misfits) for index in (0, 1))
    return wrong > 1 and 2 * truncated >= wrong


def _cell(
    benchmark: str, sheet: Sheet, row: str, column: str, figure: Figure, base: Questions, fits: int, of: int
) -> Finding:
    digits = digits_of(figure.text)
    low, high = nearest_shares(interval(figure), base.n, base.scale)
    below = round(low * base.n / base.scale)
    n_is = f"n = {base.n:,}, {base.source}"
    if base.odds:
        n_is = (
            f"n = {base.n:,}: {fits} of {of} figures of the column are its shares, {odds_in_words(base.odds)} by chance"
        )
    last = min(abs(float(figure.text) - low), abs(float(figure.text) - high)) <= 1.5 * unit(figure)
    slips = [
        t
        for t in edits(figure.text)
        if not t.startswith("-") and _is_far_off(t, figure) and is_share(Interval.printed(t), base.n, base.scale)
    ]
    mend = f"; {slips[0]} would be a share" if len(slips) == 1 else ""
    if below == base.n:
        shares = f"{below:,} of {base.n:,} is {low:.{digits + 1}f}, and no share is above it"
    else:
        shares = (
            f"{below:,} of {base.n:,} is {low:.{digits + 1}f} and {below + 1:,} of {base.n:,} is {high:.{digits + 1}f}:"
            f" no whole number of questions gives {figure.text}"
        )
    return doubt(
        "impossible",
        _severity(base, last, fits, of),
        benchmark,
        f"printed {figure.text}, but {shares} ({n_is}){mend}",
        table=sheet.name,
        rows=[row],
        columns=[column],
        published=figure.value,
        recomputed=f"{low:.{digits}f}" if below == base.n else f"{low:.{digits}f} or {high:.{digits}f}",
        needs="it would have to rest on another number of questions (unanswered ones left out, several "
        "runs averaged), or be a misprint",
    )


def _is_far_off(text: str, figure: Figure) -> bool:
    return abs(float(text) - figure.value) >= 10 * unit(figure)


def _severity(base: Questions, last: bool, fits: int, of: int) -> FindingSeverity:
    """Return the severity: severe if n is stated, or hardly inferred by chance, and the figure isn't one unit off."""
    if last:
        return "note"
    if base.odds:
        return "severe" if base.odds < _SURE and fits == of - 1 else "warning"
    return "severe" if fits * 4 >= of * 3 else "warning"


def _column(benchmark: str, sheet: Sheet, column: str, base: Questions, wrong: Sequence[str], of: int) -> Finding:
    return doubt(
        "impossible",
        "warning",
        benchmark,
        f"{len(wrong)} of {of} figures are not shares of {base.n:,} questions ({base.source})",
        table=sheet.name,
        rows=wrong,
        columns=[column],
        published=f"n = {base.n:,}",
        needs="the column would have to rest on another number of questions, or be another metric",
    )


def _stated_count_findings(benchmark: str, sheet: Sheet) -> Iterator[Finding]:
    """Yield findings on figures with their count next to them (`67.2 (84/125)`) that don't agree."""
    for entry in sheet.entries():
        f = entry.figure
        if not f.questions or f.hits > f.questions:
            continue
        shares = [f.hits * scale / f.questions for scale in (100.0, 1.0)]
        if any(interval(f).gap(Interval.exact(s)) <= unit(f) * 1.001 for s in shares):
            continue
        yield doubt(
            "mismatch",
            "severe",
            benchmark,
            f"printed {f.text}, but {f.hits} of {f.questions} is {shares[0]:.{digits_of(f.text) + 1}f}",
            table=sheet.name,
            rows=[entry.row],
            columns=[entry.column],
            published=f.value,
            recomputed=round(shares[0], digits_of(f.text) + 1),
            effect="either the share or the count is wrong",
        )
