"""kill -9 at random moments, then resume: the same tables, and next to nothing asked twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.experiments import kill_and_resume


@pytest.mark.slow
def test_killed_runs_resume_to_the_same_tables(tmp_path: Path) -> None:
    result = kill_and_resume(tmp_path, items=240, kills=4, concurrency=8, latency=0.02)
    assert result.differences == []
    assert result.lost == 0
    assert result.journaled_asked_again == 0
    assert result.most_in_flight <= 8
    assert result.asked_twice <= 4 * 8
