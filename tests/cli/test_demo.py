"""Tests of `triptych demo`: its Runs, its weights, and how it ends."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.models.local.test_llm import ASK, pool
from triptych.cli import demo
from triptych.models.local.llm import Llm


def test_the_demo_loads_a_model_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each Run that asks the cascade opens and closes a model of its own."""
    _, made = pool(1, 1, monkeypatch)

    def run(benchmark: str, model: str, *rest: Any) -> Any:
        if model == "local/cascade":
            llm = Llm(Path("w"))
            llm.chat(ASK, 8)
            llm.close()
        outcome = SimpleNamespace(interrupted=False, stopped="", counts={})
        return SimpleNamespace(outcome=outcome, folder=None, scores={})

    for name in ("_fetch_weights", "_show", "_report"):
        monkeypatch.setattr(demo, name, lambda *rest: None)
    monkeypatch.setattr(demo, "_run", run)
    assert demo.command(to=tmp_path, fetch=False) == 0
    assert len(made) == 1 and len(made[0].bodies) == 2 * len(demo.SAMPLE)
