"""Tests of `models/worker/runners/ming_lite_omni.py`: ming-Lite-Omni, as its repository asks it."""

from __future__ import annotations

import sys
from typing import Any
from unittest.mock import MagicMock

import pytest

from tests.models.worker.runners.loading import GREEDY, runner


def test_ming_lite_omni(
    libraries: dict[str, Any], code: str, asked_film: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    own, package = runner("ming_lite_omni"), MagicMock()
    monkeypatch.setitem(sys.modules, "modeling_bailingmm", package)
    model, processor = own.load("weights", {"code": code, "trust_remote_code": True, "device": "cpu"})
    processor.process_vision_info.return_value = (None, ["frames"], ["sound"])

    class Inputs(dict[str, Any]):
        def to(self, device: Any) -> Inputs:
            return self

    processor.return_value = Inputs(input_ids=[[1, 2]], pixel_values_videos=MagicMock())
    model.generate.return_value = [[1, 2, 5, 6]]
    processor.batch_decode.return_value = ["A"]
    asked_film[0]["content"].append({"type": "audio", "path": "a.wav"})
    assert own.answer((model, processor), asked_film, GREEDY) == {"text": "A", "finish": "stop", "output_tokens": 2}
    (turn,) = processor.process_vision_info.call_args.args[0]
    assert turn["role"] == "HUMAN" and len(turn["content"][0]["video"]) == 3
    assert turn["content"][2] == {"type": "audio", "audio": "a.wav"}
    assert model.generate.call_args.kwargs["use_whisper_encoder"]
    assert processor.batch_decode.call_args.args[0] == [[5, 6]]
