"""Tests of `models/hf/engine.py`: one loaded model."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed: make models")
pytest.importorskip("transformers", minversion="5.0", reason="transformers 5 is not installed: make models")
pytest.importorskip("av", reason="av is not installed")

from tests.models.hf.test_films import VIDEO, asked, engine, same
from tests.support.known_films import HERTZ, known_film
from triptych.models.hf.engine import Job

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["qwen_omni", "qwen3_omni"])
def test_a_films_own_sound_is_in_its_video(name: str, tmp_path: Path) -> None:
    """As `load_audio_from_video`: the same prompt, pixels and mel frames as the processor's own, with decoded sound."""
    (tmp_path / "a.mp4").write_bytes(known_film(60, 10, sound=6.0))
    model = engine(name)
    conversation = asked(name, tmp_path, "qwen-omni,frames=6,least=1,multiple=1,fps=1", "a.mp4")
    own = model.encode([conversation])
    sound = conversation.films[0][1]
    block = conversation.messages[0]["content"][0]
    talk = [{"role": "user", "content": [{"type": "video", "video": "-"}, {"type": "text", "text": "What?"}]}]
    words = model.processor.apply_chat_template(talk, tokenize=False, add_generation_prompt=True)
    oracle = model.processor(
        text=[words],
        videos=[block["video"]],
        audio=[sound],
        audio_from_video_indices=[0],
        load_audio_from_video=True,
        return_tensors="pt",
        videos_kwargs={"do_sample_frames": False, "fps": 1.0},
    )
    same(own, oracle)
    marks = model.processor.audio_token_id, model.processor.video_token_id
    ids = [int(one) for one in own["input_ids"][0] if int(one) in marks]
    changes = sum(a != b for a, b in pairwise(ids))
    assert changes > 2, "sound and pictures take turns"
    spectrum = np.abs(np.fft.rfft(sound[16_000:32_000]))
    assert int(spectrum.argmax()) == HERTZ
    assert [one.form for one in conversation.sent] == ["frames", "in_video"]
    assert len(model.answers([Job(conversation, 4, (("temperature", 0),))])) == 1


@pytest.mark.parametrize("name", VIDEO)
def test_a_film_of_one_frame_can_be_asked(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.mp4").write_bytes(known_film(1))
    for told in ("fps=1", "whole,sound=none"):
        conversation = asked(name, tmp_path, told, "a.mp4")
        (answer,) = engine(name).answers([Job(conversation, 3, (("temperature", 0),))])
        assert answer.written <= 3 and set(conversation.sent[0].times) == {0.0}
