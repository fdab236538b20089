"""Estimates of several Runs in the terminal: a row for each, and their sum."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triptych.running.estimate import RunEstimate


def show_estimates(estimates: Iterable[tuple[str, RunEstimate]]) -> None:
    """Print the estimates of several Runs and their sum."""
    from rich import box
    from rich.table import Table

    from triptych.reports.terminal.tables import stdout

    rows = list(estimates)
    grid = Table("Run", "Requests", "tokens in", "tokens out", "USD", "time", box=box.SIMPLE_HEAD, pad_edge=False)
    for label, estimate in rows:
        grid.add_row(label, *_amounts([estimate]))
    grid.add_section()
    grid.add_row("all", *_amounts([estimates_of_row for _, estimates_of_row in rows]))
    stdout().print(grid)


def _amounts(estimates: Sequence[RunEstimate]) -> list[str]:
    from triptych.running.progress import clock

    prices = [estimate.usd for estimate in estimates]
    usd = "unknown" if None in prices else f"{sum(price for price in prices if price is not None):,.2f}"
    sums = (
        sum(estimate.requests for estimate in estimates),
        sum(estimate.input_tokens for estimate in estimates),
        sum(estimate.output_tokens for estimate in estimates),
    )
    return [*(f"{value:,}" for value in sums), usd, clock(sum(estimate.seconds for estimate in estimates))]
