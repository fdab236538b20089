"""Several Runs after one another: one budget over all, and Runs that fail while the others go on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from tests.support.mock_process import MockProcess
from triptych import api
from triptych.api import WantedRun, crossed, run_many
from triptych.errors import TriptychError
from triptych.experiment.plan import Plan
from triptych.experiment.series import Ended, Step, execute_series, spent_in
from triptych.running.loop import RunOptions
from triptych.store.folder import RunFolder

PRICES = """as_of = "2026-11-01"
source = "https://example.org"
[[price]]
model = "openai/*"
input = 1000000
output = 0
"""


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


def test_an_exit_code_says_how_a_run_ended(here: Path) -> None:
    step = Step("q", here / "run", 10, api.plan("q.csv", "baseline/first"))
    (done,) = execute_series([step], options=RunOptions())
    assert done.code == 0 and done.result is not None
    changed = (
        {"counts": {"answered": 9, "failed": 1}},
        {"stopped": "the budget is spent"},
        {"stopped": "wrong key", "fatal": True},
        {"interrupted": True, "stopped": "interrupted"},
    )
    outcomes = [replace(done.result.outcome, **changes) for changes in changed]  # type: ignore[arg-type]
    assert [Ended(step, replace(done.result, outcome=outcome)).code for outcome in outcomes] == [1, 1, 2, 130]
    assert (Ended(step, error=TriptychError("x")).code, Ended(step, skipped="the budget is spent").code) == (2, 1)


def test_a_plan_that_needs_earlier_replies_is_made_when_its_turn_comes(here: Path) -> None:
    made: list[bool] = []

    def later() -> Plan:
        made.append((here / "one" / "responses.jsonl").exists())
        return api.plan("q.csv", "baseline/reference")

    steps = [Step("one", here / "one", 10, api.plan("q.csv", "baseline/first")), Step("two", here / "two", 10, later)]
    codes = [ended.code for ended in execute_series(steps, options=RunOptions())]
    assert codes == [0, 0] and made == [True]
    assert spent_in(here / "nowhere").spent_tokens == 0


def test_what_a_run_has_spent_itself_is_not_taken_from_its_budget_twice(here: Path) -> None:
    with MockProcess() as server:
        ready = api.plan("q.csv", "openai/a", base_url=server.base_url)
        (whole,) = execute_series([Step("all", here / "all", 10, ready)], options=RunOptions(concurrency=1))
        tokens = spent_in(here / "all").spent_tokens
        assert whole.code == 0 and tokens > 10
        step = Step("half", here / "half", 10, ready)
        (half,) = execute_series([step], options=RunOptions(concurrency=1, budget_tokens=tokens // 2))
        assert half.code == 1 and tokens / 4 < spent_in(here / "half").spent_tokens < tokens
        (rest,) = execute_series([step], options=RunOptions(concurrency=1, budget_tokens=tokens + 1))
    assert rest.code == 0 and spent_in(here / "half").spent_tokens == tokens
