"""The values of shared questions behind each figure of each Run, as arrays over all questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triptych.analysis.comparing.joint import Joint
from triptych.analysis.comparing.shared import Shared
from triptych.analysis.observed import Observed, is_answered
from triptych.records import FigureKey, Score
from triptych.scoring.figures.cells import cell_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triptych.scoring.figures.cells import Array, Index


class Values(NamedTuple):
    """The Units behind a figure of one Run, as numbers in the order of its Scores; the values of all Units, NaN for
    those that are not behind it; and whether all Scores are right or wrong."""

    units: Index
    values: Array
    binary: bool


@dataclass(frozen=True)
class _Columns:
    """A Run's shared Scores: the numbers of Unit and cell, the statistics, and whether there is an answer."""

    unit: Index
    cell: Index
    numerator: Array
    denominator: Array
    answered: NDArray[np.bool_]


class FigureValues:
    """The values of each Run behind each figure: computed once, however many pairs the Run is one of.

    `units` are the names of all Units, and `instances` those of their Instances, by Run.
    """

    def __init__(self, shared: Shared, joint: Joint, run: Observed) -> None:
        self.joint: Joint = joint
        self.scores: tuple[tuple[Score, ...], ...] = shared.scores
        self._spec = run.benchmark.spec
        self.units: list[str] = list(dict.fromkeys(score.unit for scores in shared.scores for score in scores))
        self.instances: list[dict[str, str]] = [
            {score.unit: score.instance for score in scores} for scores in shared.scores
        ]
        self._columns: dict[int, _Columns] = {}
        self._numbers: dict[int, Index] = {}
        self._values: dict[tuple[int, FigureKey], Values] = {}

    def values_of(self, number: int, key: FigureKey) -> Values:
        """Return the values behind a figure of a Run."""
        if (number, key) not in self._values:
            self._values[number, key] = self._compute_values(number, key)
        return self._values[number, key]

    def means(self, number: int, units: Index, values: Array) -> list[float]:
        """The mean of the values (one for each of these Units) by Instance of a Run, in the order of the Instances."""
        if number not in self._numbers:
            self._numbers[number] = _numbered([self.instances[number].get(unit, "") for unit in self.units])
        _, first, inverse = np.unique(self._numbers[number][units], return_index=True, return_inverse=True)
        order = np.argsort(first)  # as they come first
        if (values == np.rint(values)).all():  # whole numbers: their sums are exact
            sums, sizes = np.bincount(inverse, values), np.bincount(inverse)
            bootstrap_means: list[float] = (sums / sizes)[order].tolist()
            return bootstrap_means
        groups: list[list[float]] = [[] for _ in order]
        for group, value in zip(inverse.tolist(), values.tolist(), strict=True):
            groups[group].append(value)
        return [fmean(groups[group]) for group in order.tolist()]

    def _compute_values(self, number: int, key: FigureKey) -> Values:
        if number not in self._columns:
            self._columns[number] = self._as_columns(self.scores[number])
        column, cells = self._columns[number], np.zeros(len(self.joint.tables[0].cells), dtype=np.bool_)
        cells[list(self.joint.cells_of.get(key, ()))] = True
        chosen = cells[column.cell] & (column.answered | (self.joint.kind == "all"))
        answered = chosen & column.answered
        binary = (column.denominator[answered] == 1) & np.isin(column.numerator[answered], (0.0, 1.0))
        counted = chosen & (column.denominator != 0)
        units, values = column.unit[counted], column.numerator[counted] / column.denominator[counted]
        return Values(*self._by_unit(units, values), bool(binary.all()))

    def _by_unit(self, units: Index, values: Array) -> tuple[Index, Array]:
        """The Units, each once, and the mean value over their repeats."""
        every = np.full(len(self.units), np.nan)
        if not len(units) or np.bincount(units).max() == 1:
            every[units] = values
            return units, every
        groups: dict[int, list[float]] = {}
        for unit, value in zip(units.tolist(), values.tolist(), strict=True):
            groups.setdefault(unit, []).append(value)
        for unit, group in groups.items():
            every[unit] = group[0] if len(group) == 1 else fmean(group)
        return np.array(list(groups), dtype=np.intp), every

    @cached_property
    def _places(self) -> tuple[dict[str, int], dict[object, int]]:
        """The numbers of Units and cells."""
        cells = self.joint.tables[0].cells
        return (
            {unit: number for number, unit in enumerate(self.units)},
            {(cell.task, cell.metric, cell.slice): number for number, cell in enumerate(cells)},
        )

    def _as_columns(self, scores: Sequence[Score]) -> _Columns:
        units, cells = self._places
        return _Columns(
            np.array([units[score.unit] for score in scores], dtype=np.intp),
            np.array([cells[name] for name in cell_names(scores, self._spec)], dtype=np.intp),
            np.array([score.numerator for score in scores], dtype=np.float64),
            np.array([score.denominator for score in scores], dtype=np.float64),
            np.array([is_answered(score) for score in scores], dtype=np.bool_),
        )


def _numbered(names: Sequence[str]) -> Index:
    """A number for each name, the same for the same name."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.intp)
