"""Tests of `reports/several.py`: several Runs in the terminal, a row for each."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

import triptych
from triptych.errors import DataError
from triptych.experiment.execution import RunResult
from triptych.experiment.series import Ended, Step
from triptych.records import Aggregate
from triptych.reports.several import FIGURES, main_figures, show_several
from triptych.running.loop import RunOutcome


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")  # in a narrow one, figures are broken into two lines


def unused() -> None:
    raise AssertionError("a step that has ended is not planned again")


def step(label: str, out: Path, planned: int = 6) -> Step:
    return Step(label, out, planned, unused)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    out = tmp_path_factory.mktemp("runs") / "cmdar" / "baseline-reference"
    return triptych.run("cmdar/main", "baseline/reference", limit=6, out=out)


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def test_a_run_has_its_figure_replies_and_price(run: RunResult, capsys: pytest.CaptureFixture[str]) -> None:
    show_several([Ended(step("cmdar baseline/reference", run.folder.path), run)])
    told = lines(capsys)
    (row,) = (line for line in told if "baseline/reference" in line and "triptych report" not in line)
    assert "main accuracy 100.0 (61.0–100.0)" in row and row.split()[-4:] == ["6", "6/6", "0", "0"]  # Wilson, of 6
    assert told[-1] == f"more: triptych report {run.folder.path.parent}/*"


def test_an_error_and_a_run_that_was_not_begun_have_no_figures(
    run: RunResult, capsys: pytest.CaptureFixture[str]
) -> None:
    place = run.folder.path.parent
    failed = Ended(step("m [a]", place / "b"), error=DataError("no data"))
    show_several([failed, Ended(step("[red]m[/red]", place / "c"), skipped="the budget is spent")])
    told = lines(capsys)
    assert [line.split() for line in told if line.strip().startswith(("m [", "[red"))] == [
        ["m", "[a]", "error"],
        ["[red]m[/red]", "not", "asked"],
    ], "brackets of names are shown as they are"
    assert sum("triptych report" in line for line in told) == 1, "Runs of one folder are one command"


def test_replies_of_all_sessions_count_and_failures_do_not(run: RunResult, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = RunOutcome(counts={"answered": 3, "refused": 1, "failed": 2}, already=1200, stopped="the budget is spent")
    result = RunResult(run.folder, outcome, run.scores)
    show_several([Ended(step("m", run.folder.path, 1500), result)])
    (row,) = (line for line in lines(capsys) if "1,204/1,500" in line)
    assert "(stopped)" in row and row.split()[-2] == "2"


def aggregate(
    metric: str, value: float | None, interval: tuple[float, float] | None = None, n: int = 1234
) -> Aggregate:
    return Aggregate(
        protocol="official",
        task="cmdar/main",
        metric=metric,
        n=1234,
        value=value,
        value_all=value,
        value_answered=value,
        counts={"scored": 1234},
        signature="",
        slice={},
        interval=interval,
    )


def test_headline_figures_have_their_interval_and_n() -> None:
    figure, n = main_figures("cmdar", {"official": [aggregate("acc", 61.25, (58.1, 66.94))]})
    assert figure.endswith(" 61.2 (58.1–66.9)") and n == "1,234"


def test_a_run_without_figures_says_so() -> None:
    assert main_figures("cmdar", {}) == ("no figure", "") == main_figures("cmdar", {"official": []})
    figure, n = main_figures("cmdar", {"official": [aggregate("acc", None)]})
    assert (figure, n) == ("1 without a value", "")


def test_the_first_protocol_with_figures_counts() -> None:
    scores = {"official": [], "standard": [aggregate("acc", 10.0)], "strict": [aggregate("acc", 9.0)]}
    figure, _ = main_figures("cmdar", scores)
    assert " 10.0" in figure and "9.0" not in figure


def test_of_very_many_figures_the_first_are_shown_and_the_others_counted() -> None:
    spec = triptych.load_benchmark("mcs_bench").spec
    one = aggregate("", 50.0)
    figures = [structs.replace(one, task=spec.full_id(task), metric=m) for task in spec.tasks for m in task.metrics]
    shown, n = main_figures("mcs_bench", {"official": figures})
    assert len(spec.tasks) > FIGURES and n == "; ".join(["1,234"] * FIGURES)
    assert shown.count(" 50.0 no interval (n 1,234)") == FIGURES
    assert shown.endswith(f"; {len(spec.tasks) - FIGURES} more figures")
