"""Tests of `audit/results/references.py`: logs of the same questions with different reference answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych import audit_run
from triptych.interchange.foreign import ForeignLog, ForeignSample, write_run


def run(folder: Path, model: str, changed: int) -> Path:
    letters = ["ABCD"[n * 7 % 4] for n in range(60)]
    targets = ["ABCD"[("ABCD".index(letter) + 1) % 4] if n < changed else letter for n, letter in enumerate(letters)]
    samples = [
        ForeignSample(
            str(n), f"question {n}?", (target,), reply=letter, read=letter, scores={"acc": float(letter == target)}
        )
        for n, (letter, target) in enumerate(zip(letters, targets, strict=True))
    ]
    return write_run(ForeignLog("lab-harness", "exam", model, Path("log.json"), samples), folder).path


@pytest.mark.parametrize(("changed", "found"), [(0, 0), (5, 1), (60, 0)])
def test_changed_references_of_the_same_questions(tmp_path: Path, changed: int, found: int) -> None:
    """If most differ, the options may have been shuffled."""
    runs = [run(tmp_path / "a", "one", 0), run(tmp_path / "b", "two", changed)]
    findings = [one for one in audit_run(runs) if one.kind == "version"]
    assert len(findings) == found
    for one in findings:
        assert "5 of 60 questions that both logs have differ in the reference answer" in one.message
        assert "imported/exam/0" in one.message
