"""Heat maps of Runs and the paper's models by heading, and small matrices, one per Run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from triptych.records import TableCell, TableRow
from triptych.reports.plots.data import Panel, labels, present_values
from triptych.reports.plots.text_style import WIDTH, DrawableText, colour, wrapped
from triptych.reports.tables import words as reports_words
from triptych.reports.tables.columns import line_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

Grid = list[list[TableCell]]
CELL, ROW, MAX_PUBLISHED = 0.62, 0.23, 16  # inches, inches, published rows that are shown
NAME, LETTER, LINE = 26, 0.078, 0.11  # letters of a line of a name; inches of a bold letter, and of a further line
# Ink on a cell: hues of their own, so that the page's dark theme leaves them as they are.
DARK, LIGHT = "#101214", "#fefefe"


def heat(panels: Sequence[Panel], words: DrawableText, better: Mapping[str, str], *, by_column: bool) -> Figure:
    """Draw Runs (first, bold) and the paper's best models as rows, headings as columns. `by_column`: each column has
    its own scale."""
    from matplotlib.figure import Figure

    rows = [[*panel.runs, *best_published(panel, better)] for panel in panels]
    lines = [line for listed in rows for row in listed for line in wrapped(words(row.label), NAME).split("\n")]
    width = max(WIDTH, 0.4 + LETTER * line_width(lines) + CELL * max(len(panel.headings) for panel in panels))
    deep = max(wrapped(words(row.label), NAME).count("\n") + 1 for listed in rows for row in listed)
    heights = [len(listed) * (ROW + LINE * (deep - 1)) + 0.5 for listed in rows]
    figure = Figure(figsize=(width, sum(heights) + 0.15), layout="constrained")
    axes = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)[:, 0]
    for panel, listed, ax in zip(panels, rows, axes, strict=True):
        ways = [better.get(heading, "") for heading in panel.headings]
        _map(ax, [list(row.cells) for row in listed], ways, by_column=by_column)
        _rows(ax, [(words(row.label), row.origin == "run") for row in listed])
        ax.set_xticks(range(len(panel.headings)), [wrapped(words(h), 9) for h in panel.headings], fontsize=7.5)
        ax.set_title(words(panel.title), loc="left", pad=6)
    return figure


def best_published(panel: Panel, better: Mapping[str, str]) -> list[TableRow]:
    """Return the paper's best models, as many as are legible: by the first heading, or by all if some lack it."""
    ways = [better.get(heading, "") for heading in panel.headings]
    rows = [row for row in panel.published if present_values(row.cells)]
    if any(row.cells[0].value is None for row in rows):
        return sorted(rows, key=lambda row: -fmean(_merits(row, ways)))[:MAX_PUBLISHED]
    return sorted(rows, key=lambda row: -_merits(row, ways)[0])[:MAX_PUBLISHED]


def _merits(row: TableRow, ways: Sequence[str]) -> list[float]:
    """Return the existing values, turned so that higher is better."""
    return [_merit(cell.value, way) for way, cell in zip(ways, row.cells, strict=True) if cell.value is not None]


def _merit(value: float, way: str) -> float:
    """Return a value turned so that higher is better; for values that should be near 0, the negative distance."""
    return -value if way == "lower" else -abs(value) if way == "zero" else value


def matrices(
    panels: Sequence[Panel], words: DrawableText, grid: Mapping[str, tuple[str, str]], order: Sequence[str], axis: str
) -> Figure:
    """Draw one small matrix per Run; `grid` gives each heading its row and column; without it, slices are rows.

    `order`: all headings, in the order of the columns.
    """
    from matplotlib.figure import Figure

    names = labels(panels)
    lines, columns = _sides(panels, grid, order)
    shown = {name: _square(panels, name, grid, lines, columns) for name in names}
    across = min(2, len(names))
    side = max(1.0, CELL * len(columns)) + 0.07 * max(len(line) for line in lines)
    down = -(-len(names) // across)
    figure = Figure(
        figsize=(max(WIDTH, across * (side + 0.3)), down * (max(0.8, 0.34 * len(lines)) + 0.75)), layout="constrained"
    )
    axes = figure.subplots(down, across, squeeze=False)
    limits = _limits([cell for square in shown.values() for row in square for cell in row])
    for ax, name in zip(axes.flat, names, strict=False):
        _map(ax, shown[name], [""] * len(columns), by_column=False, limits=limits)
        _rows(ax, [(words(line), False) for line in lines])
        ax.set_xticks(range(len(columns)), [wrapped(words(column), 8) for column in columns])
        ax.set_title(wrapped(words(name), 22), fontsize=8.5)
    for ax in axes.flat[len(names) :]:
        ax.set_axis_off()
    if axis:
        figure.supxlabel(words(axis), fontsize=8.5, color=colour("muted"))
    return figure


def _sides(
    panels: Sequence[Panel], grid: Mapping[str, tuple[str, str]], order: Sequence[str]
) -> tuple[list[str], list[str]]:
    if grid:
        lines, columns = (list(dict.fromkeys(cell_[side] for cell_ in grid.values())) for side in (0, 1))
        return lines, lines if set(lines) == set(columns) else columns
    headings_seen = {heading for panel in panels for heading in panel.headings}
    return [panel.title for panel in panels], [heading for heading in order if heading in headings_seen]


def _square(
    panels: Sequence[Panel],
    name: str,
    grid: Mapping[str, tuple[str, str]],
    lines: Sequence[str],
    columns: Sequence[str],
) -> Grid:
    cells: dict[tuple[str, str], TableCell] = {}
    for panel in panels:
        for row in (row for row in panel.runs if row.label == name):
            for heading, cell in zip(panel.headings, row.cells, strict=True):
                cells[grid.get(heading, (panel.title, heading))] = cell
    return [[cells.get((line, column), TableCell(None)) for column in columns] for line in lines]


def _map(
    ax: Axes, cells: Grid, ways: Sequence[str], *, by_column: bool, limits: tuple[float, float] | None = None
) -> None:
    from matplotlib.patches import Rectangle

    scale = _colours()
    everything = limits or _limits([cell for row in cells for cell in row], next(iter(ways), ""))
    for x in range(len(cells[0]) if cells else 0):
        low, high = _limits([row[x] for row in cells], ways[x]) if by_column else everything
        for y, row in enumerate(cells):
            box: dict[str, Any] = {"xy": (x - 0.5, y - 0.5), "width": 1, "height": 1}
            value = row[x].value
            if value is None:
                ax.add_patch(Rectangle(**box, fc="none", ec=colour("line"), lw=0.6))
                ax.text(x, y, "–", ha="center", va="center", fontsize=8, color=colour("muted"))
                continue
            share = (_merit(value, ways[x]) - low) / (high - low) if high > low else 0.5
            ax.add_patch(Rectangle(**box, fc=scale(0.06 + 0.88 * share), ec="none"))
            shown = reports_words.number(value, min(row[x].digits, 1))
            ax.text(x, y, shown, ha="center", va="center", fontsize=7.5, color=LIGHT if share > 0.5 else DARK)
    ax.set_xlim(-0.5, len(cells[0]) - 0.5)
    ax.set_ylim(len(cells) - 0.5, -0.5)


def _rows(ax: Axes, names: Sequence[tuple[str, bool]]) -> None:
    ax.set_yticks(range(len(names)), [wrapped(name, NAME) for name, _ in names], linespacing=1.0)
    for label, (_, bold) in zip(ax.get_yticklabels(), names, strict=True):
        label.set_fontweight("bold" if bold else "normal")
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    ax.tick_params(axis="x", labelcolor=colour("ink"))
    for spine in ax.spines.values():
        spine.set_visible(False)


def _limits(cells: Sequence[TableCell], way: str = "") -> tuple[float, float]:
    values = [_merit(value, way) for value in present_values(cells)] or [0.0]
    return min(values), max(values)


def _colours() -> Colormap:
    from matplotlib.colors import LinearSegmentedColormap

    steps = [colour("sequence-low"), "#a9c8dc", "#5f9cc0", colour("sequence-high"), "#083f61"]
    return LinearSegmentedColormap.from_list("sequence", steps)
