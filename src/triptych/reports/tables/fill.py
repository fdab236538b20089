"""Fill a layout with the aggregates of some Runs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import structs

from triptych.metrics.metric import metric_name
from triptych.records import (
    Aggregate,
    Column,
    FigureKey,
    Layout,
    RowSlice,
    Table,
    TableCell,
    TableRow,
    column_key,
    figure_key,
    slice_key,
)
from triptych.reports.tables import words
from triptych.reports.tables.coverage import is_measured, least_covered, share, units_by_status
from triptych.reports.tables.groups import by_model
from triptych.reports.tables.means import mean_rows
from triptych.reports.tables.published import Published, basis_of, published_rows
from triptych.reports.tables.ranking import mark_best, with_less, with_ranks
from triptych.scoring.notes.cost import COSTS
from triptych.store.decoded import fact_table


class RunRemarks(NamedTuple):
    """Description of a Run in a table: `marks` (its restrictions, for example the mini set), `about` (facts of its
    model), and whether it is a baseline, which no mean over models contains."""

    marks: tuple[str, ...] = ()
    about: Mapping[str, str] = {}
    baseline: bool = False


MAX_NAMED = 3  # Runs named in a note of which the same is said


def fill(
    layout: Layout,
    runs: Mapping[str, Sequence[Aggregate]],
    published: Published | None = None,
    *,
    headline: str = "",
    protocol: str = "",
    remarks: Mapping[str, RunRemarks] | None = None,
) -> Table:
    """Return the table: for each slice of rows, the published models (if asked for), then one row per Run.

    `runs`: label -> the aggregates of one protocol. `remarks`: label -> the Run's marks and facts of its model.

    A cell without a figure has the value None and a `note` with the reason. The best and second best Run of a column
    (and slice) are marked if at least two can be compared; a partial average is never compared with a complete one. A
    slice without any Unit or published figure is named in a note and has no rows. Published cells that were measured
    differently are left out, and a note says so.
    """
    figures = {label: _figures(aggregates) for label, aggregates in runs.items()}
    first = next((a for aggregates in runs.values() for a in aggregates), None)
    protocol = protocol or (first.protocol if first else "")
    rows: list[TableRow] = []
    empty: list[str] = []
    left_out: dict[str, dict[str, None]] = {}  # why -> of which columns
    for slice_ in layout.rows or (None,):
        metrics = _metrics(layout, slice_, figures.values())
        theirs = []
        for row, gone in published_rows(layout, slice_, published or {}, protocol, metrics):
            for heading, why in gone.items():
                left_out.setdefault(why, {})[heading] = None
            theirs += [row] if any(cell.value is not None for cell in row.cells) else []
        ours = [
            _run_row(label, layout, slice_, figure, (remarks or {}).get(label, RunRemarks()))
            for label, figure in figures.items()
        ]
        if slice_ and not theirs and not any(row.counts for row in ours):
            empty.append(slice_.heading)
            continue
        if slice_ and theirs:  # a Run without these questions is not shown with the paper's rows
            ours = [row for row in ours if row.counts]
        apart = with_less(ours)
        ours.sort(key=lambda row: row.label in apart)  # below the Runs over all questions
        shown = theirs + mark_best(layout.columns, with_ranks(layout.columns, ours, theirs))
        models = [row for row in shown if not (remarks or {}).get(row.label, RunRemarks()).baseline]
        rows += [*shown, *(mean_rows(layout, models, published) if slice_ is None else ())]
    if layout.by_model:
        rows = by_model(rows)
    shown_facts = [n for n in range(len(layout.about)) if any(row.about[n] for row in rows)]
    rows = [structs.replace(row, about=tuple(row.about[n] for n in shown_facts)) for row in rows]
    return Table(
        id=layout.id,
        title=layout.title,
        headings=tuple(column.heading for column in layout.columns),
        rows=tuple(rows),
        protocol=protocol,
        headline=headline or _headline(a for aggregates in runs.values() for a in aggregates),
        notes=(
            *filter(None, (layout.note, f"no Units: {', '.join(empty)}" if empty else "")),
            *_partial_notes(layout, figures),
            *_least_notes(rows),
            *_published_notes(rows, left_out, protocol, basis_of(published).rules(layout.paper)),
        ),
        columns=layout.columns,
        about=tuple(layout.about[n] for n in shown_facts),
        by_model=layout.by_model,
        models_across=layout.models_across,
    )


def without_empty(table: Table) -> Table:
    """Return the table without the columns in which no row has a value, and with a note that names them; the same table
    if none has a value."""
    columns = [n for n in range(len(table.headings)) if any(row.cells[n].value is not None for row in table.rows)]
    if not columns or len(columns) == len(table.headings):
        return table
    gone = ", ".join(heading for number, heading in enumerate(table.headings) if number not in columns)
    rows = tuple(structs.replace(row, cells=tuple(row.cells[n] for n in columns)) for row in table.rows)
    return structs.replace(
        table,
        headings=tuple(table.headings[n] for n in columns),
        columns=tuple(table.columns[n] for n in columns) if table.columns else (),
        rows=rows,
        notes=(*table.notes, f"columns without a value, not shown: {gone}"),
    )


def _metrics(
    layout: Layout, row: RowSlice | None, runs: Iterable[Mapping[FigureKey, Aggregate]]
) -> dict[int, set[str]]:
    """Return column index -> the metrics of the Runs' figures in it."""
    metrics_by_column: dict[int, set[str]] = defaultdict(set)
    for figures in runs:
        for number, column in enumerate(layout.columns):
            if (aggregate := _figure(column, row, figures)) is not None:
                metrics_by_column[number].add(aggregate.metric)
    return metrics_by_column


def _published_notes(
    rows: Sequence[TableRow], left_out: Mapping[str, Iterable[str]], protocol: str, rules: Sequence[str]
) -> Iterator[str]:
    """Yield notes on published rows: another protocol than the Runs', and cells that are not shown."""
    if rules and protocol not in rules and any(row.origin == "published" for row in rows):
        yield f"The paper's rows are scored by protocol {' or '.join(rules)}, the Runs by protocol {protocol}"
    for why, headings in left_out.items():
        yield f"published values not shown: {', '.join(headings)}: {why}"


def _partial_notes(layout: Layout, runs: Mapping[str, Mapping[FigureKey, Aggregate]]) -> Iterator[str]:
    """Yield notes on partial averages, which are not comparable with complete ones. A figure without a value has a note
    in its own cell."""
    labels: dict[str, list[str]] = defaultdict(list)
    for slice_ in layout.rows or (None,):
        for label, figures in runs.items():
            used = [(column.heading, _figure(column, slice_, figures)) for column in layout.columns if not column.rank]
            there = [(heading, a.parts) for heading, a in used if a is not None and a.value is not None and a.parts]
            texts = [f"{heading} {made} of {planned}" for heading, (made, planned) in there]
            if texts:
                labels[(f"{slice_.heading}: " if slice_ else "") + ", ".join(texts)].append(label)
    by_runs: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for note, who in labels.items():
        by_runs[tuple(who)].append(note)
    for alike, texts in by_runs.items():
        named = "" if len(alike) == len(runs) else f" ({_named(alike)})"
        yield f"partial average{named}: {'; '.join(texts)} subtasks"


def _least_notes(rows: Iterable[TableRow]) -> Iterator[str]:
    """Yield each Run's column with the lowest coverage, if it is lower than the coverage of its row. Runs of which the
    same is said are named together."""
    least_by_heading: dict[str, tuple[float, str]] = {}
    for row in rows:
        if row.least:
            coverage, words_ = row.least
            least_coverage = (coverage, f"{row.sub + ', ' if row.sub else ''}{words_}")
            least_by_heading[row.label] = min(least_by_heading.get(row.label, least_coverage), least_coverage)
    alike: dict[str, list[str]] = defaultdict(list)
    for label, (_, text) in least_by_heading.items():
        alike[text].append(label)
    if alike:
        yield f"lowest coverage in a column: {'; '.join(f'{_named(who)}: {remark}' for remark, who in alike.items())}"


def _named(labels: Sequence[str]) -> str:
    """Return the names of a few Runs, or of the first and the number of the others."""
    return ", ".join(labels) if len(labels) <= MAX_NAMED else f"{', '.join(labels[:2])} and {len(labels) - 2} others"


def _least_coverage(layout: Layout, used: Sequence[Aggregate | None], coverage: float) -> tuple[float, str] | None:
    """Return (coverage, heading with counts) of the column with the lowest coverage; None if the row's own coverage is
    as low."""
    number = least_covered(used)
    figure = None if number is None else used[number]
    if number is None or figure is None or not figure.coverage < coverage:
        return None
    percent = "" if any(figure.counts.get(status) for status in words.UNSCORED) else words.counts_percent(figure.counts)
    text = f"{layout.columns[number].heading} {percent}".rstrip()
    return figure.coverage, f"{text} ({words.share(figure.counts)}; {words.by_outcome(figure.counts)})"


def is_empty(table: Table) -> bool:
    """Return True if no Run has a figure in this table, be it one that was not measured."""
    cells = (cell for row in table.rows if row.origin == "run" for cell in row.cells)
    return all(cell.value is None and not cell.unmeasured for cell in cells)


def _figures(aggregates: Sequence[Aggregate]) -> dict[FigureKey, Aggregate]:
    """Return `_by_key`; within `keep_files()` once for the tables that show the same figures."""
    figures_kept: dict[int, tuple[dict[FigureKey, Aggregate], Sequence[Aggregate]]] = fact_table("figures by key")
    if id(aggregates) not in figures_kept:
        figures_kept[id(aggregates)] = _by_key(aggregates), aggregates
    return figures_kept[id(aggregates)][0]


def _by_key(aggregates: Iterable[Aggregate]) -> dict[FigureKey, Aggregate]:
    """Return a Run's figures by key.

    The Run's prompt and Condition count as slices of every figure, so that a layout can have a column for each. A
    figure is also found by its metric's name if the protocol uses another rule of that name than the layout.
    """
    aggregates_by_key: dict[FigureKey, Aggregate] = {}
    for aggregate in aggregates:
        aggregates_by_key[figure_key(aggregate)] = aggregate
        for more in _signature_slices(aggregate.signature):
            slice_ = slice_key({**aggregate.slice, **more})
            aggregates_by_key.setdefault((aggregate.task, aggregate.metric, slice_), aggregate)
    for (task, metric, slice_), aggregate in list(aggregates_by_key.items()):
        aggregates_by_key.setdefault((task, metric_name(metric), slice_), aggregate)
    return aggregates_by_key


@lru_cache(maxsize=1024)
def _signature_slices(signature: str) -> list[dict[str, str]]:
    """Return the prompts and the Condition of a signature as slices, without hashes of prompts and tables."""
    fields = dict(field.partition(":")[::2] for field in signature.split("|"))
    prompts = words.condition(fields.get("prompt", "")).split("+") if fields.get("prompt") else []
    name = fields.get("cond", "")
    conditions = dict.fromkeys((words.condition(name), words.texts_condition(name))) if name else {}
    return [{"prompt": prompt} for prompt in prompts] + [{"condition": condition} for condition in conditions]


def _figure(column: Column, row: RowSlice | None, figures: Mapping[FigureKey, Aggregate]) -> Aggregate | None:
    """Return the column's figure by the metric's id or, failing that, by its name; that of a Condition also if it is
    written in another way."""
    task, metric, slice_ = column_key(column, row)
    for figure_place in dict.fromkeys((slice_, _comparable_slice(slice_))):
        if aggregate := figures.get((task, metric, figure_place)) or figures.get(
            (task, metric_name(metric), figure_place)
        ):
            return aggregate
    return None


def _comparable_slice(slice_: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, words.texts_condition(value) if name == "condition" else value) for name, value in slice_)


def _run_row(
    label: str, layout: Layout, row: RowSlice | None, figures: Mapping[FigureKey, Aggregate], run_remarks: RunRemarks
) -> TableRow:
    used = [_figure(column, row, figures) for column in layout.columns]
    counts = units_by_status([a for a in used if a is not None], figures)
    return TableRow(
        label=label,
        cells=tuple(_cell(a, column, row) for a, column in zip(used, layout.columns, strict=True)),
        sub=row.heading if row else "",
        coverage=share(counts) if counts else None,
        least=_least_coverage(layout, used, share(counts)),
        counts=counts,
        part=row,
        marks=run_remarks.marks if counts else (),
        about=tuple(run_remarks.about.get(name, "") for name in layout.about),
    )


def _cell(aggregate: Aggregate | None, column: Column, row: RowSlice | None) -> TableCell:
    if aggregate is None:
        return TableCell(None, column.digits, note="not in this Run")
    if not is_measured(aggregate):
        note = words.losses(aggregate.counts) or "no Unit to compute it from"
        return TableCell(None, column.digits, units=aggregate.units, note=note, unmeasured=aggregate.value is not None)
    return TableCell(
        value=aggregate.value,
        digits=_digits(aggregate.value, column.digits) if row and row.metric else column.digits,
        n=aggregate.n,
        units=aggregate.units,
        interval=aggregate.interval,
        value_all=aggregate.value_all,
        value_answered=aggregate.value_answered,
        note=_lacking(aggregate),
        parts=aggregate.parts,
        coverage=aggregate.coverage if aggregate.units else None,
        unit=row.unit if row else "",
        plain=aggregate.metric in COSTS,
    )


def _digits(value: float | None, digits: int) -> int:
    """Return the decimals of a sum, which is small for a small Run: two that are not 0 if it would be printed as 0."""
    if not value or abs(value) >= 10**-digits:
        return digits
    return max(digits, 1 - math.floor(math.log10(abs(value))))


def _lacking(aggregate: Aggregate) -> str:
    """Describe what a figure lacks; empty for a complete one."""
    if aggregate.value is None:
        return "no Unit to compute it from"
    return f"partial average: {aggregate.parts[0]} of {aggregate.parts[1]} subtasks" if aggregate.parts else ""


def _headline(aggregates: Iterable[Aggregate]) -> str:
    """Return which figure is the headline one, inferred from the aggregates; empty if every Unit has an answer."""
    for aggregate in aggregates:
        if aggregate.n != aggregate.units:
            return "answered"
        if aggregate.coverage < 1:
            return "all"
    return ""
