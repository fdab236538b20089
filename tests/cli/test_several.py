"""`triptych run` with several benchmarks or models, or a plan: one table, one document, and faults that are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triptych.cli.main import main


def code(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


def test_every_model_on_every_benchmark_under_each_condition(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "run",
        "cmdar/main",
        "q.csv",
        "--model",
        "baseline/first",
        "--model",
        "baseline/reference",
        "--limit",
        "2",
        "--condition",
        "blind",
        "--json",
    ]
    assert code(*words) == 0
    runs = json.loads(capsys.readouterr().out)["runs"]
    assert [(run["benchmark"], run["model"], run["conditions"]) for run in runs] == [
        (bench, model, ["blind"]) for bench in ("cmdar", "own-q") for model in ("baseline/first", "baseline/reference")
    ]
    assert [run["statuses"] for run in runs] == [{"answered": 2}] * 4
    assert all((here / run["run"] / "manifest.json").is_file() for run in runs)
    before = {path: path.stat().st_mtime_ns for path in here.glob("runs/*/*/responses.jsonl")}
    assert code(*words) == 0
    again = json.loads(capsys.readouterr().out)["runs"]
    assert [(run["already"], run["statuses"]) for run in again] == [(2, {})] * 4
    assert {path: path.stat().st_mtime_ns for path in here.glob("runs/*/*/responses.jsonl")} == before
    assert [run["scores"] for run in again] == [run["scores"] for run in runs]


def test_one_table_over_all(here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    assert code("run", "q.csv", "cmdar/main", "--model", "baseline/reference", "--limit", "3") == 0
    shown = capsys.readouterr()
    table = " ".join(shown.out.split())
    assert "own-q: baseline/reference choice accuracy 100.0" in table and "3/3" in table
    assert "cmdar: baseline/reference" in table and "triptych report runs/own-q/*" in table
    assert "[2/2] cmdar: baseline/reference: 3/3" in shown.err and "all: 6/6" in shown.err


PLAN = """
[run]
limit = 3
concurrency = 2

[[runs]]
benchmark = ["q.csv", "cmdar/main"]
model = "baseline/first"
conditions = [[], ["blind", "shuffle"]]

[[runs]]
benchmark = "q.csv"
model = "baseline/constant"
settings = {letter = "B"}
name = "always B"
limit = 5
"""


def test_a_plan_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "triptych.toml").write_text(PLAN)
    assert code("run", "--json") == 0
    runs = json.loads(capsys.readouterr().out)["runs"]
    assert [(run["label"], run["statuses"]["answered"]) for run in runs] == [
        ("own-q: baseline/first", 3),
        ("own-q: baseline/first (blind+shuffle)", 3),
        ("cmdar: baseline/first", 3),
        ("cmdar: baseline/first (blind+shuffle)", 3),
        ("own-q: always B", 5),
    ]
    scores = [score["value"] for score in runs[-1]["scores"] if score["metric"] == "acc" and not score["slice"]]
    assert scores and set(scores) == {100.0}, "every answer is B"
    (here / "triptych.toml").rename(here / "other.toml")
    assert code("run", "--plan", "other.toml", "--dry-run", "--json", "--limit", "2") == 0
    estimates = json.loads(capsys.readouterr().out)["runs"]
    assert [run["requests"] for run in estimates] == [2, 2, 2, 2, 5], "the option is for Runs that don't set it"
    assert code("run", "cmdar", "--plan", "other.toml", "--model", "baseline/first") == 2
    assert "leave one of them out" in capsys.readouterr().err
    assert code("run") == 2
    assert "no benchmark is given" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ("[[runs]]\nbenchmrk = 'cmdar'", "did you mean 'benchmark'"),
        ("[[runs]]\nbenchmark = 'cmdar'\nconditions = ['blind']\nmodel='baseline/first'", "the plan is malformed"),
        ("[[runs]]\nbenchmark = 'cmdar'", "names no model"),
        ("[[runs]]\nmodel = 'baseline/first'", "names no benchmark"),
        ("[run]\nlimit = 2", "has no [[runs]]"),
        ("[runs]\nx = 2", "has no [[runs]]"),
        ("[[runs]\n", "not valid TOML"),
        ("[run]\nlimt = 2\n[[runs]]\nbenchmark = 'cmdar'\nmodel='baseline/first'", "did you mean 'limit'"),
        ("[rn]\nlimit = 2\n[[runs]]\nbenchmark = 'cmdar'\nmodel='baseline/first'", "unknown table [rn]"),
    ],
)
def test_faults_of_a_plan_are_named(plan: str, words: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "triptych.toml").write_text(plan)
    assert code("run") == 2
    assert words in capsys.readouterr().err
    assert not (here / "runs").exists()


def test_options_about_one_run_are_refused_for_several(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two = ["run", "q.csv", "--model", "baseline/first", "--model", "baseline/random"]
    for more in (["--name", "x"], ["--shard", "1/2"], ["--preset", "noise"]):
        assert code(*two, *more) == 2
        assert f"{more[0]} can't be combined with several Runs" in capsys.readouterr().err
    assert code("run", "q.csv", "--model", "baseline/first", "--model", "baseline/first") == 2
    assert "the same model twice" in capsys.readouterr().err
    assert code("run", "q.csv", "cmdar", "q.csv", "--model", "baseline/first") == 2
    assert "q.csv is given twice" in capsys.readouterr().err


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_brackets_in_a_name_are_shown_as_they_are(
    more: list[str], here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    named = "[[runs]]\nbenchmark = 'q.csv'\nmodel = 'baseline/first'\nname = '[bold]全[/bold] [/] [B]'\nlimit = 2\n"
    (here / "triptych.toml").write_text(named, encoding="utf-8")
    assert code("run", *more) == 0
    assert "own-q: [bold]全[/bold] [/] [B] " in capsys.readouterr().out
