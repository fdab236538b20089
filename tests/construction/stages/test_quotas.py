"""Tests of `construction/stages/quotas.py`: quotas."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.construction.recipes.test_cmdar import question
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.stages.quotas import quotas
from triptych.errors import SpecError

pytest.importorskip("av", reason="PyAV comes with the extra [local]")


def test_quotas_are_filled_again_from_the_questions_that_are_left(tmp_path: Path) -> None:
    groups = {"main/一": "main/SR", "main/二": "main/SR", "main/三": "main/TR"}
    own = quotas.with_(most={"main/SR": 8, "main/三": 6}, groups=groups)
    context = Context(own.parameters, MediaStore(tmp_path), 0, tmp_path)
    records = [question(n, "一二三"[n % 3]) for n in range(30)]

    def kept(those: list[Values]) -> Counter[str]:
        outcomes = own.run(those, context)
        return Counter(v["category"] for v, o in zip(those, outcomes, strict=True) if o.decision == "kept")

    full = kept(records)
    assert full["三"] == 6 and full["一"] + full["二"] == 8
    left = [v for v, o in zip(records, own.run(records, context), strict=True) if o.decision == "dropped"]
    gone = {v.id for v in records} - {v.id for v in left}
    without = [v for v in records if v.id not in sorted(gone)[:3]]  # people reject three of those that were kept
    again = kept(without)
    assert again["三"] == 6 and again["一"] + again["二"] == 8
    with pytest.raises(SpecError, match="main/SR"):
        bad = own.with_(most={"main/SX": 3})
        bad.run(records, Context(bad.parameters, MediaStore(tmp_path), 0, tmp_path))
