"""COMET's process: its lines against a stand-in, its environment, and the real thing where one is named."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from triptych.errors import WeightsError
from triptych.metrics.embedding import TextComparison
from triptych.models.encoders import comet_environment
from triptych.models.encoders.comet import WORKER, call_worker, find_comet
from triptych.models.encoders.settings import EncoderSettings


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
def test_on_a_cpu_no_line_depends_on_the_others(models: Path) -> None:
    """Shards have the values of the whole Run, to the last digit."""
    engine = find_comet(EncoderSettings(models))
    lines = [TextComparison("comet", "a" * length, "ref", "", "source") for length in (40, 7, 19)]
    assert engine.compare(lines) == [value for line in lines for value in engine.compare([line])]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("print('hello')", "something else"),
        ("print('{\"score\": 1}')", "too few lines"),
        ('print(\'{"score": 1}\\n{"points": 1}\')', "something else"),
        ("import sys; sys.exit('out of memory')", "out of memory"),
    ],
)
def test_what_is_no_score_for_every_line_is_refused(code: str, told: str) -> None:
    with pytest.raises(WeightsError, match=told):
        call_worker([sys.executable, "-c", code], {}, [{"src": "a"}, {"src": "b"}])


def test_a_python_that_is_not_there_is_told() -> None:
    with pytest.raises(WeightsError, match="can't be started"):
        call_worker(["/nowhere/python", str(WORKER)], {}, [])


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


def test_the_real_one() -> None:
    """TRIPTYCH_TEST_COMET names a folder with a real checkpoint, TRIPTYCH_COMET_PYTHON a Python with unbabel-comet."""
    folder = os.environ.get("TRIPTYCH_TEST_COMET", "")
    if not folder or not os.environ.get("TRIPTYCH_COMET_PYTHON"):
        pytest.skip("TRIPTYCH_TEST_COMET and TRIPTYCH_COMET_PYTHON name no COMET")
    engine = find_comet(EncoderSettings(None, {"comet": folder}, "cpu"))
    one, two = (
        TextComparison("comet", "hello world", "hello", "", "a"),
        TextComparison("comet", "the cat", "a cat", "", "die"),
    )
    long = TextComparison("comet", "and " * 50, "or", "", "und")
    first, second, again, _ = engine.compare([one, two, one, long])
    assert first != second and [first, second] == [again, *engine.compare([two])] == [*engine.compare([one]), second]
