"""Tests of `models/encoders/bertscore.py`."""

from __future__ import annotations

import pytest

from tests.models.encoders.test_encoders import HARD, oracle, ours
from tests.support.encoders import SMALL
from triptych.models.encoders import bertscore as module

pytestmark = pytest.mark.weights


@pytest.mark.parametrize("name", SMALL)
def test_alone_and_in_a_batch(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    candidates, references = HARD[:8], HARD[1:9]
    theirs = oracle(name, candidates, references, batch_size=1)
    assert ours(name, candidates, references, batch_size=1) == pytest.approx(theirs, abs=1e-5)
    monkeypatch.setattr(module, "CHUNK_TOKENS", 20)  # memory: the same in many small groups
    assert ours(name, candidates, references, batch_size=1) == pytest.approx(theirs, abs=1e-5)
