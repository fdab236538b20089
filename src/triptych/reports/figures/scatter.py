"""Cost against score: a dot a Run with its interval and name, and the line of those that no other beats at both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from triptych.records import TableCell
from triptych.reports.figures.data import Panel
from triptych.reports.figures.look import WIDTH, Words, colour, series_colour, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def scatter(panel: Panel, words: Words, axis: str) -> Figure:
    """The first heading is the cost (less is better), the second the score (more is better)."""
    from matplotlib.figure import Figure

    spots = [
        (row.label, row.cells[0].value, row.cells[1])
        for row in panel.runs
        if row.cells[0].value is not None and row.cells[1].value is not None
    ]
    figure = Figure(figsize=(WIDTH, 3.6), layout="constrained")
    ax = figure.add_subplot()
    for number, (name, cost, score) in enumerate(spots):
        _spot(ax, words(name), cost, score, number)
    line = pareto([(cost, score.value or 0.0) for _, cost, score in spots])
    if len(line) > 1:
        ax.plot(*zip(*line, strict=True), color=colour("muted"), lw=1, ls=(0, (4, 3)), zorder=1, drawstyle="steps-post")
    costs = [cost for _, cost, _ in spots]
    if costs and min(costs) > 0 and max(costs) / min(costs) > 20:
        ax.set_xscale("log")
    ax.margins(x=0.22, y=0.2)
    ax.grid()
    ax.set_xlabel(words(panel.headings[0]))
    ax.set_ylabel(words(axis or panel.headings[1]))
    ax.tick_params(axis="y", labelcolor=colour("muted"))
    return figure


def pareto(spots: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The spots than which none is both cheaper (or as cheap) and better, from cheap to dear."""
    line: list[tuple[float, float]] = []
    for cost, score in sorted(spots, key=lambda spot: (spot[0], -spot[1])):
        if not line or score > line[-1][1]:
            line.append((cost, score))
    return line


def _spot(ax: Axes, name: str, cost: float, score: TableCell, number: int) -> None:
    if score.interval:
        ax.vlines(cost, *score.interval, color=series_colour(number), lw=1.4, zorder=2)
    ax.plot(cost, score.value or 0.0, "o", ms=7, color=series_colour(number), zorder=3)
    ax.annotate(wrapped(name, 22), (cost, score.value or 0.0), (7, 4), textcoords="offset points", fontsize=8,
                color=colour("ink"))  # fmt: skip
