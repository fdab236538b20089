"""A plan is carried out: what can't be asked is said before anything is, and rows left out are noted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import triptych
from tests.cli.test_main import triptych as command
from tests.support.mock_process import MockProcess
from triptych.benchmarks import known_benchmarks
from triptych.errors import DataError
from triptych.store.folder import RunFolder


def test_blind_needs_no_media_and_seeing_does(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    mini = known_benchmarks()["cmdar"].mini
    for path in mini.glob("*.json"):
        (data / path.name).write_bytes(path.read_bytes())
    with MockProcess(answer="letter") as mock:
        asked = {"data": data, "base_url": mock.base_url, "limit": 2}
        blind = triptych.run("cmdar/main", "openai/mock", conditions=["blind"], out=tmp_path / "blind", **asked)
        assert blind.outcome.counts == {"answered": 2}
        with pytest.raises(DataError, match="media are missing"):
            triptych.run("cmdar/main", "openai/mock", out=tmp_path / "seeing", **asked)
    assert not (tmp_path / "seeing").exists()


def test_a_selection_of_nothing_is_refused_in_a_dry_run_too(tmp_path: Path) -> None:
    for more in ((), ("--dry-run",)):
        asked = ("run", "xmodbench", "--model", "baseline/random", "--filter", "direction=text_audio,audio_text", *more)
        shown = command(*asked, "--out", str(tmp_path / "run"))
        assert shown.returncode == 2 and "nothing is selected" in shown.stderr and "repeat --filter" in shown.stderr


def test_rows_that_cannot_become_items_are_told_and_noted(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    rows = json.loads((known_benchmarks()["cmdar"].mini / "MDAR-main.json").read_bytes())
    del rows[1]["question"]
    (data / "MDAR-main.json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    out = tmp_path / "run"
    asked = ["run", "cmdar/main", "--data", str(data), "--model", "baseline/random", "--out", str(out)]
    shown = command(*asked)
    assert shown.returncode == 0, shown.stderr
    assert "1 problem with the data or the prompt" in shown.stderr
    assert "MDAR-main.json" in shown.stderr
    manifest = RunFolder.open(out).manifest
    assert "MDAR-main.json" in manifest.note
    assert manifest.planned == len(rows) - 1
