"""Tests of `api/presets.py`: run a paper's experiment."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.benchmarks.test_presets import REFERENCE
from triptych.api.presets import run_preset
from triptych.cli.main import main
from triptych.running.loop import RunOptions
from triptych.store.folder import RunFolder


def test_the_same_command_goes_on_and_asks_nothing_twice(tmp_path: Path) -> None:
    for sitting in range(2):
        done = run_preset("cmdar", "noise", REFERENCE, out=tmp_path, limit=1, options=RunOptions())
        assert [bool(result.outcome.already) for _, result in done.arms] == [bool(sitting)] * 2


def test_a_cascade_reasons_over_what_its_first_step_said(tmp_path: Path) -> None:
    run_preset("cmdar", "cascade", REFERENCE, out=tmp_path, limit=1, options=RunOptions())
    (caption,) = RunFolder.open(tmp_path / "captions").responses()
    (item,) = RunFolder.open(tmp_path / "cascade").items()
    assert not any(part.is_media for part in item.parts)
    assert any(caption.text in part.text for part in item.parts)


def test_a_dry_run_tells_what_every_arm_takes_and_asks_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        "run",
        "cmdar",
        "--preset",
        "cascade",
        "--model",
        "baseline/random",
        "--limit",
        "2",
        "--dry-run",
        "--out",
    ]

    def told(*more: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main([*command, str(tmp_path / "runs"), *more])
        assert ended.value.code == 0
        return capsys.readouterr().out

    arms = json.loads(told("--json"))["arms"]
    assert [arm.get("requests") for arm in arms] == [2, 2, None], "nobody knows yet what the captions will say"
    assert arms[2]["after"] == ["captions"] and "not estimated: it reads the replies of captions" in told()
    assert not (tmp_path / "runs").exists()
    run_preset("cmdar", "cascade", REFERENCE, out=tmp_path / "runs", limit=2, options=RunOptions())
    assert [arm["requests"] for arm in json.loads(told("--json"))["arms"]] == [2, 2, 2]
