"""Tests of `models/worker/runners/ola.py`: ola, as `infer.py` of its repository asks it."""

from __future__ import annotations

import sys
from typing import Any
from unittest.mock import MagicMock

import pytest

from tests.models.worker.clones import GREEDY, SAMPLED, Clone, _skips, asked, sound, text


def test_ola(clone: Clone, film: dict[str, Any], picture: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    heard, files = MagicMock(), MagicMock()
    heard.pad_or_trim.side_effect = lambda part: part
    heard.log_mel_spectrogram.side_effect = lambda part, n_mels: torch.zeros(n_mels, 3000)
    files.read.side_effect = lambda path, dtype: (torch.zeros(2 * 480000).numpy(), 16000)
    monkeypatch.setitem(sys.modules, "whisper", heard)
    monkeypatch.setitem(sys.modules, "soundfile", files)
    monkeypatch.setattr("os.environ", {})
    own, loaded, calls = clone("ola")
    assert calls["size"] == "480" and calls["at"].endswith("clone"), "it reads its weights from the clone"
    reply = own.answer(loaded, asked(film, sound(60.0), text("What is <image>?"), system="Be brief."), SAMPLED)
    assert calls["turns"] == [("user", "<speech><image>\nBe brief.\nWhat is < image>?"), ("bot", None)]
    given = calls["generate"]
    assert calls["tokenized"] == "tokenizer_speech_image_token" and given["modalities"] == "video"
    assert given["images"].shape == (7, 3, 4, 4) and given["images"].dtype == torch.bfloat16
    assert given["speech"][0].shape == (2, 3000, 128) and given["speech_wav"][0].shape == (2, 480000)
    assert given["speech_lengths"][0].tolist() == [3000, 3000] and given["speech_chunks"][0].tolist() == [2]
    assert given["top_p"] == 0.9 and reply["encoded"] == {"a.wav": 60.0} and reply["text"] == "A"
    own.answer(loaded, asked(sound(800.0), text()), GREEDY)
    assert calls["tokenized"] == "tokenizer_speech_token" and calls["generate"]["modalities"] == ["text"]
    own.answer(loaded, asked(picture, text()), GREEDY)
    assert calls["generate"]["images_highres"].shape == (1, 3, 8, 8) and calls["generate"]["image_sizes"] == [(4, 4)]
    assert calls["generate"]["speech"][0].shape == (1, 3000, 128)
    assert _skips(own.answer(loaded, asked(picture, sound(), text()), GREEDY), "not audio, image")
