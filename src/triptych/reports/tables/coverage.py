"""Coverage of a table row: the number of Units with an answer behind its columns, each Unit counted once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from triptych.records import ANSWERED, SCORE_STATUSES, Aggregate, FigureKey, slice_key
from triptych.reports.tables.words import UNSCORED
from triptych.store.decoded import fact_table

NO_REPLY = ("failed", "missing", "skipped")

Slice = tuple[tuple[str, str], ...]
Counts = Mapping[str, int]
Totals = Mapping[str, Sequence[Aggregate]]  # Task -> its figures without a slice


def units_by_status(used: Sequence[Aggregate], figures: Mapping[FigureKey, Aggregate]) -> dict[str, int]:
    """Return the Units behind a row, by status, each counted once.

    Columns overlap (families, directions, a total). Columns that are split by the same facets don't, so their counts
    add up; the widest of these groups represents the Task, limited by the Task's total. Of several metrics over the
    same Units, the one with the fewest answers counts. A figure over several Tasks represents its own parts only.
    """
    by_task = _by_task(used, _totals(figures))
    for task in [t for t in by_task if any(_is_computed_from(t, other, used) for other in by_task)]:
        inside = [other for other in by_task if _is_computed_from(task, other, used)]
        summed = _sum(by_task[other] for other in inside)
        if _covers_more(summed, by_task[task]):
            del by_task[task]
        else:
            by_task = {other: counts for other, counts in by_task.items() if other not in inside}
    return _sum(by_task.values())


def _totals(figures: Mapping[FigureKey, Aggregate]) -> Totals:
    totals_kept: dict[int, tuple[Totals, Mapping[FigureKey, Aggregate]]] = fact_table("totals")
    if id(figures) not in totals_kept:
        totals: dict[str, list[Aggregate]] = defaultdict(list)
        for (task, _, slice_), aggregate in figures.items():
            if not slice_:
                totals[task].append(aggregate)
        totals_kept[id(figures)] = totals, figures
    return totals_kept[id(figures)][0]


def least_covered(used: Sequence[Aggregate | None]) -> int | None:
    """Return the index of the column with the smallest share of answered Units, the first of equal ones; None without
    columns."""
    coverages = {number: a.coverage for number, a in enumerate(used) if a is not None and a.units}
    return min(coverages, key=lambda number: coverages[number], default=None)


def is_measured(figure: Aggregate) -> bool:
    """Return False if no Unit behind the figure has a reply with a score (all were skipped or failed, or the judge is
    missing): the figure is a worst case, not a measurement."""
    counts = figure.counts
    replied = sum(n for status, n in counts.items() if status not in NO_REPLY)
    return not figure.units or replied > sum(counts.get(status, 0) for status in UNSCORED)


def share(counts: Counts) -> float:
    """Return the share of Units that have an answer, 0 to 1; 0 without Units."""
    units = sum(counts.values())
    return _answered(counts) / units if units else 0.0


def _by_task(used: Sequence[Aggregate], totals: Totals) -> dict[str, Counts]:
    groups: dict[tuple[str, tuple[str, ...]], dict[Slice, Aggregate]] = defaultdict(dict)
    for aggregate in used:
        group = groups[aggregate.task, tuple(sorted(aggregate.slice))]
        by_slice = group.setdefault(slice_key(aggregate.slice), aggregate)
        if aggregate is not by_slice and aggregate.coverage < by_slice.coverage:
            group[slice_key(aggregate.slice)] = aggregate
    counts_by_task: dict[str, Counts] = {}
    for (task, _), members in groups.items():
        summed: Counts = _sum(a.counts for a in members.values())
        total = _counts_of(task, members.values(), totals)
        if total and sum(summed.values()) > sum(total.values()):
            summed = total
        if task not in counts_by_task or _covers_more(summed, counts_by_task[task]):
            counts_by_task[task] = summed
    return counts_by_task


def _is_computed_from(task: str, other: str, used: Iterable[Aggregate]) -> bool:
    """Return True if one of the row's figures of `task` is computed from the Task `other`."""
    made_of = {name for aggregate in used if aggregate.task == task for name in aggregate.tasks}
    return other in made_of if made_of else other.startswith(f"{task}/")


def _counts_of(task: str, members: Iterable[Aggregate], totals: Totals) -> Counts:
    """Return the counts of all Units that these figures can cover: those of the Tasks that they are computed from, or
    their own."""
    members = list(members)
    metrics = {aggregate.metric for aggregate in members}
    tasks = dict.fromkeys(name for aggregate in members for name in aggregate.tasks)
    of_tasks = [_total(name, metrics, totals) for name in tasks]
    return _sum(of_tasks) if of_tasks and all(of_tasks) else _total(task, metrics, totals)


def _total(task: str, metrics: Iterable[str], totals: Totals) -> Counts:
    """Return the counts of the widest figure over the whole Task, preferably by one of these metrics."""
    every = totals.get(task, ())
    all_totals = [a for a in every if a.metric in set(metrics)] or every
    return max((a.counts for a in all_totals), key=lambda c: (sum(c.values()), -_answered(c)), default={})


def _covers_more(counts: Counts, other: Counts) -> bool:
    """Return True for more Units, or for as many Units with fewer of them answered."""
    return (sum(counts.values()), -_answered(counts)) > (sum(other.values()), -_answered(other))


def _answered(counts: Counts) -> int:
    return sum(n for status, n in counts.items() if status in ANSWERED)


def _sum(counts: Iterable[Counts]) -> dict[str, int]:
    summed: dict[str, int] = {}
    for one in counts:
        for status, n in one.items():
            summed[status] = summed.get(status, 0) + n
    return {status: summed[status] for status in SCORE_STATUSES if summed.get(status)}
