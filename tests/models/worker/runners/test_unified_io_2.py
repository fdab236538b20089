"""Tests of `models/worker/runners/unified_io_2.py`: unified-IO 2, as its repository asks it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.models.worker.clones import GREEDY, SAMPLED, Clone, _skips, asked, sound, text


def test_unified_io_2(clone: Clone, film: dict[str, Any], picture: dict[str, Any]) -> None:
    pytest.importorskip("torch")
    own, loaded, calls = clone("unified_io_2", tokenizer="tokenizer.model")
    assert calls["preprocessor"] == ["allenai/uio2-preprocessor", "tokenizer.model"] and calls["model"] == "weights"
    reply = own.answer(loaded, asked(film, sound(30.0), text("What is it?")), {**GREEDY, "max_tokens": 1024})
    words, modality, image, audio, video, own_sound = calls["example"]
    assert (words, modality, image, own_sound) == ("What is it?", "text", None, False)
    assert video.shape == (5, 16, 16, 3) and [one[0, 0, 0] for one in video] == [0, 30, 90, 120, 180]
    assert audio == ["segment"] * 5 and calls["length"] == 30
    assert reply == {"text": "A", "encoded": {film["paths"][0]: 5, "a.wav": pytest.approx(5 * 4.08)}}
    assert calls["predict"] == ["example", 512, {"do_sample": False}]
    own.answer(loaded, asked(picture, text()), SAMPLED)
    assert calls["example"][2] == picture["path"] and calls["predict"][2]["top_p"] == 0.9
    assert _skips(own.answer(loaded, asked(picture, film, text()), GREEDY), "not 2 media")
    assert _skips(own.answer(loaded, asked(text("a " * 600)), GREEDY), "at most 500 tokens, not 600")
