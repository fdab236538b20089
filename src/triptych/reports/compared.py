"""A comparison in the terminal: what stands beside what, the sentences, and what to be careful with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from triptych.analysis.comparing import OVERLAP, figure_words
from triptych.records import figure_key
from triptych.reports import words

if TYPE_CHECKING:
    from rich.console import Console

    from triptych.analysis.comparing import Comparison
    from triptych.records import Estimate

MOST = 12  # sentences about pairs, of more than two Runs


def show_comparison(found: Comparison) -> None:
    """Print it: warnings go last, where they are read."""
    from triptych.reports.terminal import BEST, QUIET, WARNING, stdout

    console = stdout()
    console.print()
    console.print(f"{found.benchmark}, protocol {found.protocol}", style="bold")
    for run in found.runs:
        console.print(f"  {run.label}: {run.units:,} questions", style=QUIET, soft_wrap=True)
    console.print(f"  shared: {found.shared:,} questions of {found.instances:,} Instances", style=QUIET)
    for why, number in found.lost.items():
        console.print(f"  {number:,} shared questions are left out: {why}", style=WARNING)
    console.print()
    said, rest = _said(found)
    if found.ranks:
        _ranks(console, found)
    for sentence in said:
        console.print(sentence, style=BEST if " better than " in sentence else "", overflow="fold")
    if rest:
        console.print(f"{rest:,} more comparisons; --json has all", style=QUIET)
    if (rows := list(_details(found))) and len(found.runs) == 2:
        _table(console, found.benchmark, rows)
    for warning in found.warnings:
        console.print(f"beware: {warning}", style=WARNING, overflow="fold")
    for line in _smallest(found):
        console.print(line, style=QUIET, overflow="fold")


def _said(found: Comparison) -> tuple[list[str], int]:
    """The sentences to print and how many are left: of many Runs the sure differences first, ranks in a table."""
    pairs = [s for s in found.sentences if not s.endswith(OVERLAP)]
    if len(found.runs) == 2:
        return pairs, 0
    ordered = sorted(pairs, key=lambda sentence: " better than " not in sentence)
    return ordered[:MOST], len(ordered[MOST:])


def _ranks(console: Console, found: Comparison) -> None:
    """Each figure's Runs, best first, with the places that they may have."""
    from rich import box
    from rich.table import Table

    for figure in dict.fromkeys(rank.figure for rank in found.ranks):
        grid = Table("place", "", figure, box=box.SIMPLE_HEAD, pad_edge=False)
        for rank in (rank for rank in found.ranks if rank.figure == figure):
            grid.add_row(rank.places, rank.run, f"{rank.value:.1f}")
        console.print(grid)
    console.print(f"{OVERLAP} (Holm's correction over all pairs, 5%)\n", style="dim")


def _details(found: Comparison) -> Iterator[Estimate]:
    """The differences by one facet of the benchmark's own figures, or of its Tasks where it has none."""
    differences = [e for e in found.section.estimates if e.measure == "difference" and e.value is not None]
    own = [e for e in differences if e.task == found.benchmark and len(e.slice) == 1]
    yield from own or [e for e in differences if len(e.slice) == 1][:40]


def _table(console: Console, benchmark: str, rows: list[Estimate]) -> None:
    from rich import box
    from rich.table import Table

    first, second = rows[0].runs
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=f"{first} less {second}", title_justify="left")
    for heading, justify in (("", "left"), ("difference", "right"), ("95% interval", "right"), ("n", "right")):
        grid.add_column(heading, justify=justify)  # type: ignore[arg-type]
    for row in rows:
        low_high = words.DASH if row.interval is None else " to ".join(map(_signed, row.interval))
        sure = row.interval is not None and (row.interval[0] > 0 or row.interval[1] < 0)
        name = row.label.removeprefix(benchmark).lstrip("/ ")
        grid.add_row(name, _signed(row.value or 0.0), low_high, f"{row.n:,}", style="" if sure else "dim")
    console.print(grid)


def _signed(value: float) -> str:
    """`+3.1`, `-0.4`, `0.0`: what rounds to nothing has no sign."""
    shown = f"{value:+.1f}"
    return shown if float(shown) else "0.0"


def _smallest(found: Comparison) -> Iterator[str]:
    """What these questions could have shown, and what more of them would."""
    for estimate in (e for e in found.section.estimates if e.measure == "detectable" and e.value is not None):
        plan = next((own for own in found.section.listings if own.id == f"detectable.{_figure(estimate)}"), None)
        pair = f", {' and '.join(estimate.runs)}" if len(found.runs) > 2 else ""
        told = f"{_figure(estimate)}{pair}: a true difference of {estimate.value:.1f} {estimate.unit}".rstrip()
        rows = [row for row in plan.rows if int(row[0].replace(",", "")) > estimate.n][:2] if plan else []
        more = "".join(f"; {size} with {count} questions" for count, size in rows)
        yield f"{told} would be found 4 times in 5{more}"


def _figure(estimate: Estimate) -> str:
    return figure_words(figure_key(estimate))
