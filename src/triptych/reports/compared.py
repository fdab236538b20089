"""A comparison in the terminal: what stands beside what, the sentences, and what to be careful with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from triptych.reports import words

if TYPE_CHECKING:
    from triptych.analysis.comparing import Comparison
    from triptych.records import Estimate


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
    for sentence in found.sentences:
        console.print(sentence, style=BEST if " better than " in sentence else "", overflow="fold")
    if (rows := list(_details(found))) and len(found.runs) == 2:
        _table(console, rows)
    for warning in found.warnings:
        console.print(f"beware: {warning}", style=WARNING, overflow="fold")
    for line in _smallest(found):
        console.print(line, style=QUIET, overflow="fold")


def _details(found: Comparison) -> Iterator[Estimate]:
    """The differences by one facet of the benchmark's own figures, or of its Tasks where it has none."""
    differences = [e for e in found.section.estimates if e.measure == "difference" and e.value is not None]
    own = [e for e in differences if e.task == found.benchmark and len(e.slice) == 1]
    yield from own or [e for e in differences if len(e.slice) == 1][:40]


def _table(console: object, rows: list[Estimate]) -> None:
    from rich import box
    from rich.table import Table

    first, second = rows[0].runs
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=f"{first} less {second}", title_justify="left")
    for heading, justify in (("", "left"), ("difference", "right"), ("95% interval", "right"), ("n", "right")):
        grid.add_column(heading, justify=justify)  # type: ignore[arg-type]
    for row in rows:
        low_high = words.DASH if row.interval is None else f"{row.interval[0]:+.1f} to {row.interval[1]:+.1f}"
        sure = row.interval is not None and (row.interval[0] > 0 or row.interval[1] < 0)
        name = row.label.removeprefix(f"{row.task} ")
        grid.add_row(name, f"{row.value:+.1f}", low_high, f"{row.n:,}", style="" if sure else "dim")
    console.print(grid)  # type: ignore[attr-defined]


def _smallest(found: Comparison) -> Iterator[str]:
    for estimate in found.section.estimates[:1]:
        if estimate.note:
            yield f"{estimate.label}: with these questions, the {estimate.note}"
