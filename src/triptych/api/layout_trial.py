"""What `check-plugin` looks at in a benchmark's layouts: Tasks, metrics, published columns, and slices that exist."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from triptych.api.contracts.signatures import NOTE
from triptych.benchmarks.published import published_cells
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.errors import nearest
from triptych.metrics.metric import known_metrics
from triptych.records import Aggregate, Item
from triptych.records.tables import Layout

OF_RUNS = ("condition", "prompt", "repeat")  # facets of a Run, not of an Item


def layout_faults(spec: BenchmarkSpec, scores: Mapping[str, Sequence[Aggregate]]) -> Iterator[str]:
    """Yield the columns and rows of layouts whose Task is neither a Task of the benchmark (or a path to one) nor that
    of a figure, and those whose metric no figure has and that isn't known."""
    paths = [spec.full_id(task).split("/") for task in spec.tasks]
    figures = [figure for every in scores.values() for figure in every]
    tasks = {"/".join(path[:length]) for path in paths for length in range(1, len(path) + 1)}
    tasks |= {figure.task for figure in figures}
    metrics = {*known_metrics(), *(figure.metric for figure in figures)}
    for layout in spec.layouts:
        both = (("a column", layout.columns), ("a row", layout.rows))
        for what, task in dict.fromkeys((what, one.task) for what, many in both for one in many):
            if task and task not in tasks:
                missing = f"the layout {layout.id!r} has {what} of the Task {task!r}, which doesn't exist"
                yield f"{missing}; {nearest(task, tasks)}"
        for what, metric in dict.fromkeys((what, one.metric) for what, many in both for one in many):
            if metric and metric not in metrics:
                missing = f"the layout {layout.id!r} has {what} of the metric {metric!r}, which no figure has"
                near = nearest(metric, metrics)
                yield f"{missing}; {near}" if near.startswith("did you mean") else f"{NOTE}{missing}"


def published_faults(spec: BenchmarkSpec, folder: Path) -> Iterator[str]:
    """Yield the cells that `published/*.csv` has twice, and the columns of layouts whose published column isn't in
    their table."""
    columns: dict[str, set[str]] = {}
    positions: set[tuple[str, ...]] = set()
    for cell in published_cells(folder / "published"):
        columns.setdefault(cell.table, set()).add(cell.column)
        position = (cell.paper, cell.table, cell.row, cell.column)
        if position in positions:
            yield f"published/ has a cell twice: {', '.join(position)} ({cell.where})"
        positions.add(position)
    for layout in spec.layouts:
        if layout.paper and layout.paper not in columns:
            yield f"the layout {layout.id!r} has the paper's table {layout.paper!r}, which published/ doesn't have"
        elif layout.paper and not layout.rows:  # with rows a name is made of the column's and the row's
            names = [column.published for column in layout.columns if column.published]
            for name in (name for name in names if name not in columns[layout.paper]):
                missing = f"the layout {layout.id!r} has the published column {name!r}, which isn't in {layout.paper}"
                yield f"{missing}; {nearest(name, columns[layout.paper])}"


def slice_faults(
    spec: BenchmarkSpec, items: Collection[Item], scores: Mapping[str, Sequence[Aggregate]]
) -> Iterator[str]:
    """Yield the slices of layouts, and the variations, that name a facet, or a value of one, that nothing has."""
    values: dict[str, set[str]] = {}
    for facet, value in (pair for item in items for pair in item.facets.items()):
        values.setdefault(facet, set()).add(value)
    for figure in (figure for every in scores.values() for figure in every):
        for facet, value in figure.slice.items():
            values.setdefault(facet, set()).add(value)
    for task in spec.tasks:
        for facet, value in task.facets.items():
            values.setdefault(facet, set()).add(value)
    for where, facet, value in dict.fromkeys((*_sliced(spec.layouts), *_varied(spec))):
        if facet in OF_RUNS:
            continue
        if facet not in values:
            missing = f"{where} names the facet {facet!r}, which no Item has"
            yield f"{missing}; {nearest(facet, values)}" if values else missing
        elif value and value not in values[facet]:
            missing = f"{where} names {facet} = {value!r}, which no Item of the mini set has"
            near = nearest(value, values[facet])
            yield f"{missing}; {near}" if near.startswith("did you mean") else f"{NOTE}{missing}"


def _sliced(layouts: Sequence[Layout]) -> Iterator[tuple[str, str, str]]:
    for layout in layouts:
        slices = [*(column.slice for column in layout.columns), *(row.slice for row in layout.rows)]
        for facet, value in (pair for one in slices for pair in one.items()):
            yield f"the layout {layout.id!r}", facet, value


def _varied(spec: BenchmarkSpec) -> Iterator[tuple[str, str, str]]:
    for variation in spec.variations:
        for value in variation.values or ("",):
            yield f"variations of {variation.title!r}", variation.facet, value
