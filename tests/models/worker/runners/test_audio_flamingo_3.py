"""Tests of `models/worker/runners/audio_flamingo_3.py`: audio Flamingo 3 Chat, as its repository asks it."""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from tests.models.worker.clones import GREEDY, SAMPLED, Clone, _skips, asked, sound, text


def test_audio_flamingo_3_chat(clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setitem(sys.modules, "huggingface_hub", MagicMock())
    own, loaded, calls = clone("audio_flamingo_3", str(tmp_path))
    assert calls["load"] == [str(tmp_path), {"device_map": None}]
    assert own.answer(loaded, asked(sound(), text("<Sound-2> or"), sound(), text("this?")), SAMPLED) == "A"
    prompt, config = calls["content"]
    assert [one if isinstance(one, str) else one.path for one in prompt] == [
        "a.wav",
        "< Sound-2> or\n",
        "a.wav",
        "this?\n",
    ]
    assert (config.max_new_tokens, config.do_sample, config.temperature, config.top_p) == (7, True, 0.5, 0.9)
    assert _skips(own.answer(loaded, asked(text()), GREEDY), "one or more recordings")
