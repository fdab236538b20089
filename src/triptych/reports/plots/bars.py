"""Bars with intervals, one group per heading, with the paper's models as ticks below; also as dots on lines."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING

from triptych.records import TableRow
from triptych.reports.plots.data import Panel, drawn_values, labels, present_values
from triptych.reports.plots.text_style import (
    WIDTH,
    DrawableText,
    colour,
    legend_columns,
    part_colour,
    run_colour,
    wrapped,
)
from triptych.reports.tables import words as reports_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BAR, GAP = 0.17, 0.14  # inches
NUMBER = 28  # points from the axis to the end of a value
LABEL = 18  # letters of a heading, before it is broken


Shade = Callable[[str], str]  # name of a row -> its colour


def bars(
    panels: Sequence[Panel], words: DrawableText, axis: str, *, lower: Container[str] = (), parts: bool = False
) -> Figure:
    """Draw horizontal bars: one panel per slice, one group per heading, one bar per Run with its value next to it.

    `lower`: headings of error rates, which are dots: a long bar would look like the best. `parts`: the rows are not
    Runs (Conditions, text sources), and have colours that no Run has.
    """
    from matplotlib.figure import Figure

    names = labels(panels)
    heights = [len(panel.headings) * _step(panel, names) + (0.28 if panel.title else 0.05) for panel in panels]
    entries = len(names) + any(panel.published for panel in panels)
    legend = 0.22 * -(-entries // legend_columns(names))
    figure = Figure(figsize=(WIDTH, sum(heights) + legend + 0.5), layout="constrained")
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    low, high = _limits(panels)

    def shade(name: str) -> str:
        return part_colour(names.index(name)) if parts else run_colour(name, names)

    for panel, ax in zip(panels, axes, strict=True):
        _groups(ax, panel, names, words, shade, lower)
        ax.set_xlim(low, high)
        ax.grid(axis="x")
        ax.set_title(words(panel.title), loc="left")
    axes[-1].set_xlabel(words(axis))
    _legend(figure, names, any(panel.published for panel in panels), words, shade)
    return figure


def _limits(panels: Sequence[Panel]) -> tuple[float, float]:
    """Return the axis limits, from zero or from the lowest negative value."""
    values = [0.0, *drawn_values(panels)]
    low, high = min(values), max(values)
    room = (high - low or 1.0) * 0.03
    return (low - room if low < 0 else 0.0), high + room


def _groups(
    ax: Axes, panel: Panel, names: Sequence[str], words: DrawableText, shade: Shade, lower: Container[str]
) -> None:
    step = _step(panel, names)
    for row in panel.runs:
        dotted = [heading in lower for heading in panel.headings]
        _bars(ax, row, names.index(row.label), step, shade(row.label), dotted)
    for row in panel.published:
        lane = [(index * step + (len(names) - 0.1) * BAR, cell.value) for index, cell in enumerate(row.cells)]
        for y, value in lane:
            if value is not None:
                ax.vlines(value, y - BAR * 0.35, y + BAR * 0.35, color=colour("muted"), lw=0.9, alpha=0.8, zorder=2)
    middle = (len(names) - 1) * BAR / 2
    ax.set_yticks([index * step + middle for index in range(len(panel.headings))])
    ax.set_yticklabels([wrapped(words(heading), LABEL) for heading in panel.headings])
    ax.set_ylim(len(panel.headings) * step - GAP / 2 - BAR / 2, -BAR / 2 - GAP / 2)
    ax.tick_params(axis="y", length=0)
    if min(present_values(cell for row in (*panel.runs, *panel.published) for cell in row.cells)) < 0:
        ax.axvline(0, color=colour("strong-line"), lw=0.9)


def _step(panel: Panel, names: Sequence[str]) -> float:
    """Return the distance between groups: one bar per Run, and a lane for the paper's models below."""
    return (len(names) + bool(panel.published)) * BAR + GAP


def _bars(ax: Axes, row: TableRow, number: int, step: float, shade: str, dotted: Sequence[bool]) -> None:
    for index, cell in enumerate(row.cells):
        if cell.value is None:
            continue
        y = index * step + number * BAR
        if dotted[index]:
            ax.plot(cell.value, y, "o", ms=4.5, color=shade, zorder=4, clip_on=False)
        else:
            ax.barh(y, cell.value, height=BAR * 0.82, color=shade, alpha=0.85, lw=0, zorder=2)
        if cell.interval:
            ax.hlines(y, *cell.interval, color=shade if dotted[index] else colour("ink"), lw=0.9, zorder=3)
        shown = reports_words.number(cell.value, min(cell.digits, 1)).replace("-", "−")
        ax.annotate(
            shown,
            (1, y),
            (NUMBER, 0),
            xycoords=ax.get_yaxis_transform(),
            textcoords="offset points",
            va="center_baseline",
            ha="right",
            fontsize=7.5,
        )


def _legend(figure: Figure, names: Sequence[str], published: bool, words: DrawableText, shade: Shade) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Patch | Line2D] = [Patch(color=shade(name), alpha=0.85, lw=0, label=words(name)) for name in names]
    if published:
        line = Line2D([], [], color=colour("muted"), marker="|", ls="", ms=7, label="the paper's models")
        handles.append(line)
    if len(handles) > 1:
        figure.legend(
            handles=handles,
            loc="outside upper left",
            ncols=legend_columns(names),
            frameon=False,
            fontsize=8,
            handlelength=1.1,
            columnspacing=1.2,
            borderaxespad=0,
        )
