"""Values along an ordered scale (noise level, number of repeats): one line per Run, with its interval as a band."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from triptych.reports.plots.data import Panel, drawn_values, labels
from triptych.reports.plots.text_style import WIDTH, DrawableText, colour, run_colour, wrapped

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def lines(panels: Sequence[Panel], words: DrawableText, axis: str, along: str = "") -> Figure:
    """Draw one panel per slice, below each other; headings are on the x axis, a Run's name at the end of its line."""
    from matplotlib.figure import Figure

    names = labels(panels)
    figure = Figure(figsize=(WIDTH, 2.6 * len(panels) + 0.3), layout="constrained")
    axes = figure.subplots(len(panels), 1, squeeze=False, sharex=True)[:, 0]
    for panel, ax in zip(panels, axes, strict=True):
        for row in panel.runs:
            points = [
                (n, c.value, *(c.interval or (c.value, c.value)))
                for n, c in enumerate(row.cells)
                if c.value is not None
            ]
            places, values, lows, highs = zip(*points, strict=True)
            shade = run_colour(row.label, names)
            ax.fill_between(places, lows, highs, color=shade, alpha=0.15, lw=0)
            ax.plot(places, values, "o-", color=shade, lw=1.6, ms=4)
            ax.annotate(
                wrapped(words(row.label), 16),
                (places[-1], values[-1]),
                (6, 0),
                textcoords="offset points",
                fontsize=7.5,
                va="center_baseline",
                color=shade,
            )
        ax.set_xticks(range(len(panel.headings)), [wrapped(words(h), 12) for h in panel.headings])
        ax.margins(x=0.18)
        ax.grid(axis="y")
        ax.set_ylabel(words(axis))
        ax.tick_params(axis="y", labelcolor=colour("muted"))
        ax.set_title(words(panel.title), loc="left")
        ax.set_ylim(bottom=max(0.0, ax.get_ylim()[0]) if min(drawn_values([panel])) >= 0 else None)
    axes[-1].set_xlabel(words(along))
    return figure
