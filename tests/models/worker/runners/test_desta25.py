"""Tests of `models/worker/runners/desta25.py`: deSTA2.5-Audio, as its model card asks it."""

from __future__ import annotations

from typing import Any

from tests.models.worker.runners.loading import GREEDY, SOUND, runner


def test_desta25(libraries: dict[str, Any], code: str) -> None:
    own = runner("desta25")
    model = own.load("weights", {"code": code})
    model.generate.return_value.text = "A"
    assert own.answer(model, SOUND, GREEDY) == "A"
    (turn,) = model.generate.call_args.kwargs["messages"]
    assert turn["content"].count("<|AUDIO|>") == 1 == len(turn["audios"]), "a mark in the question is plain text"
