"""Tests of `models/encoders/comet_environment.py`: the Python for COMET, found or made on request."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from triptych.errors import WeightsError
from triptych.models.encoders import comet_environment
from triptych.models.encoders.comet import find_comet
from triptych.models.encoders.settings import EncoderSettings


def test_the_environment_is_made_only_when_asked_for(
    models: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("TRIPTYCH_COMET_PYTHON")
    with pytest.raises(WeightsError, match=r"--make-comet"):
        find_comet(EncoderSettings(models))
    assert not comet_environment.environment_folder().exists()
    monkeypatch.setenv("TRIPTYCH_COMET_PYTHON", str(tmp_path / "gone"))
    with pytest.raises(WeightsError, match="isn't there"):
        find_comet(EncoderSettings(models))


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
def test_an_environment_is_made_once_and_whole_or_not_at_all(
    models: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("TRIPTYCH_COMET_PYTHON")
    asked = tmp_path / "asked"
    uv = tmp_path / "uv"
    uv.write_text(f'#!/bin/sh\necho "$@" >> {asked}\n[ "$1" = venv ] && mkdir -p "$5"; [ ! -f {tmp_path}/fail ]\n')
    uv.chmod(0o755)
    monkeypatch.setattr("triptych.models.environments.shutil.which", lambda name: str(uv))
    folder = comet_environment.environment_folder()
    (tmp_path / "fail").touch()
    with pytest.raises(WeightsError, match="can't be created"):
        find_comet(EncoderSettings(models, make_comet=True))
    assert not folder.exists() and not comet_environment.environment_state()
    (tmp_path / "fail").unlink()
    said: list[str] = []
    for _ in range(2):
        assert find_comet(EncoderSettings(models, make_comet=True, report=said.append)).python.is_relative_to(folder)
    assert comet_environment.environment_state() == str(folder)
    assert len(said) == 1 and "unbabel-comet==" in said[0]
    assert sum("unbabel-comet==" in line for line in asked.read_text().splitlines()) == 1


def test_a_python_of_the_user_is_taken_and_nothing_is_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRIPTYCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("TRIPTYCH_COMET_PYTHON", sys.executable)
    said: list[str] = []
    assert comet_environment.environment_python(make=True, report=said.append) == Path(sys.executable)
    assert comet_environment.environment_state() == sys.executable and said == []
    assert not (tmp_path / "cache").exists()


def test_a_python_that_is_gone_is_no_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRIPTYCH_COMET_PYTHON", str(tmp_path / "gone"))
    assert comet_environment.environment_state() == ""
    with pytest.raises(WeightsError, match=r"unset TRIPTYCH_COMET_PYTHON") as error:
        comet_environment.environment_python(make=True, report=print)
    assert str(tmp_path / "gone") in str(error.value)


def test_other_requirements_are_another_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRIPTYCH_CACHE", str(tmp_path / "cache"))
    before = comet_environment.environment_folder()
    assert before.is_relative_to(tmp_path / "cache") and str(before) in comet_environment.how_to_make()
    monkeypatch.setattr(comet_environment, "REQUIREMENTS", ("unbabel-comet==2.2.8", "setuptools<81"))
    assert comet_environment.environment_folder() != before


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
def test_versions_are_those_of_its_own_packages(tmp_path: Path) -> None:
    """Without the local part of a version (`+cpu`), which doesn't change a score."""
    for name, version in (("unbabel_comet", "2.2.7"), ("torch", "2.9.0+cpu"), ("transformers", "4.57.6")):
        folder = tmp_path / "packages" / f"{name}-{version}.dist-info"
        folder.mkdir(parents=True)
        about = f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n"
        (folder / "METADATA").write_text(about)
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH={tmp_path}/packages exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    assert comet_environment.versions_of(python) == "unbabel-comet-2.2.7,torch-2.9.0,transformers-4.57.6"


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
def test_versions_that_can_not_be_had_are_unknown(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    assert comet_environment.versions_of(python) == "unknown"
