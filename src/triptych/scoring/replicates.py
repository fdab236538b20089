"""Bootstrap replicates of the cells' sums, clustered by Instance, and the intervals computed from them."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from triptych.cores import in_order
from triptych.metrics.intervals import bootstrap_sums, percentile_interval, wilson
from triptych.metrics.metric import known_metrics
from triptych.protocols.protocol import Figure
from triptych.scoring.cells import CellTable, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triptych.scoring.cells import Array, Index

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Replicates:
    """Resampled sums (replicates, cells, 2), and which cells have at least two Instances."""

    sums: Array
    varied: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Block:
    """A stratum: Instances with the same Tasks. `sums` (instances, cells, 2) has one column per cell in `cells`."""

    name: str
    cells: Index
    sums: Array


def blocks(table: CellTable, kind: Kind) -> Iterator[Block]:
    """Yield the strata that `resample` draws from, each with its Instances' sums by cell."""
    weighted = table.weighted(kind)
    for key, rows in _strata(table):
        members, instance = np.unique(table.instance[rows], return_inverse=True)
        cells, column = np.unique(table.cell[rows], return_inverse=True)
        place, size = instance * len(cells) + column, len(members) * len(cells)
        own = [np.bincount(place, weighted[rows, k], minlength=size).astype(np.float64) for k in (0, 1)]
        yield Block(key, cells, np.stack(own, axis=-1).reshape(len(members), len(cells), 2))


def resample(table: CellTable, kind: Kind, replicates: int, seed: int) -> Replicates:
    """Draw whole Instances among those with the same Tasks.

    Instances with the same Tasks are a stratum, because a benchmark fixes the number of questions of each Task. So no
    replicate lacks a Task. The draw depends only on the seed and on the stratum's Tasks and Scores.
    """
    sums = np.zeros((replicates, len(table.cells), 2))
    varied, touched = (np.zeros(len(table.cells), dtype=np.bool_) for _ in range(2))

    def draw(block: Block) -> tuple[Block, Array]:
        rng = np.random.default_rng([seed, zlib.crc32(block.name.encode())])
        drawn = bootstrap_sums(block.sums.reshape(len(block.sums), -1), replicates, rng)
        return block, drawn.reshape(replicates, len(block.cells), 2)

    for block, drawn in in_order(draw, blocks(table, kind) if replicates else ()):
        if touched[block.cells].any():
            sums[:, block.cells] += drawn
        else:  # nothing to add it to
            for part in _consecutive(block.cells):
                sums[:, block.cells[part.start] : block.cells[part.stop - 1] + 1] = drawn[:, part]
        touched[block.cells] = True
        varied[block.cells] |= len(block.sums) > 1
    return Replicates(sums, varied)


def _consecutive(cells: Index) -> Iterator[slice]:
    """Yield the runs of consecutive numbers in an ascending array, as slices of it: a slice is copied much faster than
    single columns."""
    ends = [0, *(np.flatnonzero(np.diff(cells) != 1) + 1).tolist(), len(cells)]
    yield from (slice(start, end) for start, end in pairwise(ends) if end > start)


def interval(
    figure: Figure | None, spread: Figure | None, table: CellTable, drawn: Replicates, kind: Kind
) -> Interval | None:
    """Return the 95% interval of a figure from its replicates `spread`; see `aggregate_scores` for when it is None."""
    value = float(figure.value) if figure else np.nan
    if figure is None or spread is None or not np.isfinite(value) or not drawn.varied[list(figure.cells)].all():
        return None
    found = percentile_interval(np.asarray(spread.value, dtype=np.float64))
    # A ratio of sums from a single Instance differs between replicates only by rounding, which is not a spread.
    if found is not None and found[1] > found[0] and not np.isclose(*found, rtol=1e-9, atol=0):
        return found if found[0] <= value <= found[1] else None
    return _wilson(figure, value, table, kind) if len(figure.cells) == 1 else None


def _wilson(figure: Figure, value: float, table: CellTable, kind: Kind) -> Interval | None:
    """Return Wilson's interval over the Instances of one cell if all its Units give 0, or all give 1; else None."""
    cell = figure.cells[0]
    counted = (table.cell == cell) & (table.weight[kind] > 0)
    numerators, denominators = table.statistics[counted].T
    share = numerators.mean()
    scale = value if share == 1 else _scale(figure.metric)
    if figure.metric != table.cells[cell].metric or scale is None or share not in (0.0, 1.0):
        return None
    if (denominators != 1).any() or (numerators != share).any() or not np.isclose(value, share * scale):
        return None
    n = int(np.count_nonzero(np.bincount(table.instance[counted])))
    low, high = wilson(share * n, n)
    return float(low * scale), float(high * scale)


@cache
def _scale(metric: str) -> float | None:
    """Return the value of a proportion of 1 in the metric's unit; None if the metric is unknown."""
    known = known_metrics().get(metric)
    return None if known is None else (100.0 if known[0].unit == "%" else 1.0)


def _strata(table: CellTable) -> Iterator[tuple[str, Index]]:
    """Yield groups of Scores whose Instances have the same set of Tasks: (names of the Tasks, indices of Scores)."""
    tasks = sorted({cell.task for cell in table.cells})
    task_of = np.array([tasks.index(cell.task) for cell in table.cells], dtype=np.intp)
    belongs = np.zeros((len(table.instances), len(tasks)), dtype=np.bool_)
    belongs[table.instance, task_of[table.cell]] = True
    # np.unique over packed bytes gives one number per set of Tasks; on rows of booleans it compares them one by one.
    packed = np.packbits(belongs, axis=1)
    rows = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, first, stratum = np.unique(rows, return_index=True, return_inverse=True)
    order = np.argsort(stratum[table.instance], kind="stable")
    ends = np.searchsorted(stratum[table.instance][order], np.arange(len(first) + 1))
    for number, instance in enumerate(first):
        name = "|".join(task for task, there in zip(tasks, belongs[instance], strict=True) if there)
        yield name, order[ends[number] : ends[number + 1]]
