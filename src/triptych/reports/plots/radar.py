"""Radar charts: one line per Run, one spoke per heading, for a quick overview; the bar chart shows the intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from triptych.reports.plots.data import Panel, drawn_values, labels, present_values
from triptych.reports.plots.text_style import WIDTH, DrawableText, colour, legend_columns, run_colour, wrapped
from triptych.reports.tables import words as reports_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MIN_SPOKES = 4  # spokes


def radar(panel: Panel, words: DrawableText) -> Figure:
    """Draw one panel. A missing value leaves a gap in the line; the best value is written at each spoke."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, 4.6), layout="constrained")
    ax: Any = figure.add_subplot(polar=True)
    angles = [2 * math.pi * n / len(panel.headings) for n in range(len(panel.headings))]
    for row in panel.runs:
        # what is below 0 (100 - an error rate over 100) is drawn at the centre
        values = [math.nan if cell.value is None else max(cell.value, 0.0) for cell in row.cells]
        shade = run_colour(row.label, labels([panel]))
        line = {"color": shade, "lw": 1.8, "marker": "o", "ms": 3.5, "label": words(row.label)}
        ax.plot([*angles, angles[0]], [*values, values[0]], **line)
        ax.fill(angles, [0 if math.isnan(v) else v for v in values], color=shade, alpha=0.08, lw=0)
    for angle, number in zip(angles, range(len(panel.headings)), strict=True):
        best = max(present_values(row.cells[number] for row in panel.runs), default=None)
        if best is not None:
            ax.annotate(
                reports_words.number(best, 1),
                (angle, best),
                (0, 5),
                textcoords="offset points",
                fontsize=7,
                ha="center",
                color=colour("ink"),
            )
    ax.set_theta_zero_location("N")
    ax.set_theta_direction(-1)
    ax.set_xticks(angles, [wrapped(words(heading), 14) for heading in panel.headings])
    ax.set_ylim(0, max(drawn_values([Panel("", panel.headings, panel.runs, ())]) or [1.0]) * 1.05 or 1.0)
    ax.tick_params(axis="x", labelcolor=colour("ink"), pad=6)
    ax.tick_params(axis="y", labelsize=7)
    ax.set_rlabel_position(180 / len(panel.headings))  # between two spokes, away from the values
    ax.grid(color=colour("line"))
    if len(labels([panel])) > 1:
        figure.legend(
            loc="outside upper left", ncols=legend_columns(labels([panel])), frameon=False, fontsize=8, borderaxespad=0
        )
    return figure
