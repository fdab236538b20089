"""Several Runs in the terminal: a row for each with its main figures, replies, price and folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from triptych.analysis.observed import headlines
from triptych.analysis.response_cost import Cost
from triptych.benchmarks import load_benchmark
from triptych.records import Aggregate, figure_key
from triptych.reports.tables import words
from triptych.reports.tables.matrix import heading_of

if TYPE_CHECKING:
    from triptych.experiment.series import Ended

FIGURES = 8  # of one Run


def show_several(runs: Sequence[Ended]) -> None:
    """Print the Runs: one table over all benchmarks, with 95% intervals, then where the Runs are."""
    from rich import box
    from rich.table import Table

    from triptych.reports.terminal.tables import QUIET, stdout

    console = stdout()
    grid = Table("Run", "figure (95% interval)", "n", "replies", "failed", "price", box=box.SIMPLE_HEAD, pad_edge=False)
    for one in runs:
        grid.add_row(*_cells(one))
    console.print(grid)
    benchmarks = dict.fromkeys(str(one.step.out.parent) for one in runs)
    for benchmark in benchmarks:
        console.print(f"more: triptych report {benchmark}/*", style=QUIET, soft_wrap=True, markup=False)


def _cells(one: Ended) -> list[str]:
    if one.result is None:
        return [one.step.label, "error" if one.error else "not asked", "", "", "", ""]
    outcome = one.result.outcome
    counts = outcome.counts
    replies = outcome.already + sum(counts.values()) - counts.get("failed", 0)
    figure, n = main_figures(one.result.folder.manifest.benchmark, one.result.scores)
    price = Cost.sum_of(one.result.folder.all_responses()).money
    state = " (stopped)" if outcome.stopped or outcome.interrupted else ""
    done = f"{replies:,}/{one.step.planned:,}{state}"
    return [one.step.label, figure, n, done, f"{counts.get('failed', 0):,}", price]


def main_figures(benchmark: str, scores: Mapping[str, Sequence[Aggregate]]) -> tuple[str, str]:
    """Return a Run's headline figures under the first protocol, each with its interval, and n. Empty if it has none."""
    bench = load_benchmark(benchmark)
    aggregates: Sequence[Aggregate] = next((score for score in scores.values() if score), ())
    figures = headlines(bench, aggregates)
    if not figures:
        return "no figure", ""
    there = [one for one in figures if one.value is not None]
    shown = [(heading_of(figure_key(one), bench.spec), one) for one in there[:FIGURES]]
    headline_figures = [_figure(*pair) for pair in shown]
    headline_figures += [f"{len(there) - FIGURES} more figures"] if len(there) > FIGURES else []
    headline_figures += [f"{len(figures) - len(there)} without a value"] if len(there) < len(figures) else []
    return "; ".join(headline_figures), "; ".join(f"{a.n:,}" for _, a in shown)


def _figure(heading: str, aggregate: Aggregate) -> str:
    if aggregate.value is None:
        return f"{heading} –"
    low_high = (
        f"({aggregate.interval[0]:.1f}–{aggregate.interval[1]:.1f})"
        if aggregate.interval
        else words.no_interval(aggregate.n)
    )
    return f"{heading} {aggregate.value:.1f} {low_high}".rstrip()
