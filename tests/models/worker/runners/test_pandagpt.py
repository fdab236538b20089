"""Tests of `models/worker/runners/pandagpt.py`: pandaGPT, as its repository asks it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest

from tests.models.worker.clones import GREEDY, SAMPLED, Clone, _skips, asked, sound, text


def test_pandagpt(clone: Clone, film: dict[str, Any], picture: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("av")
    for name in ("torch", "huggingface_hub"):
        monkeypatch.setitem(sys.modules, name, MagicMock())
    own, loaded, calls = clone("pandagpt", ".", vicuna="v", imagebind="i")
    assert calls["args"]["vicuna_ckpt_path"] == "v" and calls["args"]["imagebind_ckpt_path"] == "i"
    turns = asked(film, picture, sound(), text("A ### or B?"), system="Be brief.")
    turns += [{"role": "assistant", "content": [text("B")]}, *asked(text("Sure?"))]
    assert own.answer(loaded, turns, GREEDY) == {"text": "A", "encoded": {"a.wav": 6, film["paths"][0]: 7}}
    given = calls["inputs"]
    assert given["prompt"] == "Be brief.\nA # # # or B?\n### Assistant: B\n### Human: Sure?"
    assert given["image_paths"] == [picture["path"]] and given["audio_paths"] == ["a.wav"]
    assert (given["top_p"], given["temperature"], given["max_tgt_len"]) == (0.01, 1.0, 7)
    assert calls["sizes"][0] > 100 and not Path(given["video_paths"][0]).exists(), "the video is removed afterwards"
    own.answer(loaded, asked(sound(), text()), SAMPLED)
    assert (calls["inputs"]["top_p"], calls["inputs"]["temperature"]) == (0.9, 0.5)
    assert _skips(own.answer(loaded, asked(text()), GREEDY), "no question without")
