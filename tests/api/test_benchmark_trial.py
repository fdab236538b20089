"""Tests of `api/benchmark_trial.py`: the built-in benchmarks have no fault; protocols with planted faults have one."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from triptych.api.benchmark_trial import figure_faults, prompt_faults, trial, whole_task_faults
from triptych.benchmarks import Benchmark, load_benchmark
from triptych.records import Aggregate


@pytest.mark.parametrize("name", ["mcga", "cmdar", "mcs_bench", "mcif", "xmodbench"])
def test_the_built_in_benchmarks_have_no_fault(name: str, tmp_path: Path) -> None:
    found = list(trial(load_benchmark(name), tmp_path / "run"))
    assert all(line.startswith("note: ") for line in found), found


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


def test_reference_answers_that_a_protocol_cant_read_are_noted() -> None:
    figure = Aggregate("mine", "rivers/name", "acc", {}, 50.0, 4, {"scored": 2, "unparsed": 2})
    (note,) = figure_faults({"mine": [figure]})
    assert note == "note: protocol 'mine', rivers/name: acc reads no answer in 2 of 4 reference answers"


def test_a_figure_of_every_task_that_was_asked_and_of_no_other() -> None:
    spec = load_benchmark("cmdar").spec
    right = Aggregate("mine", "cmdar/main", "acc", {}, 100.0, 1, {"scored": 1})
    replace = msgspec.structs.replace
    assert list(whole_task_faults(spec, {"mine": [right]}, {"cmdar/main"})) == []
    for wrong, words in (
        (replace(right, task="cmdar/mani"), "a figure of the Task 'cmdar/mani', which doesn't exist; did you mean"),
        (
            replace(right, metric="zzz"),
            "no figure (acc) of the whole Task cmdar/main; its figures there: zzz",
        ),
        (replace(right, slice={"category": "x"}), "no figure (acc) of the whole Task cmdar/main"),
    ):
        assert any(words in line for line in whole_task_faults(spec, {"mine": [wrong]}, {"cmdar/main"})), words
    several = replace(right, task="cmdar-all", tasks=("cmdar/main", "cmdar/multi"))
    assert list(whole_task_faults(spec, {"mine": [right, several]}, {"cmdar/main"})) == []


def test_a_prompt_that_leaves_out_the_options_is_named() -> None:
    bench = load_benchmark("cmdar")
    plain = msgspec.structs.replace(bench.spec.prompts["v2"], content=("{media}", "{question}"))
    assert list(prompt_faults(bench)) == []
    changed = Benchmark(bench.package, bench.folder, bench.origin)
    vars(changed)["spec"] = msgspec.structs.replace(bench.spec, prompts=dict.fromkeys(bench.spec.prompts, plain))
    found = list(prompt_faults(changed))
    assert found and "leaves out the options of Item cmdar/main/" in found[0]
