"""Tests of `triptych new`: the folder that it writes, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_questions import CSV, ended, values


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sounds.csv").write_text(CSV)
    return tmp_path


def test_new_makes_a_folder_that_runs(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ended("new", "mine", "--from", "sounds.csv", "--map", "id=") == 0
    assert (here / "mine" / "README.md").is_file() and 'id = ""' in (here / "mine" / "benchmark.toml").read_text()
    capsys.readouterr()
    assert ended("run", "mine", "--benchmarks", ".", "--model", "baseline/reference", "--json") == 0
    assert values(capsys) == {"own-mine/choice": 100.0}
    assert ended("new", "mine", "--from", "sounds.csv") == 2
    assert ended("new", "../out", "--from", "sounds.csv") == 2 and not (here.parent / "out").exists()


def test_new_keeps_a_folder_in_the_layout_of_datasets(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import polars as pl

    row = {"question": "What is heard?", "options": ["bell", "dog"], "answer": "B"}
    (here / "set/data").mkdir(parents=True)
    for split in ("train", "test"):
        sound = {"bytes": b"RIFF\0\0\0\0WAVE" + split.encode(), "path": "a.wav"}
        pl.DataFrame([{**row, "audio": sound}]).write_parquet(here / f"set/data/{split}-00000-of-00001.parquet")
    assert ended("new", "mine", "--from", "./set") == 0
    told = capsys.readouterr().err
    assert "test (also there: train" in told and "[audio: set.media/" in told
    assert ended("run", "./mine", "--model", "baseline/reference", "--json") == 0
    assert values(capsys) == {"own-mine/choice": 100.0}
    assert ended("check", "./mine") == 0 and ended("audit", "data", "./set") in (0, 1)
