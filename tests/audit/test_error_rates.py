"""A fast part of `benchmarks_truth`: no severe finding on true tables, and planted faults are found."""

from __future__ import annotations

from benchmarks_truth.measure_tables import false_alarms, recall


def test_true_tables_have_no_severe_finding() -> None:
    measured = false_alarms(24, seed=11)
    assert measured["tables_with_severe"] == 0, measured
    assert not [kind for kind in measured["findings"] if kind.partition(" ")[2] != "copy"], measured


def test_planted_faults_are_found() -> None:
    measured = recall(4, seed=12)
    assert {kind: own["planted"] - own["found"] for kind, own in measured.items()} == dict.fromkeys(measured, 0)
