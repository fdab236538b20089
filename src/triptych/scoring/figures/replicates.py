"""Bootstrap replicates of the cells' sums, clustered by Instance, and the intervals computed from them."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from triptych.cores import in_order
from triptych.metrics.metric import known_metrics
from triptych.metrics.statistics.intervals import bootstrap_patterns, wilson
from triptych.metrics.statistics.limits import deviation_interval, figure_interval
from triptych.protocols.protocol import Figure
from triptych.scoring.figures.strata import Stratum
from triptych.scoring.figures.summed import Summed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from triptych.scoring.figures.cells import Array, Index

    Again = Callable[[int, float], float]  # (cell, another share of its Units that succeed) -> the figure's value
    Alike = Callable[[], tuple[float, Mapping[int, float]]]  # see `freedom.Dependence`

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Replicates:
    """Resampled sums (replicates, cells, 2), which cells have at least two Instances, and the cells and number of
    Instances of each stratum."""

    sums: Array
    varied: NDArray[np.bool_]
    strata: tuple[tuple[frozenset[int], int], ...]

    def degrees_of_freedom(self, cells: Iterable[int]) -> int:
        """Return the degrees of freedom of a figure of these cells: Instances minus strata."""
        chosen = set(cells)
        return sum(instances - 1 for members, instances in self.strata if not chosen.isdisjoint(members))


def resample(drawn_from: Mapping[str, Stratum], cells: int, replicates: int, seed: int) -> Replicates:
    """Draw whole Instances among those with the same Tasks. `cells`: of the table.

    Instances with the same Tasks are a stratum, because a benchmark fixes the number of questions of each Task. So no
    replicate lacks a Task. The draw depends only on the seed and on the stratum's Tasks and Scores.
    """
    total = np.zeros((replicates, cells, 2))
    varied, touched = (np.zeros(cells, dtype=np.bool_) for _ in range(2))

    def draw(named: tuple[str, Stratum]) -> tuple[Stratum, Array]:
        name, (members, patterns, sizes) = named
        rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
        drawn = bootstrap_patterns(patterns.reshape(len(patterns), -1), sizes, replicates, rng)
        return named[1], drawn.reshape(replicates, len(members), 2)

    size = 8 * replicates * max((stratum.patterns[0].size for stratum in drawn_from.values()), default=0)
    for (cell_members, _, sizes), drawn in in_order(draw, drawn_from.items() if replicates else (), size=size):
        if touched[cell_members].any():
            total[:, cell_members] += drawn
        else:  # nothing to add it to
            for part in _consecutive(cell_members):
                total[:, cell_members[part.start] : cell_members[part.stop - 1] + 1] = drawn[:, part]
        touched[cell_members] = True
        varied[cell_members] |= sizes.sum() > 1
    strata = tuple((frozenset(draws.tolist()), int(sizes.sum())) for draws, _, sizes in drawn_from.values())
    return Replicates(total, varied, strata)


def _consecutive(cells: Index) -> Iterator[slice]:
    """Yield the runs of consecutive numbers in an ascending array, as slices of it: a slice is copied much faster than
    single columns."""
    ends = [0, *(np.flatnonzero(np.diff(cells) != 1) + 1).tolist(), len(cells)]
    yield from (slice(start, end) for start, end in pairwise(ends) if end > start)


def interval(
    figure: Figure | None,
    spread: Figure | None,
    sums: Summed,
    drawn: Replicates,
    df: float | None,
    again: Again,
    alike: Alike,
) -> Interval | None:
    """Return the 95% interval of a figure from its replicates `spread`; see `aggregate_scores` for when it is None.

    `df`: degrees of freedom of its variance, not below 1; None if only the number of Instances is known. `again`:
    computes the figure from other sums of the cells; `alike`: its dependence on Instances and cells.
    """
    value = float(figure.value) if figure else np.nan
    if figure is None or spread is None or not np.isfinite(value) or not drawn.varied[list(figure.cells)].all():
        return None
    df = drawn.degrees_of_freedom(figure.cells) if df is None else max(df, 1.0)
    if figure.deviation_of is not None and spread.deviation_of is not None:
        return deviation_interval(figure.deviation_of, spread.deviation_of, df=df)
    replicates = np.asarray(spread.value, dtype=np.float64)
    # A ratio of sums from a single Instance differs between replicates only by rounding, which is not a spread.
    finite = replicates[~np.isnan(replicates)]
    if finite.size and not _close(finite.min(), finite.max(), 1e-9):
        return figure_interval(finite, value, bounds_of(figure.metric), df=df)
    return _wilson(figure, value, sums, alike) or _from_cells(figure, value, sums, drawn, again)


def _close(value: float, other: float, relative: float, absolute: float = 0.0) -> bool:
    """Return what `np.isclose` does, which takes forty times as long for two numbers."""
    return bool(value == other or abs(value - other) <= absolute + relative * abs(other))


def _wilson(figure: Figure, value: float, sums: Summed, alike: Alike) -> Interval | None:
    """Return Wilson's interval if all Units of the figure's cells give 0, or all give 1; None otherwise.

    It is over the effective number of Instances. For a mean of parts that don't count as their sizes, a small part may
    succeed at another rate than the others: then it is at least as wide as the parts' intervals together (Zou and
    Donner 2008, as in `_from_cells`).
    """
    cells = sorted(set(figure.cells))
    share = float(sums.share[cells[0]])
    scale = value if share == 1 else _scale(figure.metric)
    if any(sums.cells[cell].metric != figure.metric or sums.share[cell] != share for cell in cells):
        return None  # NaN, if Units of a cell differ, is equal to nothing
    if scale is None or not _close(value, share * scale, 1e-5, 1e-8):
        return None
    fewest, max_instances = int(sums.instances[cells].min()), int(sums.instances[cells].sum())
    if len(cells) == 1:
        return _scaled(*wilson(share * max_instances, max_instances), scale)
    effective, weights = alike()
    n = max(fewest, min(max_instances, round(effective)))
    reach = max(abs(limit - share) for limit in wilson(share * n, n))
    if n < max_instances and set(weights) <= set(cells):
        half_widths = {c: max(abs(limit - share) for limit in _limits(sums, c)) for c in weights}
        reach = max(reach, sum((weight * half_widths[c]) ** 2 for c, weight in weights.items()) ** 0.5)
    return _scaled(*((0.0, reach) if share == 0 else (1 - reach, 1.0)), scale)


def _scaled(low: float, high: float, scale: float) -> Interval:
    return float(low * scale), float(high * scale)


def _limits(sums: Summed, cell: int) -> Interval:
    """Return Wilson's limits of a cell over its Instances."""
    return wilson(float(sums.share[cell]) * float(sums.instances[cell]), int(sums.instances[cell]))


def _from_cells(figure: Figure, value: float, sums: Summed, drawn: Replicates, again: Again) -> Interval | None:
    """Return the interval of a figure of which some cells succeed always and the others never: no replicate differs,
    although each cell is known from few Instances only. None for other figures.

    Each cell has Wilson's interval over its Instances. The figure's limits are its value minus (plus) the square root
    of the summed squares of what the cells' limits change in it (Zou and Donner 2008, see `difference_interval`). Cells
    of one stratum can be answers to the same Instances, so what these change is added up before it is squared.
    """
    cells = sorted(set(figure.cells))
    bounds = bounds_of(figure.metric)
    if bounds is None or any(sums.cells[c].metric != figure.metric or sums.share[c] not in (0.0, 1.0) for c in cells):
        return None
    reach: dict[int, Array] = {}
    for cell in cells:
        stratum = next((n for n, (members, _) in enumerate(drawn.strata) if cell in members), -1 - cell)
        moved = [again(cell, limit) - value for limit in _limits(sums, cell)]
        reach[stratum] = reach.get(stratum, np.zeros(2)) + np.array([min(0.0, *moved), max(0.0, *moved)])
    below, above = np.sqrt((np.stack(list(reach.values())) ** 2).sum(axis=0))
    return max(bounds[0], value - float(below)), min(bounds[1], value + float(above))


@cache
def _scale(metric: str) -> float | None:
    """Return the value of a proportion of 1 in the metric's unit; None if the metric is unknown."""
    entry = known_metrics().get(metric)
    return None if entry is None else (100.0 if entry[0].unit == "%" else 1.0)


@cache
def bounds_of(metric: str) -> Interval | None:
    """Return the smallest and largest value of a metric; None if the metric is unknown, or has no such value."""
    entry = known_metrics().get(metric)
    return entry[0].range if entry and np.isfinite(entry[0].range).all() else None
