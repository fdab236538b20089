"""A layout and the aggregates of some Runs make a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import structs

from triptych.metrics.metric import metric_name
from triptych.records import (
    ANSWERED,
    SCORE_STATUSES,
    Aggregate,
    Column,
    FigureKey,
    Layout,
    RowSlice,
    Table,
    TableCell,
    TableRow,
    figure_key,
    slice_key,
)
from triptych.reports import words
from triptych.reports.published import Published, published_models, published_value

Slice = tuple[tuple[str, str], ...]


def fill(
    layout: Layout,
    runs: Mapping[str, Sequence[Aggregate]],
    published: Published | None = None,
    *,
    headline: str = "",
) -> Table:
    """The table: for each slice of rows the published models (where asked for), then one row a Run.

    `runs`: label -> the aggregates of one protocol. A cell without a figure is None, and its `note` says why. Among
    the Runs' cells of a column (and slice) the best and second best are marked, if there are two to compare: of figures
    that are made of fewer Tasks than others beside them, none is. A slice without any Unit or published figure is named
    in a note instead of rows of dashes.
    """
    figures = {label: _by_key(aggregates) for label, aggregates in runs.items()}
    rows: list[TableRow] = []
    empty: list[str] = []
    for slice_ in layout.rows or (None,):
        theirs = list(_published_rows(layout, slice_, published or {}))
        ours = [_run_row(label, layout, slice_, own) for label, own in figures.items()]
        if slice_ and not theirs and not any(row.counts for row in ours):
            empty.append(slice_.heading)
            continue
        rows += theirs + _mark_best(layout.columns, _with_ranks(layout.columns, ours, theirs))
    first = next((a for aggregates in runs.values() for a in aggregates), None)
    return Table(
        id=layout.id,
        title=layout.title,
        headings=tuple(column.heading for column in layout.columns),
        rows=tuple(rows),
        protocol=first.protocol if first else "",
        headline=headline or _headline(a for aggregates in runs.values() for a in aggregates),
        notes=(
            *filter(None, (layout.note, f"no Units: {', '.join(empty)}" if empty else "")),
            *_partial_notes(layout, figures),
        ),
        columns=layout.columns,
    )


def _partial_notes(layout: Layout, runs: Mapping[str, Mapping[FigureKey, Aggregate]]) -> Iterator[str]:
    """Which figures are made of fewer Tasks than they should be: such a mean is no match for a complete one.

    What has no value is made of none, and says so in its cell.
    """
    labels: dict[str, list[str]] = defaultdict(list)
    for slice_ in layout.rows or (None,):
        for label, figures in runs.items():
            used = [(column.heading, _figure(column, slice_, figures)) for column in layout.columns if not column.rank]
            there = [(heading, a.parts) for heading, a in used if a is not None and a.value is not None and a.parts]
            told = [f"{heading} {made} of {whole}" for heading, (made, whole) in there]
            if told:
                labels[(f"{slice_.heading}: " if slice_ else "") + ", ".join(told)].append(label)
    for told_once, who in labels.items():
        yield f"made of fewer tasks than there are ({', '.join(who)}): {told_once}"


def is_empty(table: Table) -> bool:
    """True where no Run has a single figure for this table."""
    return all(cell.value is None for row in table.rows if row.origin == "run" for cell in row.cells)


def _by_key(aggregates: Iterable[Aggregate]) -> dict[FigureKey, Aggregate]:
    """The figures of a Run. Its prompt and its Condition count as slices of them all, so that a layout can have a
    column for each; a metric is also found by its name, where a protocol has another rule for it than a layout."""
    found: dict[FigureKey, Aggregate] = {}
    for aggregate in aggregates:
        found[figure_key(aggregate)] = aggregate
        for more in _told(aggregate.signature):
            slice_ = slice_key({**aggregate.slice, **more})
            found.setdefault((aggregate.task, aggregate.metric, slice_), aggregate)
    for (task, metric, slice_), aggregate in list(found.items()):
        found.setdefault((task, metric_name(metric), slice_), aggregate)
    return found


def _told(signature: str) -> list[dict[str, str]]:
    """The prompts and the Condition that a signature tells of, as slices; a table's hash (`@…`) is no part of it."""
    fields = dict(field.partition(":")[::2] for field in signature.split("|"))
    prompts = fields["prompt"].split("+") if fields.get("prompt") else []
    condition = words.condition(fields.get("cond", ""))
    return [{"prompt": prompt} for prompt in prompts] + ([{"condition": condition}] if condition else [])


def _figure(column: Column, row: RowSlice | None, figures: Mapping[FigureKey, Aggregate]) -> Aggregate | None:
    """The column's figure: by the metric's id, else by its name."""
    task, metric, slice_ = _wanted(column, row)
    return figures.get((task, metric, slice_)) or figures.get((task, metric_name(metric), slice_))


def _wanted(column: Column, row: RowSlice | None) -> FigureKey:
    if row is None:
        return figure_key(column)
    return (row.task or column.task, column.metric, slice_key({**row.slice, **column.slice}))


def _run_row(label: str, layout: Layout, row: RowSlice | None, figures: Mapping[FigureKey, Aggregate]) -> TableRow:
    used = [_figure(column, row, figures) for column in layout.columns]
    counts = covered([a for a in used if a is not None], figures)
    units = sum(counts.values())
    return TableRow(
        label=label,
        cells=tuple(_cell(a, column) for a, column in zip(used, layout.columns, strict=True)),
        sub=row.heading if row else "",
        coverage=sum(n for status, n in counts.items() if status in ANSWERED) / units if units else None,
        counts=counts,
        part=row,
    )


def _cell(aggregate: Aggregate | None, column: Column) -> TableCell:
    if aggregate is None:
        return TableCell(None, column.digits, note="not in this Run")
    return TableCell(
        value=aggregate.value,
        digits=column.digits,
        n=aggregate.n,
        units=aggregate.units,
        interval=aggregate.interval,
        value_all=aggregate.value_all,
        value_answered=aggregate.value_answered,
        note=_lacking(aggregate),
        parts=aggregate.parts,
    )


def _lacking(aggregate: Aggregate) -> str:
    """What a figure lacks; empty for a whole one."""
    if aggregate.value is None:
        return "no Unit to compute it from"
    return f"made of {aggregate.parts[0]} of {aggregate.parts[1]} tasks" if aggregate.parts else ""


def covered(used: Iterable[Aggregate], figures: Mapping[FigureKey, Aggregate]) -> dict[str, int]:
    """The Units behind a row, by status, each counted once.

    Columns overlap (families, directions, a total). Those that are split by the same facets don't, so their counts
    add up; the widest of these groups stands for the row, but never more than the Task's total.
    """
    groups: dict[tuple[str, tuple[str, ...]], dict[Slice, Aggregate]] = defaultdict(dict)
    for aggregate in used:
        group = groups[aggregate.task, tuple(sorted(aggregate.slice))]
        known = group.setdefault(slice_key(aggregate.slice), aggregate)
        if aggregate.coverage < known.coverage:  # several metrics of the same Units: the least answered tells
            group[slice_key(aggregate.slice)] = aggregate
    by_task: dict[str, dict[str, int]] = {}
    for (task, _), members in groups.items():
        summed = _sum(a.counts for a in members.values())
        total = _total(task, figures)
        if total and sum(summed.values()) > sum(total.values()):
            summed = total
        if sum(summed.values()) > sum(by_task.get(task, {}).values()):
            by_task[task] = summed
    # A figure over the whole benchmark holds those of its Tasks.
    return _sum(counts for task, counts in by_task.items() if not any(task.startswith(f"{t}/") for t in by_task))


def _total(task: str, figures: Mapping[FigureKey, Aggregate]) -> dict[str, int]:
    """The counts of the Task's widest figure over everything, if it has one."""
    totals = [a.counts for (name, _, slice_), a in figures.items() if name == task and not slice_]
    return max(totals, key=lambda counts: sum(counts.values()), default={})


def _sum(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    listed = list(counts)
    summed = {status: sum(c.get(status, 0) for c in listed) for status in SCORE_STATUSES}
    return {status: n for status, n in summed.items() if n}


def _published_rows(layout: Layout, row: RowSlice | None, published: Published) -> Iterator[TableRow]:
    for model, cells in published_models(published, layout).items():
        values = [published_value(cells, column, row) for column in layout.columns]
        if any(value is not None for value in values):
            yield TableRow(
                label=model,
                cells=tuple(
                    TableCell(value, column.digits, note="" if value is not None else "not in the paper")
                    for value, column in zip(values, layout.columns, strict=True)
                ),
                sub=row.heading if row else "",
                origin="published",
                part=row,
            )


def _with_ranks(columns: Sequence[Column], ours: Sequence[TableRow], theirs: Sequence[TableRow]) -> list[TableRow]:
    """The Runs' rows with their ranks: 1 + how many rows are better, among the Runs and those published rows that
    have a rank themselves (an average has none). The figure ranked is the unranked column of the same figure; one that
    is made of fewer Tasks than it should be has no place among whole ones. The
    interval of a rank is the places that the row may have: rows change places where their intervals overlap (a
    published figure has none, and is taken as it is printed)."""
    cells = [list(row.cells) for row in ours]
    for number, column in enumerate(columns):
        if not column.rank:
            continue
        plain = next(
            n for n, other in enumerate(columns) if not other.rank and _wanted(other, None) == _wanted(column, None)
        )
        whole = [row for row in ours if not row.cells[plain].note]
        rows = [*(row for row in theirs if row.cells[number].value is not None), *whole]
        known = [found for row in rows if (found := _range(row.cells[plain], columns[plain]))]
        for own, row in zip(cells, ours, strict=True):
            figure = _range(row.cells[plain], columns[plain]) if row in whole else None
            own[number] = _placed(figure, known, column.digits)
    return [structs.replace(row, cells=tuple(own)) for row, own in zip(ours, cells, strict=True)]


Range = tuple[float, float, float]  # low, value, high; higher is better


def _range(cell: TableCell, column: Column) -> Range | None:
    """A figure with its interval, turned so that higher is better; None where it can't be ranked."""
    value = _rank(cell, column)
    if value is None:
        return None
    bounds = [_rank(structs.replace(cell, value=bound), column) for bound in cell.interval or ()]
    every = [value, *(bound for bound in bounds if bound is not None)]
    return min(every), value, max(every)


def _placed(own: Range | None, known: Sequence[Range], digits: int) -> TableCell:
    if own is None:
        return TableCell(None, digits, note="no figure to rank")
    place = 1.0 + sum(value > own[1] for _, value, _ in known)
    best = 1.0 + sum(low > own[2] for low, _, _ in known)
    worst = float(len(known) - sum(high < own[0] for _, _, high in known))
    return TableCell(place, digits, interval=(best, worst) if best < worst else None)


def _mark_best(columns: Sequence[Column], rows: Sequence[TableRow]) -> list[TableRow]:
    marked = [list(row.cells) for row in rows]
    for number, column in enumerate(columns):
        ranks = {i: _rank(cells[number], column) for i, cells in enumerate(marked)}
        wholest = max((_made(marked[i][number]) for i, rank in ranks.items() if rank is not None), default=1.0)
        ranks = {i: rank for i, rank in ranks.items() if _made(marked[i][number]) == wholest}
        known = {i: rank for i, rank in ranks.items() if rank is not None}
        if len(known) < 2 or len(set(known.values())) < 2:  # nothing to compare, or all alike
            continue
        places = sorted(set(known.values()), reverse=True)
        for i, rank in known.items():
            if rank in places[:2]:
                place = "best" if rank == places[0] else "second"
                marked[i][number] = structs.replace(marked[i][number], **{place: True})
    return [structs.replace(row, cells=tuple(cells)) for row, cells in zip(rows, marked, strict=True)]


def _made(cell: TableCell) -> float:
    """The share of its parts that a figure is made of."""
    return cell.parts[0] / cell.parts[1] if cell.parts else 1.0


def _rank(cell: TableCell, column: Column) -> float | None:
    """Higher is better; as printed, so that what looks alike is alike."""
    if cell.value is None or column.rank or not column.better:
        return None
    shown = round(cell.value, column.digits)
    return {"higher": shown, "lower": -shown, "zero": -abs(shown)}[column.better]


def _headline(aggregates: Iterable[Aggregate]) -> str:
    """Which figure comes first, read off the aggregates: they show it only where a Unit has no answer."""
    for aggregate in aggregates:
        if aggregate.n != aggregate.units:
            return "answered"
        if aggregate.coverage < 1:
            return "all"
    return ""
