"""The values behind a figure, against a dictionary of each Unit's mean."""

from __future__ import annotations

from statistics import fmean
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from triptych.analysis.comparing.figure_values import FigureValues
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.protocols.protocol import Cell
from triptych.records import FigureKey, Score

KEY: FigureKey = ("t", "m", ())


def behind(scores: list[Score], kind: str = "all") -> FigureValues:
    joint: Any = SimpleNamespace(
        tables=(SimpleNamespace(cells=(Cell("t", "m"), Cell("t", "other"))),), cells_of={KEY: (0,)}, kind=kind
    )
    spec = cast(BenchmarkSpec, SimpleNamespace(slices=()))
    shared: Any = SimpleNamespace(scores=(tuple(scores),))
    return FigureValues(shared, joint, cast(Any, SimpleNamespace(benchmark=SimpleNamespace(spec=spec))))


def score(unit: str, value: float, metric: str = "m", instance: str = "i", repeat: int = 0, **more: Any) -> Score:
    return Score(unit, "t", metric, more.pop("status", "scored"), value, 1.0, None, instance, repeat)


def named(own: FigureValues) -> dict[str, float]:
    units, values, _ = own.values_of(0, KEY)
    return {own.units[number]: values[number] for number in units.tolist()}


def test_repeats_of_a_unit_are_averaged_and_other_cells_left_out() -> None:
    scores = [
        score("b", 0.1),
        score("a", 1),
        score("b", 0.2, repeat=1),
        score("b", 0.4, repeat=2),
        score("c", 5, "other"),
    ]
    found = named(behind(scores))
    assert found == {"b": fmean([0.1, 0.2, 0.4]), "a": 1.0} and list(found) == ["b", "a"]


@pytest.mark.parametrize(("kind", "units"), [("all", ["a", "b"]), ("answered", ["a"])])
def test_what_has_no_answer_counts_if_all_units_do(kind: str, units: list[str]) -> None:
    own = behind([score("a", 1), score("b", 0, status="failed")], kind)
    assert list(named(own)) == units and own.values_of(0, KEY).binary


def test_means_of_instances_come_in_the_order_of_the_instances() -> None:
    own = behind([score(f"u{n}", 0, instance=i) for n, i in enumerate("bab")])
    units = np.arange(3)
    assert own.means(0, units, np.array([1.0, -1.0, 0.0])) == [0.5, -1.0]
    values = [0.1, 0.7, 0.2]
    assert own.means(0, units, np.array(values)) == [fmean([0.1, 0.2]), 0.7]
