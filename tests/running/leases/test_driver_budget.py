"""A budget under the driver of leases: what it lets through, and what the Run says when it is spent."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from tests.support.runs import MANIFEST, Told, requests
from tests.support.teams import LocalTeam
from triptych.media.payload import MediaReader
from triptych.models.adapter import Adapter, Reply
from triptych.records import Request, Usage
from triptych.running.leases import driver
from triptych.running.leases.driver import execute_leased
from triptych.running.loop import RunOptions, RunOutcome, execute
from triptych.store.folder import RunFolder

PRICES = 'as_of = "2026-01-01"\nsource = "here"\n[[price]]\nmodel = "told/*"\ninput = 1000.0\noutput = 1000.0\n'


@pytest.fixture(autouse=True)
def _looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "POLL_S", 0.002)


def costing(tokens: Any, latency: float = 0.0) -> Any:
    """A function that makes models whose answers cost `tokens(Request)`."""
    return lambda number: Told(lambda asked, times: Reply("A", usage=Usage(tokens(asked), 0)), latency)


def carry(path: Path, team: LocalTeam, count: int = 1000, **options: Any) -> tuple[RunFolder, RunOutcome]:
    folder = RunFolder.create(path, MANIFEST)
    wanted = RunOptions(**{"retries": 0, "planned": count, **options})
    return folder, asyncio.run(execute_leased(requests(count), Told(), folder, team, wanted))


def spent(folder: RunFolder) -> int:
    return sum(response.usage.input_tokens or 0 for response in folder.history() if response.usage)


@pytest.mark.parametrize("budget", [10, 995, 1000, 3000])
def test_answers_of_one_price_spend_a_token_budget_as_the_local_engine_does(tmp_path: Path, budget: int) -> None:
    """Neither engine exceeds it by more than a Request, or what was in progress before the first answer."""
    make = costing(lambda asked: 10)
    folder, outcome = carry(tmp_path / "leased", LocalTeam(2, make, concurrency=4), budget_tokens=budget)
    local = RunFolder.create(tmp_path / "local", MANIFEST)
    model: Adapter = make(0)
    options = RunOptions(concurrency=8, budget_tokens=budget)
    there = asyncio.run(execute(requests(1000), model, local, MediaReader(None), options))
    assert budget <= spent(folder) < max(budget + 10, 81)
    assert budget <= spent(local) < max(budget + 10, 81)
    for one in (outcome, there):
        assert one.stopped and one.stopped.startswith("the budget is spent (") and "resume with a larger" in one.stopped
        assert f"of {budget:,} tokens" in one.stopped and not one.fatal and not one.interrupted


@pytest.mark.parametrize("seed", range(3))
def test_answers_of_different_prices_exceed_a_budget_by_less_than_what_is_in_progress(
    tmp_path: Path, seed: int
) -> None:
    rng, dearest = random.Random(seed), 100
    prices = {f"{n:05}": rng.randint(1, dearest) for n in range(1000)}
    team = LocalTeam(3, costing(lambda asked: prices[asked.id]), concurrency=4)
    folder, outcome = carry(tmp_path, team, budget_tokens=5000)
    assert outcome.stopped and "the budget is spent" in outcome.stopped
    assert 5000 <= spent(folder) <= 5000 + 3 * 4 * dearest


def test_a_budget_in_usd_is_the_drivers_too(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text(PRICES, "utf-8")
    team = LocalTeam(2, costing(lambda asked: 10), prices=tmp_path / "prices.toml")
    folder, outcome = carry(tmp_path / "run", team, budget_usd=1.0, prices=tmp_path / "prices.toml")
    assert outcome.cost_usd == pytest.approx(1.0) and spent(folder) == 1000
    assert outcome.stopped and "of 1 USD" in outcome.stopped


def test_a_larger_budget_resumes_the_run_and_earlier_sessions_count(tmp_path: Path) -> None:
    make = costing(lambda asked: 10)
    folder, _ = carry(tmp_path, LocalTeam(2, make), 200, budget_tokens=500)
    team = LocalTeam(2, make)
    _, same = carry(tmp_path, team, 200, budget_tokens=500)
    assert spent(folder) == 500 and "500 of 500 tokens" in (same.stopped or "") and same.counts == {}
    _, larger = carry(tmp_path, LocalTeam(2, make), 200, budget_tokens=700)
    assert spent(folder) == 700 and larger.counts == {"answered": 20}
    _, whole = carry(tmp_path, LocalTeam(2, make), 200, budget_tokens=10_000)
    assert spent(folder) == 2000 and not whole.stopped


def test_a_lost_workers_lease_is_divided_to_fit_the_budget(tmp_path: Path) -> None:
    """A lease that comes back may be longer than what is left of the budget; answers become 30 times as expensive."""
    team: LocalTeam

    def make(number: int) -> Told:
        def answer(asked: Request, times: int) -> Reply:
            if number == 0 and len(told.asked) >= 30:
                team.members[0].kill()
                raise asyncio.CancelledError
            return Reply("A", usage=Usage(30 if number else 1, 0))

        told = Told(answer, latency=0.02)
        return told

    team = LocalTeam(1, make)
    folder, outcome = carry(tmp_path, team, budget_tokens=500)
    assert len(team.members) == 2 and "the budget is spent" in (outcome.stopped or "")
    assert 500 <= spent(folder) < 500 + 10 * 4 * 30


def test_a_model_that_counts_no_tokens_ends_the_run(tmp_path: Path) -> None:
    _, outcome = carry(tmp_path, LocalTeam(2, lambda n: Told(lambda asked, times: Reply("A"))), budget_tokens=500)
    assert outcome.fatal and "doesn't report tokens" in (outcome.stopped or "")
    assert sum(outcome.counts.values()) <= 8, "no lease is larger than what is in progress before the first answer"
