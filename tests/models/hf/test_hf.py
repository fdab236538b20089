"""Tests of `models/hf`: hf."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: make models")
pytest.importorskip("transformers", minversion="5.0", reason="transformers 5 is not installed: make models")

from tests.models.hf.test_adapter_native import asked, request, saved
from triptych.models.hf import make
from triptych.records import text

pytestmark = pytest.mark.slow


def test_limits_of_tokens_hold_and_are_reported(place: Path, tmp_path: Path) -> None:
    adapter = make(str(saved("text", place)), {})
    requests = [request("a", text("Write."), max_tokens=3), request("b", text("Write."), max_tokens=5)]
    short, long = asked(adapter, requests, tmp_path)
    for response, most in ((short, 3), (long, 5)):
        assert response.usage is not None and (response.usage.output_tokens or 0) <= most
        assert (response.status == "truncated") == (response.finish_reason == "length")


def test_a_prompt_longer_than_the_context_is_skipped(place: Path, tmp_path: Path) -> None:
    (response,) = asked(make(str(saved("text", place)), {}), [request("long", text("a" * 40_000))], tmp_path)
    assert response.status == "skipped" and response.error is not None and "context" in response.error.message


def test_weights_and_settings_identify_the_model(place: Path, tmp_path: Path) -> None:
    one, other = make(str(saved("text", place)), {}), make(str(saved("qwen2_audio", place)), {"batch": 2})
    assert one.revision != other.revision and "sha256:" in one.revision
    assert make(str(saved("text", place)), {"batch": 2}).settings == one.settings
    assert set(one.settings) == {"packing"}


def test_missing_weights_are_named_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from triptych.errors import WeightsError

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    adapter = make("nobody/nothing", {})
    with pytest.raises(WeightsError, match="hf download nobody/nothing"):
        asyncio.run(adapter.open())
