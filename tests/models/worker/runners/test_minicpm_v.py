"""Tests of `models/worker/runners/minicpm_v.py`: miniCPM-V (the first), as its model card asks it."""

from __future__ import annotations

from typing import Any

from tests.models.worker.runners.loading import GREEDY, runner


def test_minicpm_v(libraries: dict[str, Any], asked_picture: list[dict[str, Any]]) -> None:
    own = runner("minicpm_v")
    loaded = own.load("weights", {"trust_remote_code": True, "device": "cpu"})
    loaded[0].chat.return_value = ("A", None, None)
    assert own.answer(loaded, asked_picture, GREEDY) == "A"
    told = loaded[0].chat.call_args.kwargs
    assert (
        told["sampling"] is False and told["image"].size == (4, 4) and [m["role"] for m in told["msgs"]] == ["user"] * 2
    )
    assert "not 0" in own.answer(loaded, [asked_picture[0]], GREEDY)["skipped"]
