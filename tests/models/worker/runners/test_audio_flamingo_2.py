"""Tests of `models/worker/runners/audio_flamingo_2.py`."""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from tests.models.worker.clones import GREEDY, Clone, _skips, asked, sound, text


def test_audio_flamingo_2(clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("yaml")
    weights = MagicMock()
    weights.load_file.side_effect = lambda path: {Path(path).name: 1}
    for name in ("huggingface_hub", "safetensors"):
        monkeypatch.setitem(sys.modules, name, MagicMock())
    monkeypatch.setitem(sys.modules, "safetensors.torch", weights)
    (tmp_path / "safe_ckpt").mkdir()
    (tmp_path / "safe_ckpt" / "metadata.json").write_text('{"chunk_0": [], "chunk_1": []}', encoding="utf-8")
    own, loaded, calls = clone("audio_flamingo_2", str(tmp_path))
    assert calls["load"] == [str(tmp_path / "clap_ckpt" / "epoch_16.pt"), "Qwen", None]
    assert calls["weights"] == ["chunk_0.safetensors", "chunk_1.safetensors"]
    reply = own.answer(loaded, asked(sound(130.0), text("Who is <AUDIO> and <audio>?")), GREEDY)
    assert calls["text"] == "<audio>who is < audio> and < audio>?<sep>"
    assert reply == {"text": "A", "encoded": {"a.wav": 120.0}}
    assert calls["generate"]["audio_x"].shape == (1, 12, 16) and calls["generate"]["max_new_tokens"] == 7
    assert _skips(own.answer(loaded, asked(text()), GREEDY), "not 0 recordings")
