"""The first table of any benchmark, derived from its specification."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import structs

from triptych.benchmarks.spec import BenchmarkSpec
from triptych.errors import TriptychError
from triptych.metrics.metric import find_metric
from triptych.records import Aggregate, Column, FigureKey, Layout, figure_key
from triptych.records.estimates import Better

DIGITS = 1


def overview(spec: BenchmarkSpec, aggregates: Sequence[Aggregate]) -> Layout:
    """Return the benchmark's own figures by one facet, if it aggregates over its Tasks; otherwise every Task's figure.
    The total comes last.

    Without either, the coarsest figures are shown. A column has the heading of the layout column with the same figure,
    if there is one.
    """
    totals = _of_benchmark(spec, aggregates)
    main = {(spec.full_id(task), metric) for task in spec.tasks for metric in task.metrics[:1]}
    order = {spec.full_id(task): number for number, task in enumerate(spec.tasks)}
    tasks = [a for a in aggregates if (a.task, a.metric) in main and not a.slice]
    tasks.sort(key=lambda a: order[a.task])
    columns = [*(() if len(totals) > 1 else (_column(a, spec) for a in tasks)), *_headed(spec, totals)]
    columns = columns or _headed(spec, _coarsest(aggregates))
    title = f"{spec.title.partition(':')[0]}: overview"
    return Layout("overview", title, tuple(structs.replace(column, digits=DIGITS) for column in columns))


def _coarsest(aggregates: Sequence[Aggregate]) -> list[Aggregate]:
    """Return the figures that no other figure includes, for scores that can't be pooled (a log parsed by several
    filters)."""

    def is_finer(one: Aggregate, other: Aggregate) -> bool:
        return (one.task, one.metric) == (other.task, other.metric) and other.slice.items() < one.slice.items()

    return [one for one in aggregates if not any(is_finer(one, other) for other in aggregates)]


def _headed(spec: BenchmarkSpec, figures: Sequence[Aggregate]) -> list[Column]:
    """Return columns with the headings of the layouts; within one Task their headings distinguish figures."""
    columns = [c for layout in reversed(spec.layouts) for c in layout.columns if not c.rank]
    columns_by_key = {figure_key(c): c for c in columns}
    return [columns_by_key.get(figure_key(a)) or _column(a, spec) for a in sorted(figures, key=_layout_order(spec))]


def _layout_order(spec: BenchmarkSpec) -> Callable[[Aggregate], tuple[bool, int]]:
    """Return a sort key: the order of the layouts, then figures in no layout, then the total."""
    columns = [c for layout in spec.layouts for c in layout.columns if not c.rank]
    order: dict[FigureKey, int] = {}
    for column in columns:
        order.setdefault(figure_key(column), len(order))
    return lambda figure: (not figure.slice, order.get(figure_key(figure), len(order)))


def _of_benchmark(spec: BenchmarkSpec, aggregates: Sequence[Aggregate]) -> list[Aggregate]:
    """Return the figures over the whole benchmark, split by at most one facet; the total comes last."""
    totals = {a.metric for a in aggregates if a.task == spec.name and not a.slice and a.value is not None}
    # Where no total has a Task's metric (Tasks differ in theirs), the total's own is the main one.
    main = {metric for task in spec.tasks for metric in task.metrics[:1]}
    main = main if main & totals or not totals else totals
    figures = [a for a in aggregates if a.task == spec.name and a.metric in main and len(a.slice) <= 1]
    return sorted(figures, key=lambda a: not a.slice)


def _column(aggregate: Aggregate, spec: BenchmarkSpec) -> Column:
    try:
        metric = find_metric(aggregate.metric)
    except TriptychError:
        metric = None
    return Column(
        heading=_heading(aggregate, spec, metric.heading if metric else aggregate.metric),
        task=aggregate.task,
        metric=aggregate.metric,
        slice=aggregate.slice,
        better=metric.better if metric else stated_direction(aggregate.metric, spec),
    )


def stated_direction(metric: str, spec: BenchmarkSpec) -> Better:
    """Return which direction is better for a figure that has no metric of its own (a mean over several), as the layouts
    state it; empty if they don't agree."""
    stated = {column.better for layout in spec.layouts for column in layout.columns if column.metric == metric}
    return stated.pop() if len(stated) == 1 else ""


def unit_of(metric: str) -> str:
    """Return the unit of a figure; percent for one that has no metric of its own (a mean over several)."""
    try:
        return find_metric(metric).unit
    except TriptychError:
        return "%"


def _heading(aggregate: Aggregate, spec: BenchmarkSpec, metric: str) -> str:
    if aggregate.slice:
        return " ".join(aggregate.slice.values()).replace("_", " ")
    if aggregate.task == spec.name:
        # A metric that no Task has is not a total of theirs, but a figure of its own (MCGA's consistency).
        return "Total" if any(aggregate.metric in task.metrics for task in spec.tasks) else metric
    return f"{aggregate.task.partition('/')[2]} {metric}"
