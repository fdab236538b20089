"""Tests of `interchange/harness_results.py`: results files as lm-eval 0.4 writes them."""

from __future__ import annotations

from typing import Any

import pytest

from triptych.interchange.harness_results import figures_of, filters_of, settings_of, tasks_of

RESULTS: dict[str, Any] = {
    "results": {
        "gsm8k": {
            "alias": "gsm8k",
            "exact_match,strict-match": 0.25,
            "exact_match_stderr,strict-match": 0.0433,
            "exact_match,flexible-extract": 0.3,
            "exact_match_stderr,flexible-extract": "N/A",
        },
        "arc_easy": {"alias": "arc_easy", "acc,none": 0.5, "acc_stderr,none": 0.1, "acc_norm,none": float("nan")},
        "mmlu": {"acc,none": 0.4, "alias": "mmlu"},
        "mmlu_law": {"acc,none": 0.4},
    },
    "groups": {"mmlu": {"acc,none": 0.4}},
    "group_subtasks": {"mmlu": ["mmlu_law"], "gsm8k": []},
    "configs": {"arc_easy": {"metric_list": [{"metric": "acc", "aggregation": "mean"}]}},
    "n-samples": {"gsm8k": {"original": 1319, "effective": 100}, "arc_easy": {"original": 2376, "effective": True}},
    "config": {"model": "hf", "gen_kwargs": {"temperature": 0.0, "until": ["\n"]}, "limit": 100.0, "num_fewshot": None},
}


def test_tasks_are_those_with_figures_of_their_own() -> None:
    assert tasks_of(RESULTS) == ["gsm8k", "arc_easy", "mmlu_law"]


def test_figures_of_two_filters() -> None:
    strict, flexible = figures_of(RESULTS, ["gsm8k"])
    assert (strict.metric, strict.value, strict.filter, strict.stderr) == ("exact_match", 0.25, "strict-match", 0.0433)
    assert (flexible.value, flexible.stderr, flexible.n, flexible.of) == (0.3, None, 100, 1319)
    assert filters_of(RESULTS, "gsm8k") == ["strict-match", "flexible-extract"]


def test_figures_without_a_named_filter_and_what_is_no_number() -> None:
    acc, norm = figures_of(RESULTS, ["arc_easy"])
    assert (acc.filter, acc.aggregation, acc.stderr, acc.n) == ("", "mean", 0.1, None)
    assert norm.value is None


def test_settings_are_plain_values() -> None:
    assert settings_of(RESULTS) == {"temperature": 0.0, "model": "hf", "limit": 100.0}
    assert settings_of({"config": {"gen_kwargs": "temperature=0", "model": ""}}) == {"gen_kwargs": "temperature=0"}


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"results": []},
        {"results": {"t": "x"}},
        {"results": {"t": {"acc": 1}}},
        {"results": {"t": {}}, "configs": 3},
    ],
)
def test_a_file_of_another_form_states_nothing(document: dict[str, Any]) -> None:
    assert tasks_of(document) == []
    assert list(figures_of(document, ["t"])) == []
    assert settings_of(document) == {}
