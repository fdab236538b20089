"""Statistics of a benchmark's data in the terminal: computed, published, and their difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from triptych.reports.tables import words
from triptych.reports.tables.columns import line_width

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from triptych.benchmarks.statistics import Statistic


def show_statistics(statistics: Sequence[Statistic]) -> None:
    """Print one line per statistic: its name, the value here, the published value, the difference, and what was left
    out; then those that the paper states of others, with its facts."""
    from rich import box
    from rich.table import Table

    from triptych.reports.terminal.tables import QUIET, stdout

    console = stdout()
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    grid.add_column("", no_wrap=True, min_width=line_width(one.of for one in statistics))
    grid.add_column("", overflow="fold")
    for heading in ("here", "printed", "difference"):
        grid.add_column(heading, justify="right", no_wrap=True)
    grid.add_column("source", style=QUIET)
    before = ""
    for one in (one for one in statistics if not one.facts):
        name = f"{one.name}, {one.unit}" if one.unit else one.name
        text = f"{name} ({one.reason})" if one.reason else name
        grid.add_row(
            one.of if one.of != before else "",
            text,
            _number(one.value, one.digits),
            _printed(one),
            _difference(one),
            one.source,
        )
        before = one.of
    console.print(grid)
    if others := [one for one in statistics if one.facts]:
        console.print(_statement_grid(others))
    compared = [one for one in statistics if one.agrees is not None]
    console.print(
        f"{sum(bool(one.agrees) for one in compared)} of {len(compared)} agree with the paper (within one unit of the "
        "last digit)",
        style=QUIET,
    )


def _statement_grid(statistics: Sequence[Statistic]) -> RichTable:
    """Return a grid of what the paper states, with a column for each of its facts."""
    from rich import box
    from rich.table import Table

    names = list(dict.fromkeys(name for one in statistics for name in one.facts))
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    grid.add_column(f"{statistics[0].source}, as printed", overflow="fold")
    grid.add_column(statistics[0].name, justify="right", no_wrap=True)
    for name in names:
        grid.add_column(name, overflow="fold")
    for one in statistics:
        grid.add_row(one.of, _printed(one), *(one.facts.get(name, "") for name in names))
    return grid


def _number(value: float | None, digits: int) -> str:
    return words.DASH if value is None else f"{value:,.{digits}f}"


def _printed(one: Statistic) -> str:
    if one.printed is None:
        return ""
    return " ".join(filter(None, [one.says, _number(one.printed, one.digits)]))


def _difference(one: Statistic) -> str:
    if one.value is None or one.printed is None:
        return ""
    if one.says == "at least" and one.agrees:
        return "="
    if one.agrees:  # to one in the last printed digit: papers round up, down and off
        return "=" if _number(one.value, one.digits) == _number(one.printed, one.digits) else "≈"
    return f"{one.value - one.printed:+,.{one.digits}f}"
