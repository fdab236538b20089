"""Tests of `models/registry.py`: from `ADAPTER/NAME` to an adapter object."""

from __future__ import annotations

import pytest

from triptych.errors import SpecError
from triptych.models.registry import load_adapter


def test_wrong_settings_and_missing_keys_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(SpecError, match="language"):
        load_adapter("asr/x", {"langage": "zh", "base_url": "http://h/v1"})
    with pytest.raises(SpecError, match="API key"):
        load_adapter("asr/whisper-1")


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("setting", ["speech", "audio:", "sound:speech", "audio:a,audio:b", "text:a"])
def test_a_wrong_setting_is_refused(setting: str) -> None:
    with pytest.raises(SpecError, match="loras"):
        load_adapter("openai/a", {"base_url": "http://127.0.0.1:9/v1", "loras": setting})
