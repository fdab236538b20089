"""Plots of a build: its funnel, and statistics of its records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from triptych.construction.engine.folder import StageCounts
from triptych.construction.record import DECISIONS
from triptych.construction.report.statistics import FACETS, BuildStatistics
from triptych.reports.plots.draw import Drawing
from triptych.reports.plots.text_style import SERIES, WIDTH, DrawableText, colour, series_colour, style, wrapped

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = {"kept": "right", "revised": "series-1", "dropped": "wrong", "pending": "unsure", "failed": "lost"}
_ROW = 0.27  # inches of a stage or a kind
_MAX_KINDS = 20  # kinds in a plot; the table shows all


def funnel_figure(counts: Sequence[StageCounts]) -> Drawing | None:
    """Each stage as a bar of the records that came in, divided by their outcome; None without stages."""
    if not counts:
        return None
    with style():
        figure = _funnel(counts)
    described = " ".join(
        f"{each.stage}: {each.came:,} came in, " + ", ".join(f"{n:,} {d}" for d, n in each.decisions.items()) + "."
        for each in counts
    )
    caption = (
        "Records that came into each stage, by outcome; on the right, how many went on (more where records are split)."
    )
    return Drawing("funnel", "The funnel", caption, described, figure)


def statistics_figures(statistics_: BuildStatistics) -> list[Drawing]:
    """Return plots of durations, positions of correct options, and the kinds of each facet, if there are any."""
    drawn: list[Drawing] = []
    with style():
        if statistics_.seconds:
            drawn.append(_durations(statistics_.seconds))
        if statistics_.positions:
            drawn.append(_positions(statistics_.positions))
        drawn += [_facet(name, by_task) for name, by_task in statistics_.facets.items()]
    return drawn


def _funnel(counts: Sequence[StageCounts]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(2 * WIDTH, _ROW * len(counts) + 0.75), layout="constrained")
    ax = figure.subplots()
    max_count = max((each.came for each in counts), default=0) or 1
    shown: dict[str, None] = {}
    for index, each in enumerate(counts):
        start = 0
        for decision in DECISIONS:
            if n := each.decisions.get(decision, 0):
                ax.barh(index, n, left=start, height=0.66, color=colour(COLOURS[decision]), alpha=0.85, lw=0)
                start, shown[decision] = start + n, None
        ax.text(start + max_count * 0.01, index, _label_of(each), va="center", fontsize=7.5, color=colour("muted"))
    ax.set_yticks(range(len(counts)), [each.stage for each in counts])
    ax.set_ylim(len(counts) - 0.4, -0.6)
    ax.set_xlim(0, max_count * 1.28)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")
    ax.set_xlabel("records")
    _legend(figure, [d for d in DECISIONS if d in shown])
    return figure


def _label_of(each: StageCounts) -> str:
    """Return a label such as `812 of 900 go on`, with the most frequent reason."""
    reason = next((f"{r.partition(': ')[2]} {n:,}" for r, n in each.reasons.items() if not r.startswith("revised")), "")
    went = f"{each.came:,} \N{RIGHTWARDS ARROW} {each.went:,}" if each.went != each.came else f"{each.came:,}"
    return f"{went} \N{MIDDLE DOT} {reason}" if reason else went


def _legend(figure: Figure, decisions: Sequence[str]) -> None:
    from matplotlib.patches import Patch

    handles = [Patch(facecolor=colour(COLOURS[name]), alpha=0.85) for name in decisions]
    if handles:
        figure.legend(
            handles,
            decisions,
            loc="outside upper left",
            ncols=len(handles),
            frameon=False,
            fontsize=8,
            handlelength=1.1,
            borderaxespad=0,
        )


def _durations(seconds: Sequence[float]) -> Drawing:
    """Return a histogram of the lengths of recordings and videos."""
    import numpy as np
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, 2.4), layout="constrained")
    ax = figure.subplots()
    bins = min(24, max(6, round(len(seconds) ** 0.5)))
    counts, edges, _ = ax.hist(seconds, bins=bins, color=colour("series-1"), alpha=0.85, lw=0, rwidth=0.94)
    ax.set_xlabel("seconds")
    ax.set_ylabel("recordings and videos")
    ax.grid(axis="y")
    caption = f"{len(seconds):,} different files, {sum(seconds) / 3600:.2f} hours, mean {np.mean(seconds):.1f} s."
    text = "; ".join(
        f"{a:.1f} to {b:.1f} s: {n:.0f}" for n, (a, b) in zip(np.ravel(counts), pairwise(edges), strict=True)
    )
    return Drawing("durations", "Durations", caption, f"{text}.", figure)


def _positions(positions: Mapping[int, Sequence[int]]) -> Drawing:
    """Return how often each position is correct, one panel per number of options; the dashed line is an equal share."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, 1.75 * len(positions) + 0.35), layout="constrained")
    axes = figure.subplots(len(positions), 1, squeeze=False)[:, 0]
    for ax, (count, held) in zip(axes, positions.items(), strict=True):
        ax.bar(range(1, count + 1), held, width=0.62, color=colour("series-1"), alpha=0.85)
        ax.axhline(sum(held) / count, color=colour("muted"), lw=0.9, ls="--")
        for index, n in enumerate(held, 1):
            ax.text(index, n, f"{n:,}", ha="center", va="bottom", fontsize=7.5, color=colour("muted"))
        ax.set_xticks(range(1, count + 1))
        ax.set_ylim(0, (max(held) or 1) * 1.2)
        ax.set_title(f"{count} options", loc="left")
    axes[-1].set_xlabel("position of the correct option")
    described = " ".join(f"{count} options: {', '.join(map(str, held))}." for count, held in positions.items())
    return Drawing("positions", "Positions of correct options", "The dashed line is an equal share.", described, figure)


def _facet(name: str, by_task: Mapping[str, Mapping[str, int]]) -> Drawing:
    """Return records per value of a facet, the most frequent first; stacked by task if there are colours enough."""
    from matplotlib.figure import Figure

    words, total = DrawableText(), Counter[str]()
    for records_of_task in by_task.values():
        total.update(records_of_task)
    values = sorted(total, key=lambda value: (-total[value], value))[:_MAX_KINDS]
    series = by_task if 1 < len(by_task) <= SERIES else {"": total}
    legend = 0.22 * (len(series) > 1) * -(-len(series) // 3)
    figure = Figure(figsize=(WIDTH, _ROW * len(values) + legend + 0.7), layout="constrained")
    ax = figure.subplots()
    start = [0] * len(values)
    for number, (task, records_of_task) in enumerate(series.items()):
        widths = [records_of_task.get(value, 0) for value in values]
        shade = series_colour(number)
        ax.barh(range(len(values)), widths, left=start, height=0.66, color=shade, alpha=0.85, label=words(task), lw=0)
        start = [a + b for a, b in zip(start, widths, strict=True)]
    for index, value in enumerate(values):
        ax.text(
            total[value] + max(start) * 0.01,
            index,
            f"{total[value]:,}",
            va="center",
            fontsize=7.5,
            color=colour("muted"),
        )
    ax.set_yticks(range(len(values)), [wrapped(words(value), 20) for value in values])
    ax.set_ylim(len(values) - 0.4, -0.6)
    ax.set_xlim(0, max(start) * 1.14)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")
    ax.set_xlabel("records")
    if len(series) > 1:
        figure.legend(loc="outside upper left", ncols=3, frameon=False, fontsize=8, handlelength=1.1, borderaxespad=0)
    left = f"; {len(total) - len(values)} rarer values are in the table" if len(total) > len(values) else ""
    left += f"; {note}" if (note := words.note()) else ""
    described = ", ".join(f"{value} {total[value]}" for value in values)
    return Drawing(
        f"facet-{name}", f"Records by {FACETS[name]}", f"{total.total():,} records{left}.", f"{described}.", figure
    )
