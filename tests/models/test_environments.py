"""Tests of `models/environments.py`: python environments for software that conflicts with Triptych's own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from triptych.errors import WeightsError
from triptych.models import environments as making
from triptych.models.worker.trust import allow_foreign_code


def test_an_environment_that_cannot_be_made_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "_commands", lambda *told: [[sys.executable, "-c", "raise SystemExit('no such pin')"]])
    with pytest.raises(WeightsError, match="no such pin"):
        making.make_environment(tmp_path / "one", ["x==1"], "it", lambda said: None)
    assert not (tmp_path / "one").exists()


def test_another_version_of_python_is_found_or_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making.shutil, "which", lambda name: {"python3.7": "/usr/bin/python3.7"}.get(name))
    assert making._commands(tmp_path, ["x==1"], "3.7", "it")[0][0] == "/usr/bin/python3.7"
    with pytest.raises(WeightsError, match=r"Python 3\.8"):
        making._commands(tmp_path, ["x==1"], "3.8", "it")
    monkeypatch.setattr(making.shutil, "which", lambda name: "/usr/bin/uv" if name == "uv" else None)
    made, install = making._commands(tmp_path, ["x==1"], "3.8", "it")
    assert made[3:5] == ["--python", "3.8"] and install[-1] == "x==1"


@pytest.fixture(autouse=True)
def untrusted() -> None:
    allow_foreign_code(allowed=False)
