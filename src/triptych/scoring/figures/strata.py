"""Strata of Instances: those with the same Tasks, which are resampled together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triptych.protocols.protocol import Cell
from triptych.scoring.figures.cells import CellTable, Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triptych.scoring.figures.cells import Array, Index


@dataclass(frozen=True, slots=True)
class Block:
    """A stratum: Instances with the same Tasks. `sums` (instances, cells, 2) has one column per cell in `cells`."""

    name: str
    cells: Index
    sums: Array


def blocks(table: CellTable, kind: Kind) -> Iterator[Block]:
    """Yield the strata that `replicates.resample` draws from, each with its Instances' sums by cell."""
    weighted = table.weighted(kind)
    for key, rows in _strata(table):
        members, instance = np.unique(table.instance[rows], return_inverse=True)
        cells, column = np.unique(table.cell[rows], return_inverse=True)
        bins, size = instance * len(cells) + column, len(members) * len(cells)
        cell_sums = [np.bincount(bins, weighted[rows, k], minlength=size).astype(np.float64) for k in (0, 1)]
        yield Block(key, cells, np.stack(cell_sums, axis=-1).reshape(len(members), len(cells), 2))


class Stratum(NamedTuple):
    """Instances with the same Tasks. `patterns` (patterns, cells, 2): different sums of an Instance in each of `cells`;
    `sizes`: Instances with each.
    """

    cells: Index
    patterns: Array
    sizes: NDArray[np.int64]


def strata(blocks: Iterable[Block]) -> dict[str, Stratum]:
    """Return the Instances' different sums in each stratum, and how many Instances have them."""
    counted = {}
    for block in blocks:
        patterns, sizes = np.unique(block.sums.reshape(len(block.sums), -1), axis=0, return_counts=True)
        counted[block.name] = Stratum(block.cells, patterns.reshape(len(patterns), len(block.cells), 2), sizes)
    return counted


def _strata(table: CellTable) -> Iterator[tuple[str, Index]]:
    """Yield groups of Scores whose Instances have the same set of Tasks: (names of the Tasks, indices of Scores)."""
    tasks = task_names(table.cells)
    belongs = np.zeros((len(table.instances), len(tasks)), dtype=np.bool_)
    number = {task: rank for rank, task in enumerate(tasks)}
    task_of = np.array([number[cell.task] for cell in table.cells], dtype=np.intp)
    belongs[table.instance, task_of[table.cell]] = True
    # np.unique over packed bytes gives one number per set of Tasks; on rows of booleans it compares them one by one.
    packed = np.packbits(belongs, axis=1)
    rows = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, first, stratum = np.unique(rows, return_index=True, return_inverse=True)
    order = np.argsort(stratum[table.instance], kind="stable")
    ends = np.searchsorted(stratum[table.instance][order], np.arange(len(first) + 1))
    for index, instance in enumerate(first):
        name = "|".join(task for task, there in zip(tasks, belongs[instance], strict=True) if there)
        yield name, order[ends[index] : ends[index + 1]]


def task_names(cells: Iterable[Cell]) -> list[str]:
    """Return the Tasks of cells in order."""
    return sorted({cell.task for cell in cells})
