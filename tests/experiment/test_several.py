"""Several Runs at once: one plan, one budget over all, resumed as a whole, also if one of them ends early."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.mock_process import MockProcess
from triptych.api import WantedRun, crossed, plan_of_file, run_many
from triptych.cli.main import main
from triptych.errors import DataError, SpecError
from triptych.experiment.several import fitting, grouped, own_data
from triptych.running.loop import RunOptions
from triptych.running.several_progress import Board
from triptych.running.tally import Tally
from triptych.store.folder import RunFolder

QUESTIONS = "id,question,A,B,C,answer\n" + "".join(f"{n},Which is {n}?,x,y,z,B\n" for n in range(10))
PRICES = """as_of = "2026-11-01"
source = "https://example.org"
[[price]]
model = "openai/*"
input = 1000000
output = 0
"""


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


def _spent(folders: Iterable[Path]) -> list[float]:
    return [sum(r.cost_usd or 0 for r in RunFolder.open(path).history()) for path in folders]


def test_a_budget_is_over_all_runs_and_sessions(here: Path) -> None:
    (here / "prices.toml").write_text(PRICES)
    with MockProcess() as server:
        wanted = crossed(["q.csv"], ["openai/a", "openai/b"], base_url=server.base_url)
        free = RunOptions(concurrency=1, prices=here / "prices.toml")
        run_many(wanted[:1], options=free, out=here / "alone")
        (whole,) = _spent((here / "alone").glob("*/*"))
        server.reset()
        options = replace(free, budget_usd=1.25 * whole)
        first = run_many(wanted, options=options)
        prices = _spent(one.step.out for one in first.runs)
        assert first.runs[0].result and first.runs[0].result.outcome.counts == {"answered": 10}
        assert first.code == 1 and prices[0] == whole and 0.25 * whole <= prices[1] <= 0.4 * whole
        asked = server.stats()["received"]
        second = run_many(wanted, options=options)
        assert server.stats()["received"] == asked, "the budget counts earlier sessions"
        assert second.code == 1 and second.runs[0].code == 0 and "budget is spent" in second.runs[1].skipped
        third = run_many(wanted, options=replace(options, budget_usd=3 * whole))
        assert third.code == 0 and server.stats()["received"] == 20, "every question was asked once of each model"


def test_a_model_that_cannot_be_reached_does_not_stop_the_others(here: Path) -> None:
    gone = {"base_url": "http://127.0.0.1:9/v1"}
    wanted = [
        WantedRun("q.csv", "openai/gone", gone),
        WantedRun("cmdar/main", "openai/gone", gone),
        WantedRun("q.csv", "baseline/reference"),
    ]
    found = run_many(wanted, options=RunOptions(concurrency=2, retries=0))
    assert [one.code for one in found.runs] == [2, 1, 0] and found.code == 2
    assert "could not be asked before" in found.runs[1].skipped


def test_everything_is_checked_before_anything_is_asked(here: Path) -> None:
    for wanted, words in (
        ([WantedRun("q.csv", "baseline/first"), WantedRun("nosuch", "baseline/first")], "nosuch"),
        ([WantedRun("q.csv", "baseline/first"), WantedRun("q.csv", "baseline/first")], "wanted twice"),
        ([WantedRun("q.csv", "baseline/first"), WantedRun("q.csv", "baseline/fist")], "q.csv, baseline/fist"),
        ([], "no Run is wanted"),
    ):
        with pytest.raises(SpecError, match=words):
            run_many(wanted)
    assert not (here / "runs").exists()


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


def test_arguments_are_benchmarks_or_tasks(here: Path) -> None:
    assert grouped(["xmodbench", "linguistic", "cmdar/main", "xmodbench/perception", "q.csv"]) == [
        ("xmodbench", ("linguistic", "xmodbench/perception")),
        ("cmdar/main", ()),
        ("q.csv", ()),
    ]
    assert grouped(["cmdr", "main"]) == [("cmdr", ("main",))], "what is unknown is named when it is planned"


def test_the_data_of_several_benchmarks(here: Path) -> None:
    (here / "d" / "cmdar").mkdir(parents=True)
    assert own_data("cmdar/main", here / "d") == here / "d" / "cmdar"
    assert own_data("cmdar", None) is None
    with pytest.raises(DataError, match="no folder of xmodbench"):
        own_data("xmodbench", here / "d")


def test_an_endpoint_is_for_the_models_that_ask_one() -> None:
    assert fitting("openai/a", {"seed": "1"}, "http://h/v1") == {"settings": {"seed": "1"}, "base_url": "http://h/v1"}
    assert fitting("baseline/first", {}, "http://h/v1") == {"settings": {}, "base_url": None}


def test_the_board_counts_all_runs() -> None:
    board = Board(["a", "b", "c"], [10, 20, 5], [0, 0, 5], live=False)
    assert board.seconds_left is None
    row = board.of(0)
    tally = Tally(planned=10)
    row.start("m", tally)
    tally.counts["answered"], tally.counts["failed"], tally.usd = 3, 1, 0.5
    tally.began -= 8.0  # four Requests in 8 seconds
    assert board.seconds_left == pytest.approx(6 * 2 + 20 * 2, abs=0.5), "the third Run was finished before"
    assert board.line(0).startswith("[1/3] a: 4/10, 1 failed, $0.5000, 12 s to go")
    assert board.sum_line().startswith("all: 9/35, 1 failed, $0.5000, 52 s to go")
    row.finish()
    board.ended(0, "stopped")
    assert board.rows[0].left == 0 and board.seconds_left == pytest.approx(20 * 2, abs=0.5)


def test_a_live_board_shows_the_run_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.console import Console

    board = Board([f"run {n}" for n in range(30)], [7] * 30, [0] * 30, live=True)
    board.rows[20].state, board.rows[20].tally = "asking", Tally(planned=7)
    console = Console(width=100, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(board.grid(12))
    shown = console.export_text()
    assert "run 20" in shown and "run 1 " not in shown and "23 more Runs" in shown


def test_a_plan_from_python(here: Path) -> None:
    (here / "r.csv").write_text("key,question,answer\na,How many?,2\nb,And now?,3\nc,And then?,4\n")
    (here / "p.toml").write_text("[[runs]]\nbenchmark = 'r.csv'\nmap = {id = 'key'}\nmodel = ['baseline/reference']\n")
    (run,) = plan_of_file(here / "p.toml", limit=2)
    assert run.what["limit"] == 2 and run.model == "baseline/reference"
    (ended,) = run_many([run]).runs
    assert ended.result is not None and {r.item for r in ended.result.folder.responses()} == {"own-r/a", "own-r/b"}
