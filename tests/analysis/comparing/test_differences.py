"""Tests of `analysis/comparing/differences.py`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec

from triptych import api
from triptych.store.folder import RunFolder


def test_a_setting_that_differs_is_named(tmp_path: Path) -> None:
    def asked(name: str, **more: Any) -> Path:
        return api.run("mcga/asr", "baseline/reference", out=tmp_path / name, name=name, limit=4, **more).folder.path

    cut, whole = asked("cut", settings={"audio_seconds": "1"}), asked("whole", settings={"audio_seconds": "0"})
    found = api.compare([cut, whole], replicates=100)
    assert found.shared == 4
    assert any(w.startswith("the setting audio_seconds differs (cut: 1; whole: not given)") for w in found.warnings)
    again = asked("again", settings={"audio_seconds": "1"})
    assert not any("the setting" in w for w in api.compare([cut, again], replicates=100).warnings)


def test_a_report_names_it_too(tmp_path: Path) -> None:
    folders = [
        api.run(
            "mcga/asr", "baseline/reference", out=tmp_path / n, name=n, limit=4, settings={"audio_seconds": n}
        ).folder
        for n in ("1", "2")
    ]
    api.report([folder.path for folder in folders], to=tmp_path / "report", formats=("md",))
    assert "the setting audio_seconds differs (1: 1; 2: 2)" in (tmp_path / "report" / "analyses.md").read_text()


def test_temperature_and_token_limit_are_named(tmp_path: Path, run: RunFolder) -> None:
    other = tmp_path / "other"
    shutil.copytree(run.path, other)
    told = msgspec.json.decode((other / "manifest.json").read_bytes())
    told["decoding"] = {**told["decoding"], "temperature": 2.0, "max_tokens": 7}
    (other / "manifest.json").write_bytes(msgspec.json.encode(told))
    warnings = api.compare([run.path, other], replicates=100).warnings
    for setting in ("temperature", "max_tokens"):
        assert any(w.startswith(f"the setting {setting} differs") for w in warnings)
