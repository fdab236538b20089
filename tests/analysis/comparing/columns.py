"""Scores of Runs made of a word, and the estimates of their comparison."""

from __future__ import annotations

from tests.scoring.toy import score
from triptych.analysis.comparing.comparison import Comparison
from triptych.records import Estimate, Score


def column(rights: str, task: str = "toy/a", start: int = 0) -> list[Score]:
    """`110?`: right, right, wrong, failed; a Unit and an Instance each."""
    status = {"?": "failed"}
    return [
        score(f"{task}/{n}", float(r == "1"), task=task, status=status.get(r, "scored"))  # type: ignore[arg-type]
        for n, r in enumerate(rights, start)
    ]


def the(found: Comparison, measure: str) -> Estimate:
    return next(e for e in found.section.estimates if e.measure == measure and e.task == "toy")


def lost(status: str, count: int, start: int = 0) -> list[Score]:
    return [score(f"toy/a/{n}", 0.0, status=status) for n in range(start, start + count)]  # type: ignore[arg-type]
