"""Tests of `construction/asking/unready.py`: models without their API key."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.construction import toy
from tests.construction.toy import ASKED, TEXTS, config
from triptych.construction.asking.stage import Model
from triptych.construction.asking.unready import unready
from triptych.construction.build import build, withdraw
from triptych.errors import SpecError
from triptych.models.adapter import Adapter
from triptych.models.registry import load_adapter
from triptych.records import Request

pytestmark = pytest.mark.usefixtures("counting")


NO_MODEL: list[dict[str, Any]] = [{}, {"maker": {"model": "openai/without-a-key"}}]


@pytest.mark.parametrize("models", NO_MODEL)
def test_a_stage_with_nothing_to_ask_needs_no_model(
    tmp_path: Path, models: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    built = build(toy.RECIPE, {"texts": {"a": "x. y"}, "models": models}, tmp_path)
    assert built.complete and built.counts[-1].came == 0
    with pytest.raises(SpecError, match=r"API key|no model is named"):
        build(toy.RECIPE, config(models=models), tmp_path)


KEYED = ["openai/asked-before", "gemini/asked-before", "anthropic/asked-before"]


@pytest.mark.parametrize("model", KEYED)
def test_what_is_in_the_journals_needs_no_key(
    tmp_path: Path, model: str, counting: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip({"gemini": "google.genai", "anthropic": "anthropic"}.get(model.partition("/")[0], "json"))
    names = [f"{name}_{what}" for name in ("OPENAI", "GEMINI", "ANTHROPIC") for what in ("API_KEY", "BASE_URL")]
    for name in (*names, "GOOGLE_GEMINI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    given = config(models={"maker": {"model": model, "settings": {"revision": "3"}, "decoding": {"seed": 1}}})
    known: list[Adapter] = []

    def with_key(name: str, settings: Mapping[str, Any]) -> Adapter:
        known.append(load_adapter(name, settings))
        asked = toy.Counting(known[-1].settings)
        asked.name, asked.revision = known[-1].name, known[-1].revision
        return asked

    with monkeypatch.context() as keyed:
        keyed.setenv(f"{model.partition('/')[0].upper()}_API_KEY", "none-that-opens-anything")
        keyed.setattr("triptych.construction.build.load_adapter", with_key)
        build(toy.RECIPE, given, tmp_path)
    assert known and len(counting) == ASKED + 2
    built = build(toy.RECIPE, given, tmp_path)
    assert built.complete and built.written == 4
    withdraw(toy.RECIPE, given, tmp_path, ["text:b"])
    assert len(counting) == ASKED + 2
    with pytest.raises(SpecError, match="API key"):
        build(toy.RECIPE, given | {"texts": TEXTS | {"d": "Ten new words"}}, tmp_path)
    assert len(counting) == ASKED + 2


def test_a_model_without_its_key_has_the_identity_that_it_has_with_one(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = {"stream": True, "revision": "3"}
    monkeypatch.setenv("OPENAI_API_KEY", "none-that-opens-anything")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    ready = load_adapter("openai/asked-before", settings)
    monkeypatch.delenv("OPENAI_API_KEY")
    error = SpecError("no API key", fix="set OPENAI_API_KEY")
    stand_in = unready("openai/asked-before", settings, error)
    assert stand_in is not None
    assert Model("maker", stand_in).identity == Model("maker", ready).identity
    assert Model("maker", stand_in).journal == Model("maker", ready).journal
    assert stand_in.accepts == ready.accepts and stand_in.deterministic == ready.deterministic
    with pytest.raises(SpecError, match="no API key"):
        asyncio.run(stand_in.open())
    with pytest.raises(SpecError, match="no API key"):
        asyncio.run(stand_in.respond(Request("a", ()), None))


@pytest.mark.parametrize(
    ("model", "settings"),
    [
        ("openai/x", {"base_url": "http://localhost:9/v1"}),
        ("openai/x", {"temprature": 0}),
        ("no-such-adapter/x", {}),
    ],
)
def test_a_model_that_lacks_something_else_has_no_stand_in(model: str, settings: dict[str, Any]) -> None:
    assert unready(model, settings, SpecError("no API key")) is None
