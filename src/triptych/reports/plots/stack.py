"""Shares of a whole, one bar per Run: outcomes of its replies, its kinds of error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from triptych.reports.plots.data import Panel
from triptych.reports.plots.text_style import PARTS, WIDTH, DrawableText, colour, part_colour, wrapped

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

ON_BAR = "#fefefd"  # a placeholder that the page replaces by a colour readable on its theme's bars
# The statuses of Units have the colours that the page gives them
STATUS = {
    "answered": "right",
    "scored": "right",
    "refused": "lost",
    "skipped": "lost",
    "truncated": "unsure",
    "unparsed": "unsure",
    "failed": "wrong",
    "missing": "wrong",
    "unavailable": "muted",
    "judge_failed": "muted",
}
HATCHES = ("", "////", "....", "\\\\\\\\", "xxxx", "----", "++++", "oooo")


def stack(panels: Sequence[Panel], words: DrawableText, axis: str) -> Figure:
    """Draw counts or shares, none negative, scaled to 100% per bar; larger shares are labelled with their number.

    Colours repeat after the sixth, with a hatch.
    """
    from matplotlib.figure import Figure

    deep = max(wrapped(words(row.label), 18).count("\n") + 1 for panel in panels for row in panel.runs)
    heights = [max(0.36, 0.145 * deep + 0.04) * len(panel.runs) + (0.3 if panel.title else 0.1) for panel in panels]
    headings = list(dict.fromkeys(heading for panel in panels for heading in panel.headings))
    legend = 0.22 * -(-len(headings) // 2)
    figure = Figure(figsize=(WIDTH, sum(heights) + legend + 0.55), layout="constrained")
    axes = figure.subplots(len(panels), 1, squeeze=False, sharex=True, height_ratios=heights)[:, 0]
    handles: dict[str, Artist] = {}
    for panel, ax in zip(panels, axes, strict=True):
        for index, row in enumerate(panel.runs):
            total = sum(cell.value or 0.0 for cell in row.cells) or 1.0
            start = 0.0
            for heading, cell in zip(panel.headings, row.cells, strict=True):
                share = 100 * (cell.value or 0.0) / total
                number = headings.index(heading)
                shade = colour(STATUS[heading]) if heading in STATUS else part_colour(number)
                (bar,) = ax.barh(
                    index,
                    share,
                    left=start,
                    height=0.62,
                    color=shade,
                    alpha=0.85,
                    lw=0.5,
                    ec=colour("paper"),
                    hatch=HATCHES[number // PARTS % len(HATCHES)],
                )
                handles.setdefault(heading, bar)
                if share >= 7:
                    ax.text(
                        start + share / 2,
                        index,
                        f"{share:.0f}",
                        ha="center",
                        va="center_baseline",
                        fontsize=7.5,
                        color=ON_BAR,
                        fontweight="bold",
                    )
                start += share
        ax.set_yticks(range(len(panel.runs)), [wrapped(words(row.label), 18) for row in panel.runs])
        ax.set_ylim(len(panel.runs) - 0.5, -0.5)
        ax.set_xlim(0, 100)
        ax.tick_params(axis="y", length=0)
        ax.set_title(words(panel.title), loc="left")
    axes[-1].set_xlabel(words(axis or "share, %"))
    figure.legend(
        list(handles.values()),
        [words(heading) for heading in handles],
        loc="outside upper left",
        ncols=2,
        frameon=False,
        fontsize=8,
        handlelength=1.1,
        borderaxespad=0,
    )
    return figure
