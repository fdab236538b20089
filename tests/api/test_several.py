"""Tests of `api/several.py`: one budget over all Runs and sessions, and Runs that fail while the others go on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.experiment.test_several import QUESTIONS
from tests.support.mock_process import MockProcess
from triptych.api import WantedRun, crossed, plan_of_file, run_many
from triptych.errors import SpecError
from triptych.running.loop import RunOptions
from triptych.store.folder import RunFolder

PRICES = """as_of = "2026-11-01"
source = "https://example.org"
[[price]]
model = "openai/*"
input = 1000000
output = 0
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (tmp_path / "q.csv").write_text(QUESTIONS)
    return tmp_path


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


def test_a_plan_from_python(here: Path) -> None:
    (here / "r.csv").write_text("key,question,answer\na,How many?,2\nb,And now?,3\nc,And then?,4\n")
    (here / "p.toml").write_text("[[runs]]\nbenchmark = 'r.csv'\nmap = {id = 'key'}\nmodel = ['baseline/reference']\n")
    (run,) = plan_of_file(here / "p.toml", limit=2)
    assert run.what["limit"] == 2 and run.model == "baseline/reference"
    (ended,) = run_many([run]).runs
    assert ended.result is not None and {r.item for r in ended.result.folder.responses()} == {"own-r/a", "own-r/b"}
