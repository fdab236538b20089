"""Budgets of stages, models that are not there, and what the command line says of a build that waits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.construction import toy
from tests.construction.toy import ASKED, config
from triptych.construction.build import build
from triptych.errors import SpecError
from triptych.models import registry
from triptych.models.adapter import Reply
from triptych.records import Usage
from triptych.running.loop import RunOptions


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setitem(registry.ADAPTERS, "toy", ("tests.construction.toy", ""))
    toy.Counting.asked = []
    return toy.Counting.asked


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replies of 10 tokens each."""
    respond = toy.Counting.respond

    async def with_usage(self: toy.Counting, request: Any, prepared: Any) -> Reply:
        reply = await respond(self, request, prepared)
        return Reply(reply.text, usage=Usage(6, 4))

    monkeypatch.setattr(toy.Counting, "respond", with_usage)


@pytest.mark.usefixtures("counted")
def test_a_stage_stops_at_its_budget_and_goes_on_with_a_larger_one(tmp_path: Path, counting: list[Any]) -> None:
    options = RunOptions(concurrency=1)
    built = build(toy.RECIPE, config(budgets={"question": {"tokens": 30}}), tmp_path, options=options)
    assert built.stopped and built.stopped.startswith("question: the budget is spent") and not built.complete
    assert len(counting) == 3 and not (tmp_path / "out").exists()
    built = build(toy.RECIPE, config(budgets={"question": {"tokens": 1000}}), tmp_path, options=options)
    assert built.complete and len(counting) == ASKED + 2  # two second attempts, and no reply asked twice


@pytest.mark.usefixtures("counted")
def test_a_budget_in_usd_uses_the_price_of_the_configuration(tmp_path: Path, counting: list[Any]) -> None:
    changed = config(budgets={"question": {"usd": 0.03}})
    options = RunOptions(concurrency=1)
    with pytest.raises(SpecError, match="price"):
        build(toy.RECIPE, changed, tmp_path, options=options)
    changed["models"]["maker"]["price"] = {"input": 1_000, "output": 1_000}
    built = build(toy.RECIPE, changed, tmp_path, options=options)
    assert built.stopped and built.stopped.startswith("question: the budget is spent") and len(counting) == 3
    changed["models"]["maker"]["price"] = {"input": 0, "output": 0}  # a price is no part of what is asked
    assert build(toy.RECIPE, {**changed, "budgets": {}}, tmp_path, options=options).complete
    assert len(counting) == ASKED + 2


@pytest.mark.parametrize("given", [{"sentences": {"tokens": 1}}, {"nothing": {"usd": 1.0}}, {"question": {"eur": 1}}])
def test_budgets_of_no_such_stage_are_refused(tmp_path: Path, given: dict[str, Any]) -> None:
    with pytest.raises(SpecError):
        build(toy.RECIPE, config(budgets=given), tmp_path)
