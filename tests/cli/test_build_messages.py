"""Tests of `cli/build_messages.py`: the words of `triptych build`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.construction import toy
from tests.construction.toy import config
from triptych.cli.build_messages import print_end
from triptych.construction.build import build
from triptych.models import registry
from triptych.models.adapter import Reply
from triptych.running.loop import RunOptions


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setitem(registry.ADAPTERS, "toy", ("tests.construction.toy", ""))
    toy.Counting.asked = []
    return toy.Counting.asked


def test_a_build_that_waits_says_for_what_and_what_to_do(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    built = build(toy.RECIPE, config(people=True), tmp_path)
    assert print_end(built, None) == 1
    said = capfd.readouterr().err
    for words in (
        "review: 4 waiting (waits-for-people 4)",
        f"triptych build tasks {tmp_path} review --to review.csv",
        "--person NAME",
        "no record is finished yet",
    ):
        assert words in " ".join(said.split())
    assert "0 records written" not in said
    print_end(build(toy.RECIPE, config(), tmp_path / "b", limit=1), None, pilot=True)
    assert "--limit and --only build a part" in capfd.readouterr().err


def test_a_build_whose_model_fails_says_where(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def down(self: toy.Counting, request: Any, prepared: Any) -> Reply:
        return Reply("", "failed")

    monkeypatch.setattr(toy.Counting, "respond", down)
    built = build(toy.RECIPE, config(texts={"a": "One fish swims"}), tmp_path, options=RunOptions(retries=0))
    assert built.counts[-1].decisions == {"failed": 1}
    print_end(built, None)
    said = " ".join(capfd.readouterr().err.split())
    assert "question: 1 failed (no-reply 1)" in said and "run this command again" in said
    assert json.loads((tmp_path / "out/questions.json").read_text()) == []


def test_material_without_rows_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.csv").write_text("", encoding="utf-8")
    (tmp_path / "own.toml").write_text('works = "t.csv"\nyear = 2026\n', encoding="utf-8")
    built = build("mcga", tmp_path / "own.toml", tmp_path / "b")
    assert print_end(built, None) == 1 and built.complete
    said = capfd.readouterr().err
    assert "the raw material has no rows" in said and "nothing is left" in said
    print_end(build(toy.RECIPE, config(), tmp_path / "c"), None)
    assert "no rows" not in capfd.readouterr().err
