"""Tests of `models/named.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.models.named import resolve_name, weights_folder
from triptych.models.registry import load_adapter


@pytest.fixture(autouse=True)
def no_weights_and_no_endpoint(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def test_weights_on_this_computer_are_used_in_this_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.models.named.find_spec", lambda name: name)
    snapshot = tmp_path / "hub" / "models--Qwen--Qwen2.5-Omni-7B" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text("{}", encoding="utf-8")
    assert weights_folder("Qwen/Qwen2.5-Omni-7B") == snapshot
    assert resolve_name("qwen2.5-omni-7b", {})[0] == "hf/Qwen/Qwen2.5-Omni-7B"
    assert resolve_name("Qwen/Qwen2.5-Omni-7B", {})[0] == "hf/Qwen/Qwen2.5-Omni-7B"


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def test_granite_is_asked_by_its_speech_adapter_and_the_setting_is_part_of_the_run() -> None:
    name, settings = resolve_name("granite-speech-3.3-8b", {"base_url": "http://127.0.0.1:9/v1"})
    assert settings["loras"] == "audio:speech" and name == "openai/ibm-granite/granite-speech-3.3-8b"
    one = load_adapter("granite-speech-3.3-8b", {"base_url": "http://127.0.0.1:9/v1"})
    other = load_adapter("granite-speech-3.3-8b", {"base_url": "http://127.0.0.1:9/v1", "loras": "none"})
    assert dict(one.settings) == {"loras": "audio:speech"} and dict(other.settings) == {"loras": "none"}
