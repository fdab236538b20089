"""Degrees of freedom of a figure's variance: how well the Instances determine the width of its interval."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from triptych.records import FigureKey, figure_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triptych.protocols.protocol import Figure, Protocol
    from triptych.scoring.figures.cells import Array
    from triptych.scoring.figures.strata import Stratum
    from triptych.scoring.figures.summed import Summed

STEP = 1e-6  # relative change of a sum for a derivative
CHUNK = 2_000_000  # numbers in memory at a time: 16 MB


def degrees_of_freedom(protocol: Protocol, table: Summed) -> dict[FigureKey, float]:
    """Return the degrees of freedom of the variance of each figure of a protocol.

    df = 2 v² / Σ v_h² (k_h / n_h + 2 / (n_h - 1)), v = Σ v_h: Satterthwaite's formula over the strata h, with n_h
    Instances each, v_h the part of the figure's variance that stratum h contributes, and k_h the excess kurtosis (not
    below 0) of what each Instance contributes to the figure. For one stratum of normally distributed contributions this
    is n - 1. It is less if a small stratum contributes most of the variance, or if the variance is due to few
    Instances, as with a model that is nearly always right.

    Contributions are those of the figure's linear approximation, from its derivatives by the sums of the cells.

    Returns:
        Figure key -> degrees of freedom, greater than 0; 0 if no stratum with two Instances contributes. Figures that
        have no value, or no derivative, are left out.

    References:
        Satterthwaite (1946), An approximate distribution of estimates of variance components, Biometrics Bulletin 2,
        110-114; Hansen, Hurwitz and Madow (1953), Sample Survey Methods and Theory, volume 1, section 10.16, for the
        kurtosis.
    """
    sums = table.sums(protocol.headline)
    points = {figure_key(figure): figure for figure in _figures(protocol, table, sums)}
    keys = [key for key, figure in points.items() if np.isfinite(figure.value) and figure.cells]
    slopes = _slopes(protocol, table, sums, keys, points)
    variance, of_variance = np.zeros(len(keys)), np.zeros(len(keys))
    for stratum in table.strata.values():
        n = int(stratum.sizes.sum())
        if n < 2:
            continue
        for start, contribution, kurtosis in _contributions(stratum, slopes):
            part = slice(start, start + len(contribution))
            variance[part] += contribution
            of_variance[part] += contribution**2 * (kurtosis / n + 2 / (n - 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        degrees = np.where(of_variance > 0, 2 * variance**2 / of_variance, 0.0)
    return {key: float(df) for key, df in zip(keys, degrees, strict=True) if np.isfinite(df)}


class Dependence:
    """How means of proportions depend on Instances and cells; computed when it is first asked for."""

    def __init__(self, protocol: Protocol, table: Summed) -> None:
        self.protocol: Protocol = protocol
        self.table: Summed = table

    def effective_instances(self, key: FigureKey) -> tuple[float, dict[int, float]]:
        """Return the effective number of Instances of a mean, and cell -> its share of the mean's weight.

        The effective number is (Σ w)² / Σ w² (Kish), with w what an Instance contributes to the mean if it succeeds:
        the number of Instances for a mean over all questions, less for a mean of parts of different sizes.
        """
        slope = self._slopes[key]
        total = squared = 0.0
        for members, patterns, sizes in self.table.strata.values():
            weight = patterns[:, :, 1] @ slope[members]
            total += float(sizes @ weight)
            squared += float(sizes @ weight**2)
        cells = slope * self._sums[:, 1]
        reach = float(cells.sum())
        if not squared or not reach:
            return 0.0, {}
        return total**2 / squared, {int(c): float(cells[c] / reach) for c in np.flatnonzero(cells)}

    @cached_property
    def _sums(self) -> Array:
        return self.table.sums(self.protocol.headline)

    @cached_property
    def _slopes(self) -> dict[FigureKey, Array]:
        """Return the size of each figure's derivative by the numerator of each cell."""
        points = {figure_key(figure): figure for figure in _figures(self.protocol, self.table, self._sums)}
        slopes = _slopes(self.protocol, self.table, self._sums, list(points), points)
        return dict(zip(points, np.abs(slopes[:, :, 0]), strict=True))


def _figures(protocol: Protocol, table: Summed, sums: Array) -> Iterator[Figure]:
    with np.errstate(invalid="ignore", divide="ignore"):
        yield from protocol.aggregate(table.cells, sums)


def _slopes(
    protocol: Protocol, table: Summed, sums: Array, keys: list[FigureKey], points: dict[FigureKey, Figure]
) -> Array:
    """Return the derivative of each figure by the numerator and the denominator of each cell: (figures, cells, 2)."""
    totals = np.zeros((len(keys), sums.size))
    rows_of = {key: row for row, key in enumerate(keys)}
    steps = STEP * np.maximum(1.0, np.abs(sums.ravel()))
    rows = max(1, CHUNK // max(sums.size, 1))
    for start in range(0, sums.size, rows):
        columns = np.arange(start, min(start + rows, sums.size))
        moved = np.repeat(sums.reshape(1, -1), len(columns), axis=0)
        moved[np.arange(len(columns)), columns] += steps[columns]
        for figure in _figures(protocol, table, moved.reshape(len(columns), *sums.shape)):
            row = rows_of.get(figure_key(figure))
            if row is not None:
                totals[row, columns] = (figure.value - points[keys[row]].value) / steps[columns]
    return totals.reshape(len(keys), *sums.shape)


def _contributions(stratum: Stratum, slopes: Array) -> Iterator[tuple[int, Array, Array]]:
    """Yield the variance that a stratum contributes to each figure and the excess kurtosis of its Instances'
    contributions, for some figures at a time: (number of the first figure, variances, kurtoses)."""
    members, patterns, sizes = stratum
    flat, weights, n = patterns.reshape(len(patterns), 2 * len(members)), sizes / sizes.sum(), int(sizes.sum())
    slope = slopes[:, members].reshape(len(slopes), 2 * len(members))
    rows = max(1, CHUNK // max(len(patterns), 1))
    for start in range(0, len(slope), rows):
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):  # a figure without a derivative is NaN
            values = flat @ slope[start : start + rows].T
            values = values - weights @ values
            second, fourth = weights @ values**2, weights @ values**4
            kurtosis = np.where(second > 0, fourth / second**2 - 3, 0.0)
        yield start, n * second * n / (n - 1), np.maximum(kurtosis, 0.0)
