"""Dot plots: several measures of one thing on one scale, one line per thing; the first measure has an interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from triptych.reports.plots.data import Panel, drawn_values
from triptych.reports.plots.text_style import WIDTH, DrawableText, colour, part_colour, wrapped
from triptych.reports.tables import words as reports_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKS = ("o", "D", "s", "^", "v", "P")
ROW = 0.42  # inches


def dots(panels: Sequence[Panel], words: DrawableText, axis: str) -> Figure:
    """Return one panel per slice, one line per row with its n, and one mark per heading, with reference lines at 0 and
    1."""
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    headings = list(dict.fromkeys(name for panel in panels for name in panel.headings))
    heights = [ROW * len(panel.runs) + (0.3 if panel.title else 0.1) for panel in panels]
    figure = Figure(figsize=(WIDTH, sum(heights) + 0.22 * -(-len(headings) // 3) + 0.55), layout="constrained")
    axes = figure.subplots(len(panels), 1, squeeze=False, sharex=True, height_ratios=heights)[:, 0]
    for panel, ax in zip(panels, axes, strict=True):
        _lines(ax, panel, headings, words)
        ax.set_xlim(min(0.0, *drawn_values(panels)) - 0.04, max(1.0, *drawn_values(panels)) + 0.04)
    axes[-1].set_xlabel(words(axis))
    handles = [
        Line2D([], [], color=part_colour(n), marker=MARKS[n % len(MARKS)], ls="", ms=5, label=words(name))
        for n, name in enumerate(headings)
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=3, frameon=False, fontsize=8, borderaxespad=0)
    return figure


def caption_notes(panels: Sequence[Panel]) -> list[str]:
    """Return what the caption says about the lines."""
    drawn = any(cell.interval for panel in panels for row in panel.runs for cell in row.cells)
    return ["thin lines show 95% intervals"] if drawn else ["too few replies for intervals"]


def _lines(ax: Axes, panel: Panel, headings: Sequence[str], words: DrawableText) -> None:
    for index, row in enumerate(panel.runs):
        first = next(cell for cell in row.cells if cell.value is not None)
        for name, cell in zip(panel.headings, row.cells, strict=True):
            number = headings.index(name)
            y = index + 0.13 * (number - (len(headings) - 1) / 2)
            if cell.interval:
                ax.hlines(y, *cell.interval, color=part_colour(number), lw=1.2, zorder=2)
            if cell.value is not None:
                ax.plot(cell.value, y, MARKS[number % len(MARKS)], ms=5, color=part_colour(number), zorder=3)
        shown = reports_words.number(first.value, 2).replace("-", "−")
        ax.annotate(
            f"{shown}\nn {first.n:,}",
            (1, index),
            (4, 0),
            xycoords=ax.get_yaxis_transform(),
            textcoords="offset points",
            va="center",
            fontsize=7,
        )
    ax.set_yticks(range(len(panel.runs)), [wrapped(words(row.label), 24) for row in panel.runs])
    ax.set_ylim(len(panel.runs) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0, labelsize=7.5)
    for value in (0, 1):
        ax.axvline(value, color=colour("strong-line"), lw=0.8, zorder=1)
    ax.grid(axis="x")
    ax.set_title(words(panel.title), loc="left")
