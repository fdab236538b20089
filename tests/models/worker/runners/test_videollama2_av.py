"""Tests of `models/worker/runners/videollama2_av.py`: videoLLaMA2.1-AV, as its repository asks it."""

from __future__ import annotations

from typing import Any

from tests.models.worker.clones import GREEDY, SAMPLED, Clone, _skips, asked, sound, text


def test_videollama2_takes_a_video_with_its_recording(clone: Clone, film: dict[str, Any]) -> None:
    own, loaded, calls = clone("videollama2_av")
    reply = own.answer(loaded, asked(film, sound(), text("What is <video>?"), system="Be brief."), SAMPLED)
    given, turns, modal, told, tower = calls["infer"]
    frames = [film["paths"][1], film["paths"][5]]
    assert given == {"video": ["film", frames], "audio": ["sound", "a.wav"]} and modal == "video" and tower == "tower"
    assert turns == [{"role": "user", "content": "Be brief.\nWhat is < video>?"}]
    assert told == {"do_sample": True, "temperature": 0.5, "top_p": 0.9, "max_new_tokens": 7}
    assert reply == {"text": "A of video", "encoded": {"a.wav": 30, film["paths"][0]: 2}}


def test_videollama2_is_asked_about_a_picture_without_its_audio_tower(clone: Clone, picture: dict[str, Any]) -> None:
    own, loaded, calls = clone("videollama2_av")
    own.answer(loaded, asked(picture, text()), GREEDY)
    assert calls["infer"][2] == "image" and calls["infer"][4] is None
    own.answer(loaded, asked(text()), GREEDY)
    assert calls["infer"][0] is None and calls["infer"][2] == "text" and calls["infer"][4] == "tower"
    assert _skips(
        own.answer(loaded, asked(sound(), sound(), text()), GREEDY),
        "takes one medium, or a video with a recording, not audio, audio",
    )
