"""Scores to Aggregates: sums per cell, the protocol's own aggregation over them, counts and intervals.

Point values and bootstrap replicates are computed by the same function of the protocol.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triptych.benchmarks.spec import BenchmarkSpec
from triptych.errors import SpecError
from triptych.protocols.protocol import Figure, Protocol
from triptych.records import SCORE_STATUSES, Aggregate, FigureKey, Score, figure_key
from triptych.scoring.figures.cells import Columns, cell_names
from triptych.scoring.figures.freedom import Dependence, degrees_of_freedom
from triptych.scoring.figures.replicates import interval, resample
from triptych.scoring.figures.summed import Summed, sum_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triptych.protocols.protocol import Array


def aggregate_scores(
    scores: Sequence[Score],
    protocol: Protocol,
    spec: BenchmarkSpec,
    signature: str = "",
    *,
    replicates: int = 1000,
    seed: int = 0,
) -> list[Aggregate]:
    """Return a protocol's figures, over all Units and over the answered ones, with counts and a 95% interval.

    `value_all` counts every Unit without an answer as the worst possible score; `value_answered` leaves those out;
    `value` is the one that the protocol reports as its headline. Repeats of a Unit are averaged (each weighs 1 /
    repeats) and counted one by one. The order of the Scores doesn't matter.

    The interval is that of `value`, from a bootstrap that resamples whole Instances among those of the same Tasks:
    Wilson's score interval with the variance of the replicates for a mean of bounded values, percentiles for other
    figures, both widened by Student's quantile (`degrees_of_freedom`); for a standard deviation, see
    `metrics.statistics.limits.deviation_interval`. If all Units of the figure's cells succeed, or none does, there is
    no spread, and Wilson's interval over the effective number of Instances is used; if some cells always succeed and
    the others never do, their Wilson's intervals together. The interval is None if there is no value, if `replicates` =
    0, or if a cell has a single Instance. Raises SpecError if a figure is given twice.
    """
    columns = Columns(spec)
    columns.add(scores, cell_names(scores, spec))
    return aggregate_columns(columns, protocol, signature, replicates=replicates, seed=seed)


def aggregate_columns(
    columns: Columns,
    protocol: Protocol,
    signature: str = "",
    *,
    replicates: int = 1000,
    seed: int = 0,
) -> list[Aggregate]:
    """Return the figures of Scores that were collected as columns; see `aggregate_scores`. Gives up the columns."""
    if not columns:
        return []
    return aggregate_summed(sum_table(columns.table(), protocol.headline), protocol, signature, replicates, seed)


def aggregate_summed(
    table: Summed, protocol: Protocol, signature: str = "", replicates: int = 1000, seed: int = 0
) -> list[Aggregate]:
    """Return the figures of Scores that were summed; see `aggregate_scores`."""
    kind = protocol.headline
    figures = {"all": _figures(protocol, table, table.sums("all"))}
    figures["answered"] = _figures(protocol, table, table.sums("answered"))
    drawn = resample(table.strata, len(table.cells), replicates, seed)
    spreads = _figures(protocol, table, drawn.sums) if replicates else {}
    freedom = degrees_of_freedom(protocol, table) if replicates else {}
    counted, dependence = table.contributing, Dependence(protocol, table)
    aggregates = []
    for key, figure in figures["all"].items():
        cells = _distinct(figure, table)
        values = {k: _value(figures[k].get(key)) for k in ("all", "answered")}
        aggregates.append(
            Aggregate(
                protocol=protocol.name,
                task=figure.task,
                metric=figure.metric,
                slice=dict(figure.slice),
                value=values[kind],
                n=int(counted[cells].sum()),
                counts=_counts(cells, table),
                value_all=values["all"],
                value_answered=values["answered"],
                interval=interval(
                    figures[kind].get(key),
                    spreads.get(key),
                    table,
                    drawn,
                    freedom.get(key),
                    partial(_value_with_share, protocol, table, key),
                    partial(dependence.effective_instances, key),
                ),
                signature=signature,
                parts=_parts(figure, counted),
                tasks=_tasks(figure, table),
            )
        )
    return aggregates


def _figures(protocol: Protocol, table: Summed, sums: Array) -> dict[FigureKey, Figure]:
    figures: dict[FigureKey, Figure] = {}
    with np.errstate(invalid="ignore", divide="ignore"):  # a figure without a value is 0 / 0
        iterated = protocol.aggregate(table.cells, sums)
        if not isinstance(iterated, Iterable):
            raise _no_figures(protocol, type(iterated).__name__)
        for figure in iterated:
            if not isinstance(figure, Figure):
                raise _no_figures(protocol, type(figure).__name__)
            if np.shape(figure.value) != sums.shape[:-2]:
                raise SpecError(
                    f"protocol {protocol.name!r}: aggregate gives a figure of another shape than its sums",
                    expected=f"{sums.shape[:-2]}, the axes of sums before (cells, 2): sums[..., cells, :].sum(axis=-2)",
                    got=np.shape(figure.value),
                )
            key = figure_key(figure)
            if key in figures:
                raise SpecError(f"protocol {protocol.name!r} aggregates a figure twice", got=key)
            figures[key] = figure
    return figures


def _no_figures(protocol: Protocol, got: str) -> SpecError:
    return SpecError(f"protocol {protocol.name!r}: aggregate gives no Figures", expected="yield Figure(…)", got=got)


def _value_with_share(protocol: Protocol, table: Summed, key: FigureKey, cell: int, share: float) -> float:
    """Return a figure's value if another share of a cell's Units succeeded."""
    sums = table.sums(protocol.headline).copy()
    sums[cell, 0] = share * sums[cell, 1]
    return float(_figures(protocol, table, sums)[key].value)


def _parts(figure: Figure, counted: NDArray[np.int64]) -> tuple[int, int] | None:
    """Return (cells that the figure is made of, cells it should be made of) if some are missing or empty."""
    made = sum(bool(counted[cell]) for cell in figure.cells)
    return (made, figure.expected) if made < figure.expected else None


def _tasks(figure: Figure, table: Summed) -> tuple[str, ...]:
    """Return the Tasks of the figure's cells, if they differ from the figure's own Task."""
    tasks = tuple(dict.fromkeys(table.cells[cell].task for cell in figure.cells))
    return () if set(tasks) <= {figure.task} else tasks


def _value(figure: Figure | None) -> float | None:
    if figure is None or not np.isfinite(figure.value):
        return None
    return float(figure.value)


def _distinct(figure: Figure, table: Summed) -> list[int]:
    """Return the figure's cells, one per set of Units: among several metrics the one with the fewest answers."""
    numbers = sorted(set(figure.cells))
    if len({table.groups[number] for number in numbers}) == len(numbers):
        return numbers
    groups: dict[tuple[str, tuple[tuple[str, str], ...]], int] = {}
    for number in numbers:
        cell = table.cells[number]
        number_of = groups.setdefault((cell.task, cell.slice), number)
        if table.answered_count(number) < table.answered_count(number_of):
            groups[cell.task, cell.slice] = number
    return list(groups.values())


def _counts(cells: Sequence[int], table: Summed) -> dict[str, int]:
    totals = table.counts[list(cells)].sum(axis=0)
    return {status: int(n) for status, n in zip(SCORE_STATUSES, totals, strict=True) if n}
