"""Bootstrap replicates of the cells' sums, clustered by Instance, and the intervals computed from them."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from triptych.cores import in_order
from triptych.metrics.intervals import bootstrap_patterns, percentile_interval, wilson
from triptych.metrics.metric import known_metrics
from triptych.protocols.protocol import Figure
from triptych.scoring.strata import Stratum
from triptych.scoring.summed import Summed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from triptych.scoring.cells import Array, Index

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Replicates:
    """Resampled sums (replicates, cells, 2), and which cells have at least two Instances."""

    sums: Array
    varied: NDArray[np.bool_]


def resample(drawn_from: Mapping[str, Stratum], cells: int, replicates: int, seed: int) -> Replicates:
    """Draw whole Instances among those with the same Tasks. `cells`: of the table.

    Instances with the same Tasks are a stratum, because a benchmark fixes the number of questions of each Task. So no
    replicate lacks a Task. The draw depends only on the seed and on the stratum's Tasks and Scores.
    """
    total = np.zeros((replicates, cells, 2))
    varied, touched = (np.zeros(cells, dtype=np.bool_) for _ in range(2))

    def draw(named: tuple[str, Stratum]) -> tuple[Stratum, Array]:
        name, (own, patterns, sizes) = named
        rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
        drawn = bootstrap_patterns(patterns.reshape(len(patterns), -1), sizes, replicates, rng)
        return named[1], drawn.reshape(replicates, len(own), 2)

    size = 8 * replicates * max((stratum.patterns[0].size for stratum in drawn_from.values()), default=0)
    for (own, _, sizes), drawn in in_order(draw, drawn_from.items() if replicates else (), size=size):
        if touched[own].any():
            total[:, own] += drawn
        else:  # nothing to add it to
            for part in _consecutive(own):
                total[:, own[part.start] : own[part.stop - 1] + 1] = drawn[:, part]
        touched[own] = True
        varied[own] |= sizes.sum() > 1
    return Replicates(total, varied)


def _consecutive(cells: Index) -> Iterator[slice]:
    """Yield the runs of consecutive numbers in an ascending array, as slices of it: a slice is copied much faster than
    single columns."""
    ends = [0, *(np.flatnonzero(np.diff(cells) != 1) + 1).tolist(), len(cells)]
    yield from (slice(start, end) for start, end in pairwise(ends) if end > start)


def interval(figure: Figure | None, spread: Figure | None, sums: Summed, drawn: Replicates) -> Interval | None:
    """Return the 95% interval of a figure from its replicates `spread`; see `aggregate_scores` for when it is None."""
    value = float(figure.value) if figure else np.nan
    if figure is None or spread is None or not np.isfinite(value) or not drawn.varied[list(figure.cells)].all():
        return None
    found = percentile_interval(np.asarray(spread.value, dtype=np.float64))
    # A ratio of sums from a single Instance differs between replicates only by rounding, which is not a spread.
    if found is not None and found[1] > found[0] and not np.isclose(*found, rtol=1e-9, atol=0):
        return found if found[0] <= value <= found[1] else None
    return _wilson(figure, value, sums) if len(figure.cells) == 1 else None


def _wilson(figure: Figure, value: float, sums: Summed) -> Interval | None:
    """Return Wilson's interval over the Instances of one cell if all its Units give 0, or all give 1; else None."""
    cell = figure.cells[0]
    share, n = float(sums.share[cell]), int(sums.instances[cell])
    scale = value if share == 1 else _scale(figure.metric)
    if figure.metric != sums.cells[cell].metric or scale is None or not np.isclose(value, share * scale):
        return None  # NaN, if they differ, is close to nothing
    low, high = wilson(share * n, n)
    return float(low * scale), float(high * scale)


@cache
def _scale(metric: str) -> float | None:
    """Return the value of a proportion of 1 in the metric's unit; None if the metric is unknown."""
    known = known_metrics().get(metric)
    return None if known is None else (100.0 if known[0].unit == "%" else 1.0)
