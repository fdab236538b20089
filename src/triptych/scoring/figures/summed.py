"""Sums of Scores per cell and per pattern of an Instance: all that figures and intervals are computed from.

Sums of parts of a Run that share no Instance give the sums of the whole to the last digit: sums of fractions are kept
as terms whose sum is exact, and Instances with equal sums are counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from triptych.benchmarks.spec import BenchmarkSpec
from triptych.protocols.protocol import Cell
from triptych.records import ANSWERED, SCORE_STATUSES
from triptych.scoring.figures.cells import (
    CellName,
    CellTable,
    Kind,
    Terms,
    checked_cells,
    exact_or_rounded,
    in_spec_order,
    totals,
)
from triptych.scoring.figures.strata import Stratum, blocks, strata, task_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triptych.scoring.figures.cells import Array, Index

    Counts = NDArray[np.int64]

KINDS: tuple[Kind, ...] = ("all", "answered")
_IS_ANSWERED = np.array([status in ANSWERED for status in SCORE_STATUSES])


@dataclass(frozen=True)
class Summed:
    """Sums of Scores per cell.

    `counts` (cells, statuses): Units, each repeat separately; `terms`: per kind of figure, numerators and denominators
    of each cell. Of the `headline` kind are `contributing` (cells,), the Scores that add anything; `instances`
    (cells,), the Instances that count; `share` (cells,), the numerator of every Score that counts, if all are 0 or all
    are 1 with a denominator of 1, otherwise NaN; and `strata`, by the names of their Tasks.
    """

    cells: tuple[Cell, ...]
    counts: Counts
    terms: Mapping[Kind, Sequence[tuple[Terms, Terms]]]
    contributing: Counts
    instances: Counts
    share: Array
    strata: Mapping[str, Stratum]

    def sums(self, kind: Kind) -> Array:
        """Return numerators and denominators per cell: (cells, 2)."""
        return totals(self.terms[kind])

    @cached_property
    def groups(self) -> list[int]:
        """The cells' Tasks and slices as numbers: cells of several metrics over the same Units have the same."""
        numbers: dict[tuple[str, object], int] = {}
        return [numbers.setdefault((cell.task, cell.slice), len(numbers)) for cell in self.cells]

    def answered_count(self, cell: int) -> int:
        """Return how many Units of a cell have an answer."""
        return int(self.counts[cell][_IS_ANSWERED].sum())


def sum_table(table: CellTable, headline: Kind) -> Summed:
    """Return the sums of a table."""
    counted = table.weight[headline] > 0
    return Summed(
        cells=table.cells,
        counts=table.counts,
        terms={kind: table.terms(kind) for kind in KINDS},
        contributing=table.contributing_counts(headline),
        instances=_instances(table, counted),
        share=_share(table, counted),
        strata=strata(blocks(table, headline)),
    )


def join_sums(parts: Sequence[Summed], spec: BenchmarkSpec) -> Summed:
    """Return the sums of parts that share no Instances. Raises DataError for too many cells."""
    if len(parts) == 1:
        return parts[0]
    names: dict[CellName, None] = dict.fromkeys((c.task, c.metric, c.slice) for part in parts for c in part.cells)
    checked_cells(names, spec)
    cells = tuple(Cell(*name) for name in in_spec_order(names, spec))
    number = {cell: index for index, cell in enumerate(cells)}
    places = [np.array([number[cell] for cell in part.cells], dtype=np.intp) for part in parts]
    counts = np.zeros((len(cells), len(SCORE_STATUSES)), dtype=np.int64)
    contributing, instances = (np.zeros(len(cells), dtype=np.int64) for _ in range(2))
    low, high = np.full(len(cells), np.inf), np.full(len(cells), -np.inf)
    for part, position in zip(parts, places, strict=True):
        counts[position] += part.counts
        contributing[position] += part.contributing
        instances[position] += part.instances
        there = part.instances > 0
        low[position[there]] = np.minimum(low[position[there]], part.share[there])  # NaN stays
        high[position[there]] = np.maximum(high[position[there]], part.share[there])
    share = np.where(low == high, low, np.nan)
    terms = {kind: _joined_terms([part.terms[kind] for part in parts], places, len(cells)) for kind in KINDS}
    return Summed(cells, counts, terms, contributing, instances, share, _joined_strata(parts, places))


def _joined_terms(
    parts: Sequence[Sequence[tuple[Terms, Terms]]], places: Sequence[Index], cells: int
) -> list[tuple[Terms, Terms]]:
    terms: list[tuple[list[float], list[float]]] = [([], []) for _ in range(cells)]
    for part, position in zip(parts, places, strict=True):
        for cell, (numerators, denominators) in zip(position.tolist(), part, strict=True):
            terms[cell][0].extend(numerators)
            terms[cell][1].extend(denominators)
    return [(exact_or_rounded(numerators), exact_or_rounded(denominators)) for numerators, denominators in terms]


def _instances(table: CellTable, counted: NDArray[np.bool_]) -> Counts:
    number = np.int64(max(1, len(table.instances)))
    pairs = np.sort(table.cell[counted] * number + table.instance[counted])
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]  # np.unique would load numpy's masked arrays
    return np.bincount(pairs // number, minlength=len(table.cells))


def _share(table: CellTable, counted: NDArray[np.bool_]) -> Array:
    cell, (numerators, denominators) = table.cell[counted], table.statistics[counted].T
    total = np.bincount(cell, minlength=len(table.cells))
    shares = np.full(len(table.cells), np.nan)
    for share in (0.0, 1.0):
        alike = np.bincount(cell[(numerators == share) & (denominators == 1)], minlength=len(table.cells))
        shares[(alike == total) & (total > 0)] = share
    return shares


def _joined_strata(parts: Sequence[Summed], places: Sequence[Index]) -> dict[str, Stratum]:
    """Return the strata of all parts in the order in which `blocks` yields those of the whole."""
    strata: defaultdict[str, list[Stratum]] = defaultdict(list)
    for part, position in zip(parts, places, strict=True):
        for name, stratum in part.strata.items():
            strata[name].append(Stratum(position[stratum.cells], stratum.patterns, stratum.sizes))
    tasks = task_names(cell for part in parts for cell in part.cells)
    order = sorted(strata, key=lambda name: np.packbits(np.isin(tasks, name.split("|"))).tobytes())
    return {name: _joined_stratum(strata[name]) for name in order}


def _joined_stratum(parts: Sequence[Stratum]) -> Stratum:
    cells = np.unique(np.concatenate([part.cells for part in parts]))
    rows = []
    for part in parts:
        totals = np.zeros((len(part.patterns), len(cells), 2))
        totals[:, np.searchsorted(cells, part.cells)] = part.patterns
        rows.append(totals.reshape(len(totals), -1))
    patterns, which = np.unique(np.concatenate(rows), axis=0, return_inverse=True)
    sizes = np.zeros(len(patterns), dtype=np.int64)
    np.add.at(sizes, which.ravel(), np.concatenate([part.sizes for part in parts]))
    return Stratum(cells, patterns.reshape(len(patterns), len(cells), 2), sizes)
