"""Tests of `experiment/arms.py`: A paper's experiment carried out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.experiment.test_series import PRICES, _spent
from tests.support.mock_process import MockProcess
from triptych.api.presets import run_preset
from triptych.errors import BudgetExceeded
from triptych.experiment.arms import NamedModel
from triptych.running.loop import RunOptions


def test_a_presets_budget_is_over_its_arms(here: Path) -> None:
    (here / "prices.toml").write_text(PRICES)
    with MockProcess() as server:
        asked = NamedModel("openai/a", {}, server.base_url)
        free = RunOptions(concurrency=1, prices=here / "prices.toml")
        run_preset("cmdar", "noise", asked, out=here / "alone", limit=8, options=free)
        whole = sum(arms := _spent(sorted((here / "alone").iterdir())))
        options = replace(free, budget_usd=0.75 * whole)
        done = run_preset("cmdar", "noise", asked, out=here / "p", limit=8, options=options)
        assert max(arms) < 0.75 * whole, "no single arm would have exceeded it"
        assert 0.75 * whole <= sum(_spent((here / "p").iterdir())) < whole and done.arms[-1][1].outcome.stopped
        with pytest.raises(BudgetExceeded, match="budget is spent"):
            run_preset("cmdar", "noise", asked, out=here / "p", limit=8, options=replace(free, budget_usd=0.5 * whole))
