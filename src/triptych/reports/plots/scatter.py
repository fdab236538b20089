"""Score against cost: one dot per Run with its interval and name, and the line of Runs that no other beats in both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from triptych.records import TableCell
from triptych.reports.plots.data import Panel
from triptych.reports.plots.text_style import WIDTH, DrawableText, colour, lay_out, run_colour, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


SIZE = 7.5  # points of a name
MAX_NAMES, LINE = 8, 0.16  # names that can be written next to their dots; inches of a line of the legend with more
Box = tuple[float, float, float, float]  # left, bottom, right, top, in points
_STEPS = tuple(sign * step for step in range(9, 99, 9) for sign in (1, -1))


def scatter(panel: Panel, words: DrawableText, axis: str, *, lower: bool = False) -> Figure:
    """Draw the cost (first heading, lower is better) and the score (second, higher is better unless `lower`)."""
    from matplotlib.figure import Figure

    spots = _spots(panel)
    names = [name for name, _, _ in spots]
    order = (
        sorted(spots, key=lambda spot: (spot[2].value or 0.0) * (1 if lower else -1)) if len(spots) > MAX_NAMES else []
    )
    numbers = {name: str(number) for number, (name, _, _) in enumerate(order, 1)}
    figure = Figure(figsize=(WIDTH, 3.6 + LINE * len(order)), layout="constrained")
    ax = figure.add_subplot()
    for name, cost, score in spots:
        _spot(ax, cost, score, run_colour(name, names))
    line = _line(spots, lower=lower)
    if len(line) > 1:
        ax.plot(*zip(*line, strict=True), color=colour("muted"), lw=1, ls=(0, (4, 3)), zorder=1, drawstyle="steps-post")
    ax.margins(x=0.22, y=0.2)
    ax.set_xlim(left=0)
    ax.grid()
    ax.set_xlabel(words(panel.headings[0]))
    ax.set_ylabel(words(axis or panel.headings[1]))
    ax.tick_params(axis="y", labelcolor=colour("muted"))
    if numbers:
        _legend(figure, [(numbers[name], words(name), run_colour(name, names)) for name, _, _ in order])
    lay_out(figure)  # names are placed apart from each other at the final position of the axes
    _names(
        ax, [(numbers.get(name) or wrapped(words(name), 22), cost, score.value or 0.0) for name, cost, score in spots]
    )
    return figure


def _legend(figure: Figure, entries: Sequence[tuple[str, str, str]]) -> None:
    """Write the names of the numbers, best score first, below the plot."""
    from matplotlib.lines import Line2D

    dots = [Line2D([], [], marker="o", ls="", ms=5, color=shade) for _, _, shade in entries]
    figure.legend(
        dots,
        [f"{number}  {name}" for number, name, _ in entries],
        loc="outside lower left",
        ncols=1,
        frameon=False,
        fontsize=SIZE,
        handletextpad=0.3,
        labelspacing=0.35,
    )


def caption_notes(panel: Panel, *, lower: bool = False) -> list[str]:
    """Return what the caption says about the lines."""
    spots = _spots(panel)
    drawn = ["vertical lines show 95% intervals"] if any(score.interval for _, _, score in spots) else []
    better = ["dashed line: no Run is both cheaper and better"] if len(_line(spots, lower=lower)) > 1 else []
    return [*drawn, *better]


def _spots(panel: Panel) -> list[tuple[str, float, TableCell]]:
    return [
        (row.label, row.cells[0].value, row.cells[1])
        for row in panel.runs
        if row.cells[0].value is not None and row.cells[1].value is not None
    ]


def _line(spots: Sequence[tuple[str, float, TableCell]], *, lower: bool) -> list[tuple[float, float]]:
    sign = -1 if lower else 1
    front = pareto([(cost, sign * (score.value or 0.0)) for _, cost, score in spots])
    return [(cost, sign * score) for cost, score in front]


def pareto(spots: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the points that no other point beats in both cost and score, by increasing cost."""
    line: list[tuple[float, float]] = []
    for cost, score in sorted(spots, key=lambda spot: (spot[0], -spot[1])):
        if not line or score > line[-1][1]:
            line.append((cost, score))
    return line


def _spot(ax: Axes, cost: float, score: TableCell, shade: str) -> None:
    if score.interval:
        ax.vlines(cost, *score.interval, color=shade, lw=1.4, zorder=2)
    ax.plot(cost, score.value or 0.0, "o", ms=7, color=shade, zorder=3, clip_on=False)


def _names(ax: Axes, spots: Sequence[tuple[str, float, float]]) -> None:
    """Write each name next to its dot, on the first side where it overlaps no other name, dot or edge."""
    points = 72 / ax.figure.dpi
    dots = [tuple(points * value for value in ax.transData.transform((cost, score))) for _, cost, score in spots]
    frame = ax.get_window_extent()
    left, right = frame.x0 * points, frame.x1 * points
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in dots]
    for (name, cost, score), (x, y) in zip(spots, dots, strict=True):
        lines = name.split("\n")
        width, height = max(map(len, lines)) * SIZE * 0.66, len(lines) * SIZE * 1.35
        places = [(dx, dy) for dy in _STEPS for dx in (8.0, -8.0 - width)]
        boxes = [(x + dx, y + dy - height / 2, x + dx + width, y + dy + height / 2) for dx, dy in places]
        free = [n for n, box in enumerate(boxes) if left <= box[0] and box[2] <= right and not _meets(box, taken)]
        best = free[0] if free else 0
        taken.append(boxes[best])
        far = abs(places[best][1]) > 24
        ax.annotate(
            name,
            (cost, score),
            places[best],
            textcoords="offset points",
            fontsize=SIZE,
            va="center",
            color=colour("ink"),
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "lw": 0.6, "color": colour("muted")} if far else None,
        )


def _meets(box: Box, others: Sequence[Box]) -> bool:
    return any(box[0] < o[2] and o[0] < box[2] and box[1] < o[3] and o[1] < box[3] for o in others)
