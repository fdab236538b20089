"""Right, wrong, or in between: by each metric's own range and direction."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from triptych.benchmarks import load_benchmark
from triptych.records import SCORE_STATUSES, Score
from triptych.viewer.index.database import Database
from triptych.viewer.index.journals import write_lines
from triptych.viewer.index.outcomes import OUTCOMES
from triptych.viewer.index.tables import score_table

Told = tuple[str, float | None, float | None]  # outcome, value, merit


@pytest.fixture
def told(tmp_path: Path) -> Callable[..., Told]:
    def told(metric: str, numerator: float, denominator: float = 1, status: str = "scored") -> Told:
        score = Score("u", "t", metric, status, numerator, denominator)  # type: ignore[arg-type]
        write_lines(tmp_path / "scores.jsonl", [score])
        with Database(tmp_path) as base:
            score_table(
                base, tmp_path / "scores.jsonl", "own", load_benchmark("cmdar").spec, tmp_path / "scores.parquet"
            )
            ((outcome, value, merit),) = base.run(
                "SELECT outcome, value, merit FROM read_parquet(?)", [str(tmp_path / "scores.parquet")]
            )
        return outcome, value, merit

    return told


@pytest.mark.parametrize(
    ("metric", "numerator", "denominator", "expected"),
    [
        ("acc", 1, 1, ("right", 100, 100)),
        ("acc", 0, 1, ("wrong", 0, 0)),
        ("f1.token", 0.5, 1, ("partly", 50, 50)),
        ("wer", 0, 9, ("right", 0, 0)),
        ("wer", 9, 9, ("wrong", 100, -100)),
        ("wer", 12, 8, ("wrong", 150, -150)),
        ("wer", 2, 8, ("partly", 25, -25)),
        ("judge_score", 10, 1, ("right", 10, 10)),
        ("judge_score", 1, 1, ("wrong", 1, 1)),
        ("a metric that is not known", 1, 1, ("partly", 1, 1)),
    ],
)
def test_by_range_and_direction(
    told: Callable[..., Told], metric: str, numerator: float, denominator: float, expected: Told
) -> None:
    assert told(metric, numerator, denominator) == expected


def test_what_was_not_scored_keeps_its_status(told: Callable[..., Told]) -> None:
    for status in SCORE_STATUSES:
        if status not in ("scored", "unparsed"):
            assert told("acc", 0, status=status) == (status, None, None)
    assert told("acc", 0, status="unparsed") == ("unparsed", 0, 0)
    assert told("wer", 0, 0)[0] == "unavailable"  # 0 of 0: there is no value


def test_every_status_has_its_place_in_filters() -> None:
    assert set(SCORE_STATUSES) - {"scored"} <= set(OUTCOMES)
