"""Tests of `models/worker/runners/maya.py`: maya, as `talk2maya.py` of its repository asks it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.models.worker.clones import GREEDY, SAMPLED, Clone, _skips, asked, text


def test_maya(clone: Clone, picture: dict[str, Any]) -> None:
    pytest.importorskip("torch")
    own, loaded, calls = clone("maya")
    assert calls["load"] == ["CohereForAI/aya-23-8B", "weights", "finetuned"]
    reply = own.answer(loaded, asked(picture, text("Is <image> red?"), system="Be brief."), SAMPLED)
    assert calls["turns"] == [("user", "<image>\nBe brief.\nIs < image> red?"), ("bot", None)]
    assert calls["generate"]["images"].shape == (1, 3, 4, 4) and calls["generate"]["image_sizes"] == [(4, 4)]
    assert reply["output_tokens"] == 2 and calls["generate"]["temperature"] == 0.5
    own.answer(loaded, asked(text()), GREEDY)
    assert "images" not in calls["generate"] and calls["generate"]["do_sample"] is False
    assert _skips(own.answer(loaded, asked(picture, picture), GREEDY), "one picture, not 2")
