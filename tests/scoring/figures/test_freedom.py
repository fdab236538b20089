"""Degrees of freedom, against cases computed by hand."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from tests.scoring.figures.test_aggregate import make_spec, score
from triptych.protocols.protocol import Cell, Figure, Protocol
from triptych.records import Score
from triptych.scoring.figures.cells import Columns, cell_names
from triptych.scoring.figures.freedom import degrees_of_freedom
from triptych.scoring.figures.summed import sum_table


def _freedom(scores: list[Score]) -> float:
    """The degrees of freedom of the unweighted mean over all cells."""

    def aggregate(cells: Sequence[Cell], sums: np.ndarray) -> Iterator[Figure]:
        yield Figure("toy", "acc", {}, (sums[..., 0] / sums[..., 1]).mean(axis=-1), tuple(range(len(cells))))

    columns, spec = Columns(make_spec()), make_spec()
    columns.add(scores, cell_names(scores, spec))
    protocol = Protocol("toy", "1", "", "all", lambda unit: (), aggregate)
    return next(iter(degrees_of_freedom(protocol, sum_table(columns.table(), "all")).values()))


def _task(name: str, values: Sequence[float]) -> list[Score]:
    return [score(f"{name}{n}", v, task=f"toy/{name}", instance=f"{name}{n}") for n, v in enumerate(values)]


def test_one_stratum_has_instances_minus_1() -> None:
    values = [0.0, 1.0] * 10  # excess kurtosis -2, which counts as 0
    assert _freedom(_task("a", values)) == pytest.approx(19, rel=1e-4)


def test_rare_mistakes_leave_few_degrees_of_freedom() -> None:
    values = [1.0] * 49 + [0.0]
    p = 0.98
    kurtosis = (1 - 6 * p * (1 - p)) / (p * (1 - p))
    assert _freedom(_task("a", values)) == pytest.approx(2 / (kurtosis / 50 + 2 / 49), rel=1e-4)


def test_a_small_stratum_that_dominates_decides() -> None:
    small, large = [0.0, 1.0, 0.0, 1.0], [0.0, 1.0] * 500
    own, other = 0.25 / 3 / 4, 0.25 / 999 / 4
    expected = (own + other) ** 2 / (own**2 / 3 + other**2 / 999)
    assert _freedom(_task("a", small) + _task("b", large)) == pytest.approx(expected, rel=1e-3)


def test_equal_strata_add_up() -> None:
    tasks = [s for name in "abcd" for s in _task(name, [0.0, 1.0, 1.0, 0.0, 1.0, 0.0])]
    assert _freedom(tasks) == pytest.approx(4 * 5, rel=1e-3)
