"""Tests of `api/benchmark_trial.py`: the built-in benchmarks have no fault; protocols with planted faults have one."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from triptych.api.benchmark_trial import figure_faults, layout_faults, trial, unit_faults
from triptych.benchmarks import load_benchmark
from triptych.protocols.outcomes import lost_status, scored, unscored
from triptych.protocols.protocol import Unit
from triptych.records import Aggregate, Item, Response, Score, text

CAPITAL = Item("i", "rivers/name", (text("Which river flows through Lyon?"),), target="Rhône")
ANSWERED = Unit((CAPITAL,), (Response("i", "", 0, "answered", "Rhône"),))


@pytest.mark.parametrize("name", ["mcga", "cmdar", "mcs_bench", "mcif", "xmodbench"])
def test_the_built_in_benchmarks_have_no_fault(name: str, tmp_path: Path) -> None:
    assert list(trial(load_benchmark(name), tmp_path / "run")) == []


def sound(unit: Unit) -> Sequence[Score]:
    if lost := lost_status(unit):
        return [unscored(unit, "acc", lost)]
    assert unit.response is not None
    return [scored(unit, "acc", unit.response.text == unit.item.target)]


def none_for_a_failed_call(unit: Unit) -> Sequence[Score]:
    return [] if lost_status(unit) else sound(unit)


def wrong_for_a_failed_call(unit: Unit) -> Sequence[Score]:
    return [scored(unit, "acc", 0)] if lost_status(unit) else sound(unit)


def text_of_nothing(unit: Unit) -> Sequence[Score]:
    assert unit.response is not None
    return [scored(unit, "acc", unit.response.text == unit.item.target)]


def another_metric(unit: Unit) -> Sequence[Score]:
    return [replace_metric(score) for score in sound(unit)]


def replace_metric(score: Score) -> Score:
    return Score(**{**{name: getattr(score, name) for name in score.__struct_fields__}, "metric": "em"})


def by_chance(unit: Unit) -> Sequence[Score]:
    return [scored(unit, "acc", random.random())] if not lost_status(unit) else sound(unit)


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        (sound, None),
        (none_for_a_failed_call, "can't score a Unit whose Response is failed"),
        (wrong_for_a_failed_call, "scores a Unit whose Response is failed as if it were answered"),
        (text_of_nothing, "a Unit without a Response"),
        (another_metric, "gives Scores of 'em', which the Task rivers/name doesn't list"),
        (by_chance, "other Scores for the same Unit the second time"),
    ],
)
def test_a_protocols_scores_are_tried_with_and_without_an_answer(
    rule: Callable[[Unit], Sequence[Score]], fault: str | None
) -> None:
    protocol = replace(load_benchmark("cmdar").protocol("standard"), name="mine", score=rule)
    faults = list(unit_faults(ANSWERED, protocol, ("acc",)))
    assert any(fault in line for line in faults) if fault else faults == []


@pytest.mark.parametrize(
    ("metric", "value", "fault"),
    [
        ("acc", 100.0, ""),
        ("acc", 62.5, ""),
        ("acc", 0.0, "the worst value"),
        ("acc", 300.0, "outside the metric's range, 0 to 100"),
        ("wer", 0.0, ""),
        ("wer", -83.3, "outside"),
        ("acc", float("inf"), "outside"),
        ("acc", 1.0, "a share, where acc is a percentage"),
        ("wer", 1.0, ""),
        ("acc", None, "note: "),
    ],
)
def test_figures_of_the_reference_answers_are_possible_and_not_the_worst(
    metric: str, value: float | None, fault: str
) -> None:
    figure = Aggregate("mine", "rivers/name", metric, {}, value, 1, {"scored": 1})
    faults = list(figure_faults({"mine": [figure]}))
    assert len(faults) == bool(fault) and all(fault in line for line in faults)


def test_a_figure_of_no_unit_may_be_missing() -> None:
    assert list(figure_faults({"mine": [Aggregate("mine", "rivers/name", "acc", {}, None, 0, {})]})) == []


def test_columns_and_rows_of_tasks_that_do_not_exist_are_named() -> None:
    spec = load_benchmark("xmodbench").spec
    layout = spec.layouts[0]
    assert list(layout_faults(spec, {})) == []
    misspelt = msgspec.structs.replace(layout.columns[0], task="xmodbench/percepton")
    changed = msgspec.structs.replace(layout, columns=(misspelt, *layout.columns))
    (fault,) = layout_faults(msgspec.structs.replace(spec, layouts=(changed,)), {})
    assert "has a column of the Task 'xmodbench/percepton'" in fault and "did you mean 'xmodbench/perception'" in fault
    own = Aggregate("mine", "xmodbench/percepton", "acc", {}, 1.0, 1, {"scored": 1})
    assert list(layout_faults(msgspec.structs.replace(spec, layouts=(changed,)), {"mine": [own]})) == []
