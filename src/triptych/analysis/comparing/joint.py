"""Several Runs over the same questions: one table, whole Instances resampled in all of them at once.

Every replicate goes through the benchmark's own aggregation, so that a difference of any figure (a mean of families,
a standard deviation over directions) gets its interval and its p-value from the code that makes the figure.
"""

from __future__ import annotations

import zlib
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from triptych.benchmarks.spec import BenchmarkSpec
from triptych.cores import in_order
from triptych.metrics.statistics.intervals import percentile_interval, swapped_sums
from triptych.metrics.statistics.limits import deviation_interval, difference_interval, figure_interval
from triptych.protocols.protocol import Figure, Protocol
from triptych.records import FigureKey, Score, figure_key
from triptych.scoring.figures.cells import CellTable, Kind, tabulate
from triptych.scoring.figures.replicates import Replicates, bounds_of, resample
from triptych.scoring.figures.strata import Block, blocks, strata

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triptych.scoring.figures.cells import Array

REPLICATES = 10_000


@dataclass(frozen=True)
class Joint:
    """Runs over the same Units: `tables` one a Run with the same cells, `together` all of them side by side.

    `values` maps a figure to an array (Runs,), `spread` to (Runs, replicates). A figure that is infinite (a ratio whose
    denominator is 0) is NaN in `values`. `wanted`: the figures that are computed, None for all: the others take most of
    the time.
    """

    protocol: Protocol
    tables: tuple[CellTable, ...]
    together: CellTable
    kind: Kind
    replicates: int
    seed: int
    wanted: frozenset[FigureKey] | None = None

    @cached_property
    def values(self) -> dict[FigureKey, Array]:
        """The figures of each Run."""
        return {key: np.where(np.isfinite(point), point, np.nan) for key, point in self._points[0].items()}

    @property
    def spread(self) -> dict[FigureKey, Array]:
        """The figures of each Run in every replicate."""
        return self._replicated[0]

    @cached_property
    def _points(self) -> tuple[dict[FigureKey, Array], dict[FigureKey, Array]]:
        return self._figures([table.sums(self.kind) for table in self.tables])

    @cached_property
    def _replicated(self) -> tuple[dict[FigureKey, Array], dict[FigureKey, Array]]:
        return self._figures(np.split(self._drawn_replicates.sums, len(self.tables), axis=1))

    @cached_property
    def _drawn_replicates(self) -> Replicates:
        return resample(strata(self._blocks), len(self.together.cells), self.replicates, self.seed)

    @cached_property
    def cells_of(self) -> dict[FigureKey, tuple[int, ...]]:
        """The cells that each figure is made of, as numbers into each table's."""
        table = self.tables[0]
        with np.errstate(invalid="ignore", divide="ignore"):
            aggregated = self.protocol.aggregate(table.cells, table.sums(self.kind))
            return {figure_key(f): tuple(sorted(set(f.cells))) for f in aggregated}

    @cached_property
    def _blocks(self) -> list[Block]:
        """The strata of the Instances, all Runs side by side."""
        return list(blocks(self.together, self.kind))

    @property
    def instances(self) -> int:
        """How many Instances there are to resample."""
        return len(self.together.instances)

    def interval(self, key: FigureKey, first: int, second: int) -> tuple[float, float] | None:
        """Return the 95% interval of first - second; None if a single Instance gives no estimate of the variance."""
        if self.instances < 2 or key not in self.spread:
            return None
        if key in self._replicated[1]:  # a difference of standard deviations
            first_interval, other = self.own_interval(key, first), self.own_interval(key, second)
            values = self.values[key]
            return (
                difference_interval(float(values[first]), first_interval, float(values[second]), other)
                if first_interval and other
                else None
            )
        interval = percentile_interval(self._replicate_difference(key, first, second), df=self.degrees_of_freedom(key))
        return interval if interval is not None and interval[1] > interval[0] else None

    def own_interval(self, key: FigureKey, run: int) -> tuple[float, float] | None:
        """Return the 95% interval of one Run's figure; None if a single Instance gives no estimate of the variance."""
        if self.instances < 2 or key not in self.spread:
            return None
        df = self.degrees_of_freedom(key)
        if key in self._replicated[1]:
            return deviation_interval(self._points[1][key][run], self._replicated[1][key][run], df=df)
        return figure_interval(self.spread[key][run], float(self.values[key][run]), bounds_of(key[1]), df=df)

    def degrees_of_freedom(self, key: FigureKey) -> int:
        """Return the degrees of freedom of a figure: Instances minus strata."""
        return self._drawn_replicates.degrees_of_freedom(self.cells_of.get(key, ()))

    def error(self, key: FigureKey, first: int, second: int) -> float | None:
        """The standard error of first - second."""
        if self.instances < 2 or key not in self.spread:
            return None
        apart = self._replicate_difference(key, first, second)
        finite = apart[~np.isnan(apart)]
        return float(finite.std()) if finite.size and np.isfinite(finite).all() else None

    def _replicate_difference(self, key: FigureKey, first: int, second: int) -> Array:
        """Return first - second in every replicate; NaN where both are infinite."""
        rows = self.spread[key]
        with np.errstate(invalid="ignore"):
            return np.asarray(rows[first] - rows[second])

    def permutation(
        self, first: int, second: int, keys: Container[FigureKey] | None = None
    ) -> dict[FigureKey, float | None]:
        """Return the p-value of each figure's difference: the two Runs' answers to each Instance are swapped at random.

        (1 + replicates at least as far from 0 as the difference) / (1 + replicates), so never 0. None where there is
        no figure. `keys`: the figures that are wanted; None for all.
        """
        width = len(self.tables[0].cells)
        moved = np.zeros((width, 2, self.replicates))  # an aggregation goes through it cell by cell

        def draw(block: Block) -> tuple[NDArray[np.intp], Array]:
            cells, difference = _difference(block, width, first, second)
            rng = np.random.default_rng([self.seed, 1, zlib.crc32(block.name.encode())])
            return cells, swapped_sums(difference.reshape(len(difference), -1), self.replicates, rng)

        size = 8 * self.replicates * max((block.sums[0].size for block in self._blocks), default=0)
        for cells, drawn in in_order(draw, self._blocks, size=size):
            moved[cells] += drawn.T.reshape(len(cells), 2, self.replicates)
        moved /= 2
        middle = ((self.tables[first].sums(self.kind) + self.tables[second].sums(self.kind)) / 2)[..., None]
        above, below = (
            dict(self._keyed_figures(np.moveaxis(sums, -1, 0))) for sums in (middle + moved, middle - moved)
        )
        return {
            key: _p_of(np.asarray(above[key].value), np.asarray(below[key].value), self.values[key], first, second)
            for key in above
            if keys is None or key in keys
        }

    def _figures(self, sums: Sequence[Array]) -> tuple[dict[FigureKey, Array], dict[FigureKey, Array]]:
        """Return each figure's value for each element of `sums`, and the values that standard deviations are of."""
        arrays_by_figure: dict[FigureKey, list[Array]] = {}
        deviations: dict[FigureKey, list[Array]] = {}
        for replicate_sums in sums:
            for key, figure in self._keyed_figures(replicate_sums):
                arrays_by_figure.setdefault(key, []).append(np.asarray(figure.value))
                if figure.deviation_of is not None:
                    deviations.setdefault(key, []).append(figure.deviation_of)
        return tuple({key: np.stack(rows) for key, rows in array.items()} for array in (arrays_by_figure, deviations))  # type: ignore[return-value]

    def _keyed_figures(self, sums: Array) -> list[tuple[FigureKey, Figure]]:
        """Return the figures of one Run's sums."""
        figures: list[tuple[FigureKey, Figure]] = []
        left = set(self.wanted & self.cells_of.keys()) if self.wanted is not None else set()  # some have no cells here
        with np.errstate(invalid="ignore", divide="ignore"):
            for figure in self.protocol.aggregate(self.tables[0].cells, sums):
                key = figure_key(figure)
                if self.wanted is None:
                    figures.append((key, figure))
                elif key in left:
                    figures.append((key, figure))
                    left.remove(key)
                    if not left:  # an aggregation computes a figure when it is asked for the next one
                        break
        return figures


def _difference(block: Block, width: int, first: int, second: int) -> tuple[NDArray[np.intp], Array]:
    """The cells that either of two Runs has in a stratum, and what the first has more, by Instance: (n, cells, 2).

    A Unit can count in other cells of one Run than of another, where their Items have other facets.
    """
    owner = block.cells // width
    cells = np.flatnonzero(np.bincount(block.cells[(owner == first) | (owner == second)] % width))
    totals = np.zeros((len(block.sums), len(cells), 2))
    for run, sign in ((first, 1.0), (second, -1.0)):
        rows = np.flatnonzero(owner == run)
        totals[:, np.searchsorted(cells, block.cells[rows] % width)] += sign * block.sums[:, rows]
    return cells, totals


def join(
    runs: Sequence[Sequence[Score]],
    protocol: Protocol,
    spec: BenchmarkSpec,
    kind: Literal["all", "answered"],
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    wanted: frozenset[FigureKey] | None = None,
) -> Joint:
    """Runs side by side. Their Scores must be of the same Units; Raises ValueError where their cells differ."""
    tables = tuple(tabulate(scores, spec) for scores in runs)
    if any(table.cells != tables[0].cells for table in tables):
        raise ValueError("Runs that are joined must be over the same Units")
    return Joint(protocol, tables, _side_by_side(tables), kind, replicates, seed, wanted)


def _side_by_side(tables: Sequence[CellTable]) -> CellTable:
    instances = tuple(sorted(set().union(*(table.instances for table in tables))))
    where = {name: number for number, name in enumerate(instances)}
    renumbered = [np.array([where[name] for name in t.instances], dtype=np.intp)[t.instance] for t in tables]
    width = len(tables[0].cells)
    return CellTable(
        cells=tuple(cell for table in tables for cell in table.cells),
        instances=instances,
        cell=np.concatenate([table.cell + n * width for n, table in enumerate(tables)]),
        instance=np.concatenate(renumbered),
        statistics=np.concatenate([table.statistics for table in tables]),
        weight={kind: np.concatenate([table.weight[kind] for table in tables]) for kind in ("all", "answered")},
        counts=np.concatenate([table.counts for table in tables]),
    )


def _p_of(above: Array, below: Array, values: Array, first: int, second: int) -> float | None:
    """The share of replicates that are at least as far from 0; a hair's breadth is rounding."""
    difference = float(values[first]) - float(values[second])
    with np.errstate(invalid="ignore"):  # both infinite
        drawn = above - below
    finite = drawn[~np.isnan(drawn)]
    if not np.isfinite(difference) or not finite.size:
        return None
    return float((1 + (np.abs(finite) >= abs(difference) - 1e-9).sum()) / (1 + finite.size))
