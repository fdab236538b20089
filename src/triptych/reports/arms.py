"""A preset's arms in the terminal: scores of each arm, its cost, and the paired differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from triptych.analysis.response_cost import Cost
from triptych.records import Aggregate
from triptych.reports.report import show_scores, show_tables

if TYPE_CHECKING:
    from triptych.analysis.comparing.comparison import Comparison
    from triptych.benchmarks import Benchmark
    from triptych.benchmarks.presets import Preset
    from triptych.store.folder import RunFolder


# What arms differ in because they are meant to.
_MEANT = ("the Condition differs", "the prompt differs", "the Runs asked other selections", "the Runs were asked other")


def show_arms(
    benchmark: Benchmark,
    preset: Preset,
    scores: Mapping[str, Mapping[str, Sequence[Aggregate]]],
    folders: Mapping[str, RunFolder],
    comparisons: Mapping[str, Comparison],
) -> None:
    """Print the arms. `scores`, `folders`: arm's title -> those of its Run; `comparisons`: arm's label -> its
    comparison with the reference arm."""
    from rich import box
    from rich.table import Table

    from triptych.reports.terminal.tables import QUIET, WARNING, stdout

    console = stdout()
    console.print(f"{preset.title} ({preset.paper})", style="bold", overflow="fold")
    if preset.note:
        console.print(preset.note, style=QUIET, overflow="fold")
    runs = {title: dict(score) for title, score in scores.items()}
    if preset.tables:
        show_tables(benchmark, runs, folders, preset.tables)
    else:
        show_scores(benchmark, runs, folders)
    grid = Table("arm", "Requests", "tokens", "time", "USD", box=box.SIMPLE_HEAD, pad_edge=False, title="Cost")
    for title, folder in folders.items():
        cost = Cost.sum_of(folder.all_responses())
        grid.add_row(title, f"{cost.responses:,}", cost.tokens, cost.time, cost.money)
    console.print(grid)
    for comparison in comparisons.values():
        first, second = (run.label for run in comparison.runs)
        console.print(f"{first} against {second}, {comparison.shared:,} shared questions:", style="bold")
        for words in [*(f"{n:,} left out: {why}" for why, n in comparison.lost.items()), *comparison.scope[1:]]:
            console.print(f"  {words}", style=WARNING, overflow="fold", highlight=False)
        for sentence in comparison.sentences:
            console.print(f"  {sentence}", overflow="fold", highlight=False)
        for warning in comparison.warnings:
            if warning.startswith(_MEANT):
                continue
            console.print(f"  warning: {warning}", style=WARNING, overflow="fold")
