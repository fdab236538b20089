"""Tests of `models/local`: local."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from triptych.errors import SpecError, WeightsError
from triptych.models.local import ensure_weights, make
from triptych.models.local.cascade import LARGE, LIGHT, STANDARD


def test_settings_choose_the_language_model() -> None:
    assert make("cascade", {}).settings["llm"] == STANDARD
    assert make("cascade", {"light": "true"}).settings["llm"] == LIGHT
    assert make("cascade", {"large": "true"}).settings["llm"] == LARGE
    assert make("cascade", {}).revision != make("cascade", {"large": "true"}).revision
    same = make("cascade", {"threads": "2", "fetch": "true"})  # neither changes an answer
    assert (same.settings, same.revision) == (make("cascade", {}).settings, make("cascade", {}).revision)


@pytest.mark.parametrize(
    ("name", "settings", "said"),
    [
        ("cascade", {"lihgt": "true"}, "did you mean 'light'"),
        ("cascade", {"light": "true", "large": "true"}, "combined"),
        ("cascade", {"choice": "luck"}, "can't choose by 'luck'"),
        ("cascade", {"llm": "gpt"}, "unknown set of weights 'gpt'"),
        ("casacde", {}, "did you mean 'cascade'"),
        ("ocr", {"asr": "x"}, "no setting 'asr'"),
    ],
)
def test_wrong_use_is_refused(name: str, settings: dict[str, str], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        make(name, settings)


def test_missing_weights_are_named_and_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRIPTYCH_CACHE", str(tmp_path))
    monkeypatch.delenv("TRIPTYCH_WEIGHTS_DIR", raising=False)
    with pytest.raises(WeightsError, match=r"qwen2\.5-coder-0\.5b.*491 MB"):
        ensure_weights({}, fetch=False)

    async def opened_in_vain() -> None:
        cascade = make("cascade", {})
        try:
            with pytest.raises(WeightsError):
                await cascade.open()
        finally:
            await cascade.close()

    asyncio.run(opened_in_vain())
