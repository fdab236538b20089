"""Tests of `reports/tables/matrix.py`: the first screen of a report."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych import api


@pytest.mark.parametrize(
    ("name", "expected"),
    [("omni-r1", ("7B", "Chinese, RL")), ("Qwen2.5-Omni-7B", ("7B", "Chinese")), ("nobody-knows-it", None)],
)
def test_a_runs_facts_come_from_the_catalogue(
    name: str, expected: tuple[str, str] | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    api.run("cmdar/main", "baseline/random", out=tmp_path / "run", name=name, limit=2)
    api.report([tmp_path / "run"], to=tmp_path / "report", formats=["csv"])
    head, row, *_ = (tmp_path / "report" / "main.csv").read_text(encoding="utf-8").splitlines()
    told = dict(zip(head.split(","), next(iter(__import__("csv").reader([row]))), strict=False))
    assert (told.get("size"), told.get("trained")) == (expected or (None, None))
