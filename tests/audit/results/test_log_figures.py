"""Tests of `audit/results/log_figures.py`: figures that an imported log states, compared with its samples."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import pytest

from tests.interchange import harness_folders as make
from tests.interchange.test_audit_logs import Maker, told
from triptych.interchange.audit_logs import audit_results


@pytest.mark.parametrize(
    ("log", "value"),
    [
        (lambda place: make.evalscope(place, score=0.8), 0.8),
        (lambda place: make.vlmevalkit(place / "m_Toy.xlsx", overall=0.8), 0.8),
        (lambda place: make.helm(place, stated=0.8), 0.8),
        (lambda place: make.opencompass(place, stated=80.0), 80.0),
        (lambda place: make.lm_eval(place, [1.0, 0.0, 1.0, 1.0] * 5, sqrt(0.1875 / 19), 0.8), 0.8),
    ],
)
def test_an_aggregate_that_its_items_do_not_give(log: Maker, value: float, tmp_path: Path) -> None:
    (found,) = (f for f in audit_results([log(tmp_path / "log")]) if f.kind == "score")
    scale = 100 if value > 1 else 1
    assert (found.severity, found.published, found.recomputed) == ("severe", value, 0.75 * scale)
    assert found.terms == ("stated", "recomputed") and str(tmp_path / "log") in str(found.file)


def test_standard_errors_are_recomputed_and_zero_is_not_certainty(tmp_path: Path) -> None:
    scores = [1.0, 0.0, 1.0, 1.0] * 25
    true = sqrt(0.1875 / 99)
    assert not told(audit_results([make.lm_eval(tmp_path / "true", scores, true)]))
    (found,) = told(audit_results([make.lm_eval(tmp_path / "small", scores, true / 10)]))
    assert (found.kind, found.severity) == ("score", "severe") and found.recomputed == round(true, 6)
    assert "too narrow" in found.effect
    (found,) = told(audit_results([make.lm_eval(tmp_path / "zero", [1.0] * 100, 0.0)]))
    assert found.severity == "warning" and "standard error of 0 for acc = 1" in found.message
    assert found.recomputed == "3 points"  # 1 - 0.05 ** (1 / 100): the exact bound, near 3 / n
    assert not told(audit_results([make.lm_eval(tmp_path / "none", [1.0] * 100, "N/A")]))


def test_samples_that_vanished_are_counted(tmp_path: Path) -> None:
    log = make.evalscope(tmp_path / "log", n=40, right=30)
    file = log / "reviews" / "m" / "toy_default.jsonl"
    rows = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join(rows[:3] + rows[5:]) + "\n", encoding="utf-8")
    messages = [f.message for f in audit_results([log])]
    assert any("2 samples up to 39 are not in the log: 3, 4" in message for message in messages)
    assert any("the log states 40" in message for message in messages)
    part = make.lmms_mmau(
        tmp_path / "part",
        [make.key(n) for n in range(50)],
        **{"n-samples": {"mmau_test_mini": {"original": 1000, "effective": 50}}},
    )
    assert any("50 of the data set's 1,000 samples" in f.message for f in audit_results([part]))


def test_another_model_than_the_one_named(tmp_path: Path) -> None:
    (found,) = told(audit_results([make.evalscope(tmp_path / "a", model="gpt-4o", served="qwen3-max")]))
    assert (found.kind, found.severity) == ("served", "severe") and "qwen3-max (20 replies)" in found.message
    same = make.evalscope(tmp_path / "b", model="claude-sonnet-4-0", served="claude-sonnet-4-20250514")
    assert not told(audit_results([same]))
