"""Scores as arrays, grouped into the cells of an aggregation: a Task, a metric, and the specification's slices."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Literal

import numpy as np

from triptych.benchmarks.spec import BenchmarkSpec
from triptych.protocols.protocol import Cell
from triptych.records import ANSWERED, SCORE_STATUSES, Score
from triptych.running.costs import exact_terms
from triptych.store.decoded import fact_table
from triptych.store.files.limits import check_limit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]

Kind = Literal["all", "answered"]
MAX_GROUPS = 10_000  # cells of one table; the papers' benchmarks have some hundreds
MAX_NAME_LENGTH = 1_000  # characters of a Task's, metric's or facet's name
_MAX_EXACT_INTEGER = 2.0**53  # whole numbers below are added without rounding
Terms = tuple[float, ...]  # floats whose exact sum is meant
_STATUS = {status: number for number, status in enumerate(SCORE_STATUSES)}
_IS_ANSWERED = np.array([status in ANSWERED for status in SCORE_STATUSES])


@dataclass(frozen=True, slots=True)
class CellTable:
    """Scores as arrays with one element per Score, in an order that doesn't depend on the order of the Scores.

    `cell` and `instance` are indices into `cells` and `instances`; `statistics` (scores, 2) has numerators and
    denominators; `weight` is, per kind of figure, 1 / the number of repeats of the Unit that count (0 for a Score that
    doesn't count). `counts` (cells, statuses) counts Units, each repeat separately.
    """

    cells: tuple[Cell, ...]
    instances: tuple[str, ...]
    cell: Index
    instance: Index
    statistics: Array
    weight: dict[Kind, Array]
    counts: NDArray[np.int64]

    def sums(self, kind: Kind) -> Array:
        """Return numerators and denominators summed per cell: (cells, 2). Each sum is rounded once."""
        return totals(self.terms(kind))

    def terms(self, kind: Kind) -> list[tuple[Terms, Terms]]:
        """Return terms of numerators and denominators per cell, whose exact sums are meant."""
        values, cells = self.weighted(kind), len(self.cells)
        with np.errstate(over="ignore"):
            size = float(np.abs(values).sum())
        if bool((values == np.rint(values)).all()) and size < _MAX_EXACT_INTEGER:
            return [
                ((numerator,), (denominator,)) for numerator, denominator in add_up(self.cell, values, cells).tolist()
            ]
        ends = np.searchsorted(self.cell, np.arange(cells + 1))  # Scores are ordered by cell
        parts = [values[ends[cell] : ends[cell + 1]] for cell in range(cells)]
        return [(exact_or_rounded(part[:, 0].tolist()), exact_or_rounded(part[:, 1].tolist())) for part in parts]

    def weighted(self, kind: Kind) -> Array:
        """Return the statistics of each Score as they enter the sums: (scores, 2)."""
        weighted: Array = self.statistics * self.weight[kind][:, None]
        return weighted

    def contributing_counts(self, kind: Kind) -> NDArray[np.int64]:
        """Return how many Scores of each cell add anything to its sums: (cells,)."""
        counted = (self.weight[kind] > 0) & self.statistics.any(axis=1)
        return np.bincount(self.cell[counted], minlength=len(self.cells))


def tabulate(scores: Sequence[Score], spec: BenchmarkSpec) -> CellTable:
    """Group Scores by Task, metric and the facets in `spec.slices`; facets that a Score lacks are left out.

    Raises DataError for more than `MAX_GROUPS` cells and for names of more than `MAX_NAME_LENGTH` characters. A Run
    from elsewhere can have any Tasks and facets, and an interval needs memory for each cell times a thousand
    replicates.
    """
    columns = Columns(spec)
    columns.add(scores, cell_names(scores, spec))
    return columns.table()


class Columns:
    """Collects Scores, a part at a time, as arrays for a `CellTable`: about 40 bytes for each Score.

    The repeats of a Unit come in one part. `instances`: the numbers of Instances by name, which the Columns of several
    protocols can share.
    """

    def __init__(self, spec: BenchmarkSpec, instances: dict[str, int] | None = None) -> None:
        self._spec = spec
        self._instances = {} if instances is None else instances
        self._cells: dict[CellName, int] = {}
        self._parts: list[tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int8], Array]] = []
        self._repeats: list[Index | int] = []

    def add(self, scores: Sequence[Score], names: Sequence[CellName] | None = None) -> None:
        """Add Scores. `names`: their cells, if known."""
        if not scores:
            return
        cells, instances = self._cells, self._instances
        cell = np.array(
            [cells.setdefault(name, len(cells)) for name in names or _cell_names(scores, self._spec)], dtype=np.int32
        )
        if len(cells) > MAX_GROUPS:
            checked_cells(cells, self._spec)
        instance = [instances.setdefault(score.instance, len(instances)) for score in scores]
        status = np.array([_STATUS[score.status] for score in scores], dtype=np.int8)
        statistics = np.array([(score.numerator, score.denominator) for score in scores], dtype=np.float64)
        self._parts.append((cell, np.array(instance, dtype=np.int32), status, statistics))
        self._repeats.append(_repeat_groups(scores, cell))

    def table(self) -> CellTable:
        """Return the Scores as a `CellTable`: see `tabulate`, also for errors. The Columns are empty afterwards."""
        checked_cells(self._cells, self._spec)
        cells = in_spec_order(self._cells, self._spec)
        index_of = np.empty(len(cells), dtype=np.intp)
        index_of[[self._cells[name] for name in cells]] = np.arange(len(cells))
        repeats = _joined_groups(self._repeats)
        numbers, patterns_, status, statistics = (np.concatenate(column) for column in zip(*self._parts, strict=True))
        self._parts, self._repeats = [], []
        cell, (instances, instance) = index_of[numbers], _by_name(self._instances, patterns_)
        order = np.lexsort((statistics[:, 1], statistics[:, 0], status, instance, cell))
        counts = np.bincount(cell * len(_STATUS) + status, minlength=len(cells) * len(_STATUS))
        every = np.ones(len(cell), dtype=np.bool_)
        return CellTable(
            cells=tuple(Cell(*name) for name in cells),
            instances=instances,
            cell=cell[order],
            instance=instance[order],
            statistics=statistics[order],
            weight={
                "all": _weights(every, repeats)[order],
                "answered": _weights(_IS_ANSWERED[status], repeats)[order],
            },
            counts=counts.reshape(len(cells), len(_STATUS)),
        )

    def __bool__(self) -> bool:
        return bool(self._parts)


def _by_name(numbers: dict[str, int], used: NDArray[np.int32]) -> tuple[tuple[str, ...], Index]:
    """Return the names of the Instances used, in order, and for each Score the position of its name."""
    names = list(numbers)  # by their numbers
    there = np.flatnonzero(np.bincount(used))  # np.unique would sort, and load numpy's masked arrays
    chosen = sorted([names[number] for number in there.tolist()])
    index_of = np.empty(len(names), dtype=np.intp)
    index_of[[numbers[name] for name in chosen]] = np.arange(len(chosen))
    return tuple(chosen), index_of[used]


def _joined_groups(parts: Sequence[Index | int]) -> Index | None:
    """Return, for each Score, the number of its group of repeats; None if no Unit is repeated. A part is its groups, or
    the number of its Scores if none is repeated.
    """
    if all(isinstance(groups, int) for groups in parts):
        return None
    joined, before = [], 0
    for groups in parts:
        labels_of_groups = np.arange(groups, dtype=np.intp) if isinstance(groups, int) else groups
        joined.append(labels_of_groups + before)
        before += int(labels_of_groups.max()) + 1
    return np.concatenate(joined)


def checked_cells(cells: Collection[CellName], spec: BenchmarkSpec) -> None:
    """Raise DataError for more than MAX_GROUPS cells, or names of more than MAX_NAME_LENGTH characters."""
    where, fix = f"a Run of {spec.name}", "look at `task` and `facets` in its items.jsonl"
    check_limit("the table of Tasks, metrics and facets", len(cells), MAX_GROUPS, where, unit="cells", fix=fix)
    names = (name for task, metric, slice_ in cells for name in (task, metric, *dict(slice_).values()))
    longest = max(map(len, names), default=0)
    check_limit("the name of a Task or facet", longest, MAX_NAME_LENGTH, where, unit="characters", fix=fix)


def add_up(group: Index, values: Array, groups: int) -> Array:
    """Return column sums by group: (n, 2) -> (groups, 2)."""
    return np.stack([np.bincount(group, values[:, k], minlength=groups) for k in range(values.shape[1])], axis=-1)


def exact_or_rounded(values: Sequence[float]) -> Terms:
    """Return a few floats with the same exact sum; a single infinite one if it is too large for a float."""
    try:
        return tuple(exact_terms(values))
    except (OverflowError, ValueError):  # ValueError: of infinities with both signs
        with np.errstate(over="ignore", invalid="ignore"):
            return (float(np.sum(values)),)


def totals(terms: Sequence[tuple[Terms, Terms]]) -> Array:
    """Return the sums of numerators and denominators, each rounded once: (cells, 2)."""
    return np.array([[fsum(numerator), fsum(denominator)] for numerator, denominator in terms]).reshape(len(terms), 2)


CellName = tuple[str, str, tuple[tuple[str, str], ...]]


def cell_names(scores: Sequence[Score], spec: BenchmarkSpec) -> list[CellName]:
    """Return the cell of each Score: its Task, metric, and the facets in `spec.slices`."""
    names_kept: dict[tuple[int, int], tuple[list[CellName], Sequence[Score], BenchmarkSpec]] = fact_table("cell_names")
    key = id(scores), id(spec)
    if key not in names_kept:
        names_kept[key] = _cell_names(scores, spec), scores, spec
    return names_kept[key][0]


def _cell_names(scores: Sequence[Score], spec: BenchmarkSpec) -> list[CellName]:
    slices = sorted(spec.slices)
    shared: dict[tuple[str, str, int], CellName] = {}  # facets by their identity: Scores that were read share them
    seen: dict[tuple[str | None, ...], tuple[tuple[str, str], ...]] = {}
    names = []
    for score in scores:
        facets = score.facets
        name = shared.get((score.task, score.metric, id(facets)))
        if name is None:
            values = tuple([facets.get(name) for name in slices])
            if values not in seen:
                seen[values] = tuple(
                    [(key, value) for key, value in zip(slices, values, strict=True) if value is not None]
                )
            name = score.task, score.metric, seen[values]
            if len(shared) < MAX_GROUPS:
                shared[score.task, score.metric, id(facets)] = name
        names.append(name)
    return names


def in_spec_order(cells: Iterable[CellName], spec: BenchmarkSpec) -> list[CellName]:
    """Return Tasks and metrics in the order of the specification, then those it doesn't list; slices by name."""
    tasks = {spec.full_id(task): number for number, task in enumerate(spec.tasks)}
    metrics = {(spec.full_id(task), metric): n for task in spec.tasks for n, metric in enumerate(task.metrics)}
    last = len(tasks) + len(metrics)
    return sorted(cells, key=lambda c: (tasks.get(c[0], last), c[0], metrics.get(c[:2], last), c[1], c[2]))


def _repeat_groups(scores: Sequence[Score], cell: NDArray[np.int32]) -> Index | int:
    """Return, for each Score, the number of its group of repeats; the number of Scores if no Unit is repeated."""
    if max([score.repeat for score in scores]) == 0:
        return len(scores)
    seen: dict[tuple[str, int], int] = {}
    keys = [(score.unit, int(number)) for score, number in zip(scores, cell, strict=True)]
    return np.array([seen.setdefault(key, len(seen)) for key in keys], dtype=np.intp)


def _weights(counted: NDArray[np.bool_], repeats: Index | None) -> Array:
    """Return 1 / (repeats that count), 0 for Scores that don't count, so that repeats don't change a Unit's weight."""
    if repeats is None:
        return counted.astype(np.float64)
    sizes = np.bincount(repeats, counted)[repeats]
    return np.divide(1.0, sizes, out=np.zeros(len(sizes)), where=counted)
