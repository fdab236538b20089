"""Tests of `models/worker/runners/desta2.py`: deSTA2, as its model card asks it."""

from __future__ import annotations

from typing import Any

from tests.models.worker.runners.loading import SAMPLED, SOUND, runner


def test_desta2(libraries: dict[str, Any]) -> None:
    own = runner("desta2")
    model = own.load("weights", {"trust_remote_code": True})
    model.tokenizer.batch_decode.return_value = ["A"]
    assert own.answer(model, SOUND, SAMPLED) == "A"
    turns, told = model.chat.call_args.args[0], model.chat.call_args.kwargs
    assert [turn["role"] for turn in turns] == ["audio", "user"] and turns[0]["content"] == "a.wav"
    assert told == {"max_new_tokens": 7, "do_sample": True, "temperature": 0.5, "top_p": 0.9}
