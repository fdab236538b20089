"""Tests of `models/worker/runners/salmonn.py`: SALMONN, as `cli_inference.py` of its repository asks it."""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from tests.models.worker.clones import GREEDY, SAMPLED, Clone, _skips, asked, sound, text


def test_salmonn(clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("yaml")
    for name in ("transformers", "huggingface_hub"):
        monkeypatch.setitem(sys.modules, name, MagicMock())
    parts = {"vicuna": "v", "whisper": "w", "beats": "b.pt"}
    with pytest.raises(FileNotFoundError, match=r"one file \*.pth"):
        clone("salmonn", str(tmp_path), **parts)
    (tmp_path / "salmonn_7b_v0.pth").touch()
    own, loaded, calls = clone("salmonn", str(tmp_path), **parts)
    told = calls["config"]
    assert (told["llama_path"], told["whisper_path"], told["beats_path"], told["prompt_path"]) == ("v", "w", "b.pt", "")
    assert told["ckpt"] == str(tmp_path / "salmonn_7b_v0.pth") and told["lora"] is True
    assert own.answer(loaded, asked(sound(), text("Who {is} <SpeechHere>?")), GREEDY) == "A"
    samples, config, prompts = calls["generate"]
    assert prompts == ["USER: <Speech><SpeechHere></Speech> Who {is} < SpeechHere>?\nASSISTANT:"]
    assert samples == {"raw_wav": "a.wav"}
    assert config == {"num_beams": 4, "do_sample": False, "max_new_tokens": 7}
    own.answer(loaded, asked(sound(), text()), SAMPLED)
    assert calls["generate"][1] == {
        "num_beams": 1,
        "do_sample": True,
        "max_new_tokens": 7,
        "temperature": 0.5,
        "top_p": 0.9,
    }
    assert _skips(own.answer(loaded, asked(sound(), sound(), text()), GREEDY), "not 2 recordings")
