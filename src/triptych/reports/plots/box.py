"""Box plots of the paper's models over each heading, with the measured Runs as dots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from triptych.reports.plots.bars import LABEL
from triptych.reports.plots.data import Panel, drawn_values, labels, present_values
from triptych.reports.plots.text_style import WIDTH, DrawableText, colour, legend_columns, run_colour, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def boxes(panels: Sequence[Panel], words: DrawableText, axis: str) -> Figure:
    """Draw one box per heading (median, quartiles, whiskers to the outermost value within 1.5 interquartile ranges),
    Runs as dots."""
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    names = labels(panels)
    heights = [0.34 * len(panel.headings) + 0.3 for panel in panels]
    figure = Figure(
        figsize=(WIDTH, sum(heights) + 0.8 + 0.2 * (len(names) if legend_columns(names) == 1 else 0)),
        layout="constrained",
    )
    axes = figure.subplots(len(panels), 1, squeeze=False, sharex=True, height_ratios=heights)[:, 0]
    values = drawn_values(panels)
    for panel, ax in zip(panels, axes, strict=True):
        _boxes(ax, panel, names, words)
        ax.set_xlim(min(0.0, *values), max(values) * 1.04 or 1.0)
        ax.set_title(words(panel.title), loc="left")
    axes[-1].set_xlabel(words(axis))
    handles: list[Line2D | Patch] = [
        Line2D([], [], color=run_colour(name, names), marker="o", ls="", ms=5, label=words(name)) for name in names
    ]
    if any(panel.published for panel in panels):
        handles.append(Patch(fc="none", ec=colour("strong-line"), label="the paper's models"))
    figure.legend(
        handles=handles,
        loc="outside upper left",
        ncols=legend_columns(names),
        frameon=False,
        fontsize=8,
        borderaxespad=0,
    )
    return figure


def _boxes(ax: Axes, panel: Panel, names: Sequence[str], words: DrawableText) -> None:
    line = {"color": colour("strong-line"), "lw": 0.9}
    for index in range(len(panel.headings)):
        theirs = present_values(row.cells[index] for row in panel.published)
        if len(theirs) > 2:
            ax.boxplot(
                theirs,
                orientation="horizontal",
                positions=[index],
                widths=0.55,
                manage_ticks=False,
                boxprops=line,
                whiskerprops=line,
                capprops=line,
                medianprops={"color": colour("ink"), "lw": 1.4},
                flierprops={"marker": ".", "ms": 3, "mfc": colour("muted"), "mec": "none"},
            )
    for row in panel.runs:
        number = names.index(row.label)
        shift = (number - (len(names) - 1) / 2) * 0.16
        for index, cell in enumerate(row.cells):
            if cell.value is not None:
                if cell.interval:
                    ax.hlines(index + shift, *cell.interval, color=run_colour(row.label, names), lw=1.1, zorder=3)
                ax.plot(
                    cell.value, index + shift, "o", ms=4.5, color=run_colour(row.label, names), zorder=4, clip_on=False
                )
    ax.set_yticks(range(len(panel.headings)), [wrapped(words(heading), LABEL) for heading in panel.headings])
    ax.set_ylim(len(panel.headings) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")
