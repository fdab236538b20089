"""A comparison in the terminal: scope, sentences, differences and warnings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from triptych.analysis.comparing.differences import figure_words
from triptych.analysis.comparing.sentences import MAX_RUNS_IN_PROSE, OVERLAP
from triptych.analysis.comparing.shared import left_out_lines
from triptych.records import figure_key
from triptych.reports.tables import words
from triptych.reports.tables.columns import wrapped

if TYPE_CHECKING:
    from rich.console import Console

    from triptych.analysis.comparing.comparison import Comparison
    from triptych.records import Estimate, Listing

MAX_SENTENCES = 12  # sentences about pairs, of more than two Runs


def show_comparisons(comparisons: Sequence[Comparison]) -> None:
    """Print comparisons of several benchmarks: what is known about each, then each in full."""
    from triptych.analysis.comparing.verdict import verdict
    from triptych.reports.terminal.tables import stdout

    if len(comparisons) > 1:
        console = stdout()
        for one in comparisons:
            if sentence := verdict(one.section):
                console.print(f"\n{one.benchmark}: {sentence}", overflow="fold")
    for one in comparisons:
        show_comparison(one)


def show_comparison(comparison: Comparison) -> None:
    """Print the comparison; warnings come last, where they are read."""
    from triptych.reports.terminal.tables import BEST, QUIET, WARNING, stdout

    console = stdout()
    console.print()
    console.print(f"{comparison.benchmark}, protocol {comparison.protocol}", style="bold")
    _scope(console, comparison)
    console.print()
    shown_sentences, rest = _shown_sentences(comparison)
    if comparison.ranks:
        _ranks(console, comparison)
    for sentence in shown_sentences:
        console.print(sentence, style=BEST if " better than " in sentence else "", overflow="fold")
    for listing in comparison.section.listings:
        if listing.id.startswith("pairs."):
            _matrix(console, listing)
    if rest:
        console.print(f"{rest:,} more comparisons; --json lists all", style=QUIET)
    if (rows := list(_details(comparison))) and len(comparison.runs) == 2:
        _table(console, comparison, rows)
    for warning in comparison.warnings:
        console.print(f"warning: {warning}", style=WARNING, overflow="fold")
    for line in _detectable_lines(comparison) if len(comparison.runs) <= MAX_RUNS_IN_PROSE else ():
        console.print(line, style=QUIET, overflow="fold")


def _scope(console: Console, comparison: Comparison) -> None:
    """Print the scope of the figures: the Runs, the shared questions, and what is left out."""
    from triptych.reports.terminal.tables import QUIET, WARNING

    for run in comparison.runs:
        cost = f", ${run.usd:,.4f}".rstrip("0").rstrip(".") if run.usd else ""
        base = ", the baseline" if run.label == comparison.baseline else ""
        counts = f"asked {run.units:,}"
        is_partial = run.answered is not None and (run.unfinished or run.answered != run.units)
        counts += f", answered {run.answered:,}" if is_partial else ""
        console.print(f"  {run.label}: {counts}{cost}{base}", style=QUIET, soft_wrap=True)
    for label, why in comparison.excluded.items():
        console.print(f"  left out: {label}: {why}", style=WARNING, soft_wrap=True)
    if comparison.pairwise is None:
        console.print(f"  shared: {comparison.shared:,} questions of {comparison.instances:,} Instances", style=QUIET)
        for line in left_out_lines(comparison.lost):
            console.print(f"  {line}", style=WARNING, soft_wrap=True)
    for sentence in comparison.scope[0 if comparison.pairwise else 1 :]:
        console.print(f"  {sentence}", style=WARNING, soft_wrap=True)


def _shown_sentences(comparison: Comparison) -> tuple[list[str], int]:
    """Return the sentences to print and the number of omitted ones. With more than two Runs significant differences
    come first and ranks are in a table."""
    pairs = [s for s in comparison.sentences if not s.endswith(OVERLAP)]
    if len(comparison.runs) == 2:
        return pairs, 0
    ordered = sorted(pairs, key=lambda sentence: " better than " not in sentence)
    return ordered[:MAX_SENTENCES], len(ordered[MAX_SENTENCES:])


def _ranks(console: Console, comparison: Comparison) -> None:
    """Print each figure's Runs, best first, with the ranks that they may have."""
    from rich import box
    from rich.table import Table

    for figure in dict.fromkeys(rank.figure for rank in comparison.ranks):
        grid = Table("rank", "", figure, box=box.SIMPLE_HEAD, pad_edge=False)
        for rank in (rank for rank in comparison.ranks if rank.figure == figure):
            grid.add_row(rank.places, rank.run, f"{rank.value:.1f}")
        console.print(grid)
    console.print(f"{OVERLAP} (5% level, Holm's correction over all pairs)\n", style="dim")


def _matrix(console: Console, listing: Listing) -> None:
    """Print all pairs; in parts of as many columns as fit."""
    from rich import box
    from rich.table import Table

    width = max(len(cell) for row in listing.rows for cell in row[1:]) + 2
    first = min(36, max(len(row[0]) for row in listing.rows))
    fit = max(1, (console.width - first - 2) // width)
    columns = range(1, len(listing.headings))
    for start in range(0, len(columns), fit):
        part = columns[start : start + fit]
        grid = Table(
            box=box.SIMPLE_HEAD, pad_edge=False, title=listing.title if not start else "", title_justify="left"
        )
        grid.add_column("", max_width=first, overflow="fold")
        for number in part:
            grid.add_column(listing.headings[number], justify="right", no_wrap=True)
        for row in listing.rows:
            grid.add_row("\n".join(wrapped(row[0], first)), *(row[number] for number in part))
        console.print(grid)
    console.print(f"{listing.note}\n", style="dim")


def _details(comparison: Comparison) -> Iterator[Estimate]:
    """Yield the differences by one facet of the benchmark's own figures, or of its Tasks if it has none."""
    differences = [e for e in comparison.section.estimates if e.measure == "difference" and e.value is not None]
    differences_by_group = [e for e in differences if e.task == comparison.benchmark and len(e.slice) == 1]
    yield from differences_by_group or [e for e in differences if len(e.slice) == 1][:40]


def _second_is_ahead(comparison: Comparison, rows: list[Estimate]) -> bool:
    """Return True if the sentence above calls the second Run better. The table then shows the second minus the first,
    so that the better Run has positive differences (negative ones if lower is better)."""
    matching_estimates = (e for e in comparison.section.estimates if e.measure == "difference" and e.value)
    first = next(matching_estimates, rows[0])
    ahead = (first.value or 0.0) * (-1 if first.better == "lower" else 1)
    return round(ahead, 1) < 0


def _swapped_difference(row: Estimate) -> Estimate:
    """Return the same difference with its Runs swapped."""
    interval = None if row.interval is None else (-row.interval[1], -row.interval[0])
    return structs.replace(row, value=-(row.value or 0.0), interval=interval, runs=row.runs[::-1])


def _table(console: Console, comparison: Comparison, rows: list[Estimate]) -> None:
    from rich import box
    from rich.table import Table

    first, second = rows[0].runs
    turned = _second_is_ahead(comparison, rows)
    title = _heading(*((second, first) if turned else (first, second)), {row.better for row in rows})
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=title, title_justify="left")
    for heading, justify in (("", "left"), ("difference", "right"), ("95% interval", "right"), ("n", "right")):
        grid.add_column(heading, justify=justify)  # type: ignore[arg-type]
    for row in map(_swapped_difference, rows) if turned else rows:
        low_high = words.no_interval(row.n) if row.interval is None else " to ".join(map(_signed, row.interval))
        sure = row.interval is not None and (row.interval[0] > 0 or row.interval[1] < 0)
        name = row.label.removeprefix(comparison.benchmark).lstrip("/ ") + (
            " (lower is better)" * (row.better == "lower")
        )
        grid.add_row(name, _signed(row.value or 0.0), low_high, f"{row.n:,}", style="" if sure else "dim")
    console.print(grid)


def _heading(first: str, second: str, better: set[str]) -> str:
    """`A minus B (negative: B is better)`; without the second part if only some of the figures are error rates."""
    sign = {"higher": "negative", "lower": "positive"}.get(better.pop()) if len(better) == 1 else None
    return f"{first} minus {second}" + (f" ({sign}: {second} is better)" if sign else "")


def _signed(value: float) -> str:
    """Return `+3.1`, `-0.4` or `0.0`; a value that rounds to 0 has no sign."""
    shown = f"{value:+.1f}"
    return shown.replace("-", "−") if float(shown) else "0.0"


def _detectable_lines(comparison: Comparison) -> Iterator[str]:
    """Yield the smallest detectable differences with these questions, and with more of them."""
    for estimate in (e for e in comparison.section.estimates if e.measure == "detectable" and e.value is not None):
        plan = next(
            (listing for listing in comparison.section.listings if listing.id == f"detectable.{_figure(estimate)}"),
            None,
        )
        pair = f", {' and '.join(estimate.runs)}" if len(comparison.runs) > 2 else ""
        smallest_text = f"{estimate.value:.1f} {estimate.unit}".rstrip()
        rows = [row for row in plan.rows if int(row[0].replace(",", "")) > estimate.n][:2] if plan else []
        more = "".join(f", or {size} with {count} questions" for count, size in rows)
        yield f"{_figure(estimate)}{pair}: smallest detectable difference (80% power): {smallest_text}{more}"


def _figure(estimate: Estimate) -> str:
    return figure_words(figure_key(estimate))
