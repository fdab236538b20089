"""A fast part of `benchmarks_truth`: no severe finding on true tables, and planted faults are found."""

from __future__ import annotations

from benchmarks_truth import any_tables, clean_runs
from benchmarks_truth.measure_tables import false_alarms, recall


def test_true_tables_have_no_severe_finding() -> None:
    measured = false_alarms(24, seed=11)
    assert measured["tables_with_severe"] == 0, measured
    assert not [kind for kind in measured["findings"] if kind.partition(" ")[2] != "copy"], measured


def test_planted_faults_are_found() -> None:
    measured = recall(4, seed=12)
    assert {kind: own["planted"] - own["found"] for kind, own in measured.items()} == dict.fromkeys(measured, 0)


def test_true_tables_without_rules_have_no_severe_finding() -> None:
    measured = any_tables.false_alarms(6, seed=13)
    assert measured["tables_with_severe"] == 0, measured


def test_planted_faults_are_found_without_rules() -> None:
    measured = any_tables.recall(1, seed=14)
    missed = [kind for kind, own in measured.items() if own["found"] < own["planted"]]
    assert set(missed) <= {"impossible share, n inferred"}, measured


def test_clean_runs_have_no_severe_finding() -> None:
    measured = clean_runs.false_alarms(5, seed=15, most=80)
    assert measured["severe"] == {}


def test_what_went_wrong_in_a_run_is_found() -> None:
    measured = clean_runs.recall(1, seed=16)
    assert {fault: own["planted"] - own["found"] for fault, own in measured.items()} == dict.fromkeys(measured, 0)
    assert all(own["severe"] for fault, own in measured.items() if fault != "errors"), measured
