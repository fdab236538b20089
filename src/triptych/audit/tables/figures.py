"""Check that the derived figures of a table follow from the figures from which they are derived."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from triptych.audit.tables.cells import Tables
from triptych.audit.tables.equations import Equation, equations
from triptych.audit.tables.interval import digits_of
from triptych.audit.tables.misprints import Address, Slip, Slips
from triptych.audit.tables.rules import Derived
from triptych.records import Finding, FindingSeverity, finding

_MANY = 6  # rows, half of which must break a rule before the rule itself is doubted


def check_figures(
    benchmark: str, rules: Sequence[Derived], tables: Tables, sizes: Mapping[Address, tuple[int, float]] | None = None
) -> Iterator[Finding]:
    """Findings on figures that don't follow, with the slip of one digit that would explain them, where one does.

    Where at least half of six or more rows break a rule, the rule doesn't describe the column: one finding, of all its
    rows. `sizes`: cells that are k of n, as (table, row, column) -> (n, scale).
    """
    every = equations(rules, tables)
    groups = _by_column(every)
    doubted = [group for group in groups if _is_doubted(group)]
    sound = [group for group in groups if not _is_doubted(group)]
    findings = list(Slips([e for group in sound for e in group], tables, sizes or {}).find())
    explained = {id(e) for slip in findings for e in slip.mended}
    yield from (_misprint(benchmark, slip) for slip in findings)
    yield from (_systematic(benchmark, group, tables) for group in doubted)
    yield from (_single(benchmark, e, tables) for group in sound for e in group if e.gap and id(e) not in explained)


def _is_doubted(group: Sequence[Equation]) -> bool:
    return len(group) >= _MANY and 2 * sum(bool(e.gap) for e in group) >= len(group)


def _misprint(benchmark: str, slip: Slip) -> Finding:
    printed, meant = float(slip.cell.text), float(slip.text)
    return finding(
        "misprint",
        "severe" if abs(meant - printed) >= slip.mended[0].rule.severe_from else "warning",
        benchmark,
        f"{slip.cell.text} is probably {slip.text}: {slip.words}",
        table=slip.cell.table,
        rows=[slip.cell.row],
        columns=[slip.cell.column],
        published=printed,
        recomputed=meant,
        effect=f"{meant - printed:+.2f} in this cell",
    )


def _by_column(every: Sequence[Equation]) -> list[list[Equation]]:
    groups: dict[tuple[int, str], list[Equation]] = {}
    for equation in every:
        groups.setdefault((id(equation.rule), equation.target.column), []).append(equation)
    return list(groups.values())


def severity(equation: Equation) -> FindingSeverity:
    """By the distance beyond rounding: within one unit of the last digit a note, from `severe_from` on severe."""
    unit = 10.0 ** -digits_of(equation.target.text)
    if equation.gap <= unit * 1.001:
        return "note"
    return "severe" if equation.gap >= equation.rule.severe_from else "warning"


def _single(benchmark: str, equation: Equation, tables: Tables) -> Finding:
    target, follows = equation.target, expected_figure(equation)
    twins = _twins(equation, tables) if digits_of(target.text) > 1 else []
    text = f"; {target.text} is what {_named(twins)} prints" if twins else ""
    return finding(
        "copy" if twins and equation.rule.kind == "average" else equation.rule.kind,
        severity(equation),
        benchmark,
        f"{_contradiction(equation)}{text}",
        table=target.table,
        rows=[target.row],
        columns=[target.column],
        published=float(target.text),
        recomputed=follows,
        terms=("here", "elsewhere") if _is_twice_printed(equation) else None,
        effect=f"{follows - float(target.text):+.{digits_of(target.text) or 1}f}",
        about=equation.formula,
    )


def _contradiction(equation: Equation) -> str:
    """Return the fault of a cell: another figure follows, or the same quantity is printed elsewhere with another
    figure."""
    printed, follows, why = equation.target.text, expected_figure(equation), equation.rule.why
    if _is_twice_printed(equation):
        return f"printed {printed} here and {follows} elsewhere ({why}); the tables don't show which is correct"
    return f"printed {printed}, but {follows} follows ({why})"


def _is_twice_printed(equation: Equation) -> bool:
    """Return whether the rule compares a cell with another cell that prints the same quantity."""
    return equation.rule.kind == "mismatch" and bool(_ONE_CELL.fullmatch(equation.formula))


_ONE_CELL = re.compile(r"cell\([^()]*\)")


def _systematic(benchmark: str, group: Sequence[Equation], tables: Tables) -> Finding:
    """Return the finding on a rule that a whole column doesn't follow, with the column that it repeats, if any."""
    failed = [e for e in group if e.gap]
    worst = max(failed, key=lambda e: e.gap)
    twins = [pair for pair in Counter(p for e in failed for p in _twins(e, tables)).most_common(3) if pair[1] > 1]
    copied = bool(twins) and 2 * twins[0][1] > len(failed)
    repeat = ", ".join(f"{hits} repeat {_named([address])}" for address, hits in twins)
    text = f"; of the {len(failed)} others {repeat}" if repeat else ""
    return finding(
        "copy" if copied and worst.rule.kind == "average" else worst.rule.kind,
        "severe" if worst.gap >= worst.rule.severe_from else "warning",
        benchmark,
        f"the column follows its rule in {len(group) - len(failed)} of {len(group)} rows ({worst.rule.why}){text}; "
        f"furthest off is {worst.target.row}, printed {worst.target.text} where {expected_figure(worst)} follows",
        table=worst.target.table,
        rows=[e.target.row for e in failed],
        columns=[worst.target.column],
        published=float(worst.target.text),
        recomputed=expected_figure(worst),
        terms=("here", "elsewhere") if _is_twice_printed(worst) else None,
        effect=f"{expected_figure(worst) - float(worst.target.text):+.2f} at most",
        about=worst.formula,
    )


def _twins(equation: Equation, tables: Tables) -> list[tuple[str, str]]:
    """(table, column) of cells in the same row of the inputs' tables that print the very figure."""
    column_key = (equation.target.table, equation.target.column)
    rows = {(c.table, c.row) for c in equation.inputs}
    places = [(t, c) for t, r in rows for c, cell in tables.cells[t][r].items() if cell.text == equation.target.text]
    return [other for other in sorted(places) if other != column_key]


def _named(places: Sequence[tuple[str, str]]) -> str:
    return " and ".join(f"{table} {column}" for table, column in places)


def expected_figure(equation: Equation) -> float:
    """What follows, with a digit more than is printed."""
    return round(equation.expected.middle, digits_of(equation.target.text) + 1)
