"""The first screen of a report in the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

import triptych
from triptych import api


def test_the_answer_comes_first_and_details_on_demand(
    two: list[Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    api.report(two)
    short = capsys.readouterr().out
    lines = short.splitlines()
    assert "baseline/reference and baseline/random on CMDAR and MCS-Bench" in " ".join(short.split())
    assert "not ranked" in short and "--limit 1" in short and "--details" in lines[-1]
    assert max(map(len, lines)) <= 100 and len(lines) < 70
    api.report(two, details=True)
    long = capsys.readouterr().out
    assert long.startswith(short.partition("all tables, analyses")[0])
    assert "Differences between Runs" in long and "signature" in long


def test_two_runs_of_one_benchmark_have_all_tables(two: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    api.report(two[:2])
    told = capsys.readouterr().out
    assert "--details" not in told and told.index("on CMDAR") < told.index("signature")


def test_figures_over_few_questions_of_a_sample_are_named_below_the_matrix(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for benchmark in ("cmdar", "mcga"):
        for model in ("baseline/reference", "baseline/random"):
            limit = None if benchmark == "cmdar" else 1
            triptych.run(benchmark, model, limit=limit, out=tmp_path / benchmark / model.partition("/")[2])
    api.report(sorted(tmp_path.glob("*/*")))
    told = " ".join(capsys.readouterr().out.split())
    assert "MCGA, fewer than 24 questions in this sample: " in told and "su accuracy (n 1)" in told
    assert "n 24" in told, "the column of CMDAR's main Task"
    assert "n 8" in told, "a whole set of eight questions keeps its column"
    assert "CMDAR, fewer than" not in told


def test_a_run_of_a_sample_next_to_a_whole_one_keeps_the_column(
    two: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    api.report(two)
    assert "fewer than 24 questions" not in capsys.readouterr().out
