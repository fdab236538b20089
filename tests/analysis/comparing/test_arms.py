"""Tests of `analysis/comparing/arms.py`: the arms of a paper's experiment and their references."""

from __future__ import annotations

import pytest

import triptych
from triptych.analysis.comparing.arms import compare_arms
from triptych.benchmarks.presets import Arm, Preset
from triptych.experiment.execution import RunResult


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, RunResult]:
    """Always right, always the first option over a part of the questions, and chance."""
    place = tmp_path_factory.mktemp("arms")
    asked = {"with": ("reference", 12), "without": ("first", 9), "chance": ("random", 12)}
    return {
        label: triptych.run("cmdar/main", f"baseline/{model}", limit=limit, out=place / label)
        for label, (model, limit) in asked.items()
    }


def arms(runs: dict[str, RunResult], **against: str) -> list[tuple[Arm, RunResult]]:
    titles = {"with": "with sound", "without": "无声", "chance": "chance"}
    return [(Arm(label, titles[label], against=against.get(label, "")), run) for label, run in runs.items()]


def preset(arms: list[tuple[Arm, RunResult]], against: str = "") -> Preset:
    return Preset("ablation", "Ablation", "Table 5", tuple(arm for arm, _ in arms), against=against)


def test_each_arm_is_compared_with_its_reference_over_what_both_were_asked(runs: dict[str, RunResult]) -> None:
    mine = arms(runs)
    compared = compare_arms(preset(mine, "with"), mine)
    assert list(compared) == ["without", "chance"]
    first = compared["without"]
    assert [run.label for run in first.runs] == ["无声", "with sound"] and first.shared == 9
    difference = first.headlines[0]
    assert difference.runs == ("无声", "with sound") and difference.value is not None and difference.value < 0
    assert compared["chance"].shared == 12


def test_an_arm_may_have_a_reference_of_its_own(runs: dict[str, RunResult]) -> None:
    mine = arms(runs, chance="without")
    compared = compare_arms(preset(mine), mine)
    assert list(compared) == ["chance"], "without a reference an arm is not compared"
    assert [run.label for run in compared["chance"].runs] == ["chance", "无声"] and compared["chance"].shared == 9


def test_an_experiment_without_pairs_has_no_comparison(runs: dict[str, RunResult]) -> None:
    assert compare_arms(preset(arms(runs)), arms(runs)) == {}


def test_the_protocol_is_the_headline_one_unless_named(runs: dict[str, RunResult]) -> None:
    mine = arms(runs, chance="with")
    names = triptych.load_benchmark("cmdar").spec.protocols
    headline = compare_arms(preset(mine), mine)["chance"].protocol
    other = next(name for name in names if name != headline)
    assert headline in names and compare_arms(preset(mine), mine, other)["chance"].protocol == other
