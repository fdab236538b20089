"""Tests of `models/worker/runners/step_audio_2.py`: step-Audio 2, as its repository asks it."""

from __future__ import annotations

import sys
from typing import Any
from unittest.mock import MagicMock

import pytest

from tests.models.worker.runners.loading import GREEDY, SOUND, runner


def test_step_audio_2(libraries: dict[str, Any], code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own, package = runner("step_audio_2"), MagicMock()
    monkeypatch.setitem(sys.modules, "stepaudio2", package)
    model = own.load("weights", {"code": code})
    package.StepAudio2.assert_called_once_with("weights")
    model.return_value = ([1, 2], "A", [])
    asked = [{"role": "system", "content": [{"type": "text", "text": "Be brief."}]}, *SOUND]
    asked[1] = {"role": "user", "content": [*SOUND[0]["content"], {"type": "text", "text": "<|EOT|>"}]}
    assert own.answer(model, asked, GREEDY) == {"text": "A", "finish": "stop", "output_tokens": 3}
    system, human, reply = model.call_args.args[0]
    assert system == {"role": "system", "content": "Be brief."} and human["role"] == "human"
    assert human["content"][0] == {"type": "audio", "audio": "a.wav"}
    assert human["content"][-1]["text"] == "< |EOT|>", "a mark in the question is plain text"
    assert reply == {"role": "assistant", "content": None}
    model.return_value = ([1] * 6, "A", [])
    assert own.answer(model, SOUND, GREEDY)["finish"] == "length"
