"""Tests of `construction/report/reasons.py`: the records of a build that have a reason."""

from __future__ import annotations

from pathlib import Path

from tests.construction.test_build_at_hand import POEM, works
from triptych.construction.build import build
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.report.reasons import records_with

POEMS = (POEM, "白日依山尽，黄河入海流。欲穷千里目，更上一层楼。", "千山鸟飞绝，万径人踪灭。孤舟蓑笠翁，独钓寒江雪。")


def test_records_of_a_reason_of_any_decision(tmp_path: Path) -> None:
    rows = [
        f"w{n},题{n},作者{n},{year},诗,唐,{text}"
        for n, (year, text) in enumerate(zip((740, 1990, 740), POEMS, strict=True))
    ]
    roles = ("maker", "validator_a", "validator_b", "validator_c")
    models = "".join(f'[models.{role}]\nmodel = "human/{role}"\n' for role in roles)
    config = works(tmp_path, *rows, f"w3,题,作者,740,诗,唐,{POEM}", more=models)
    built = build("mcga", config, tmp_path / "b", ask=False)
    reasons = {reason for each in built.counts for reason in each.reasons}
    found = [each for reason in sorted(reasons) for each in records_with(BuildFolder.open(tmp_path / "b"), reason)]
    assert len(found) == sum(n for each in built.counts for n in each.reasons.values()) > 3
    assert {f"{each.decision}: {each.reason}" for each in found} == reasons
    assert {each.decision for each in found} >= {"dropped", "pending"}
