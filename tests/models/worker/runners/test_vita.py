"""Tests of `models/worker/runners/vita.py`: VITA-1.5, as its repository asks it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.models.worker.clones import GREEDY, SAMPLED, Clone, asked, sound, text


def test_vita_has_all_media_at_their_places(clone: Clone, picture: dict[str, Any], film: dict[str, Any]) -> None:
    pytest.importorskip("torch")
    own, loaded, calls = clone("vita", vision="intern", audio="whale")
    assert calls["load"] == ["weights", {"mm_vision_tower": "intern", "mm_audio_encoder": "whale"}]
    assert calls["kind"] == ["VITA-1.5", "qwen2p5_instruct"] and calls["loaded"]
    other = {**sound(), "path": "b.wav"}
    told = asked(picture, text("A <image>:"), sound(), film, other, text("Which?"), system="Be brief.")
    reply = own.answer(loaded, told, GREEDY)
    assert reply == {"text": "A", "finish": "stop", "output_tokens": 2}
    words = "Be brief.\n<image><image>\nA < image>:\n<audio>\n" + "<image>" * 7 + "\n<audio>\nWhich?"
    assert calls["turns"] == [("user", words), ("bot", None)] and calls["modality"] == "video"
    given = calls["generate"]
    assert given["images"].shape == (9, 3, 4, 4) and given["do_sample"] is False
    assert given["audios"]["audios"].shape == (2, 20, 80) and given["audios"]["lengths"].tolist() == [10, 20]
    assert given["audios"]["lengths_for_llm"].tolist() == [3, 3] and calls["heard"] == ["a.wav", "b.wav"]
    assert calls["tokenized"] == "tokenizer_image_audio_token"
    own.answer(loaded, asked(text()), {**SAMPLED, "max_tokens": 2})
    assert calls["tokenized"] == "tokenizer_image_token" and calls["modality"] == "lang"
    assert calls["generate"]["audios"]["audios"].shape == (1, 400, 80) and calls["generate"]["top_p"] == 0.9
    assert calls["generate"]["images"].shape == (1, 3, 448, 448)
