"""A server with 20% injected faults: nothing is lost, nothing is mislabelled, and one bad Item stays alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.experiments import SOAK_FAULTS, soak


@pytest.mark.parametrize("stream", [False, True])
def test_faults_lose_and_mislabel_nothing(tmp_path: Path, stream: bool) -> None:
    result = soak(tmp_path, items=150, concurrency=32, always_fail=7, seed=1, stream=stream, retry_after=0, skip=True)
    assert result.lost == []
    assert result.mislabelled == []
    assert result.statuses["failed"] == 1
    assert result.statuses["answered"] > 120
    assert result.statuses["truncated"] and result.statuses["refused"]
    assert set(SOAK_FAULTS) <= set(result.faults), "every kind of fault should have come at least once"
    assert result.code == 1, "done, but one Item failed"
    for name, statuses in result.score_statuses.items():
        assert statuses.total() == 150, name
        assert statuses["failed"] == 1, name
    assert result.score_statuses, "the Run should have been scored"
