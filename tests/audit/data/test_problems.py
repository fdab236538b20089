"""Tests of `audit/data/problems.py`: convert what `check` found to Findings."""

from __future__ import annotations

from triptych.audit.data.problems import as_finding, kind_of
from triptych.records import Problem
from triptych.records.findings import KINDS


def test_problems_of_check_become_findings() -> None:
    found = as_finding(Problem("error", "target-not-an-option", "a.json: x/1, x/2", "no option", "toy/a", 2), "toy")
    assert (found.kind, found.severity, found.file, found.effect) == ("target", "severe", "a.json", "2 rows")
    slugs = ("missing-media", "count", "key-doubled", "id-doubled", "pairing", "never-heard-of")
    assert [kind_of(s) for s in slugs] == ["missing", "count", "target", "duplicate", "pairing", "malformed"]
    assert {kind_of(s) for s in slugs} <= set(KINDS)
