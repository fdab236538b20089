"""Tests of `audit/results/constant.py`: systems that give one reply to most questions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import triptych
from tests.audit.results.test_check import Reply, kinds, results, several
from triptych import audit_run
from triptych.records import Finding


def test_constant_replies(tmp_path: Path) -> None:
    reply: Reply = lambda index, key, rng: "B" if index % 10 else key  # noqa: E731
    (found,) = [f for f in audit_run([results(tmp_path / "a", reply)], benchmark="xmodbench") if f.kind == "constant"]
    score, always = float(str(found.published)), float(str(found.recomputed))
    assert "'B'" in found.message and 15 < always < 35  # the keys are drawn evenly
    assert score == pytest.approx(always + 0.1 * (100 - always), abs=4)  # one in ten is the key itself
    assert found.severity == ("severe" if score <= always + 5 else "warning")


def test_a_baseline_that_answers_so_by_rule_is_no_finding(tmp_path: Path) -> None:
    triptych.run("cmdar/main", "baseline/constant", settings={"letter": "B"}, repeats=3, out=tmp_path / "run")
    assert "constant" not in kinds(audit_run([tmp_path / "run"]))


def test_constant_replies_where_several_options_are_right(tmp_path: Path) -> None:
    def constant(reply: Callable[[int], str], name: str) -> list[Finding]:
        return [f for f in audit_run([several(tmp_path / name, reply)], benchmark="cmdar") if f.kind == "constant"]

    (found,) = constant(lambda n: "one; two; three", "a")
    assert float(str(found.recomputed)) == pytest.approx(200 / 3, abs=0.01) and "one | three | two" in found.message
    assert constant(lambda n: f"nothing of that kind, {n}", "b") == [], "all unreadable is not all the same"
