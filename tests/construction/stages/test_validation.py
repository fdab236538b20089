"""Tests of `construction/stages/validation.py`: validation by models."""

from __future__ import annotations

from pathlib import Path

from tests.construction.stages.test_describing import Says, run
from triptych.construction.record import Record
from triptych.construction.stages.validation import trio


def test_three_validators_must_agree(tmp_path: Path) -> None:
    records = [Record("a", {"question": "Who?", "answer": "Ann"})]
    yes, no = '{"valid": true}', '{"valid": false, "reason": "unclear"}'
    for n, (said, left) in enumerate([((yes, yes, yes), 1), ((yes, no, yes), 0)]):
        models = {role: Says(role, text) for role, text in zip(trio.asks.roles if trio.asks else (), said, strict=True)}
        assert len(run([trio], records, models, tmp_path / str(n))) == left
