"""Tests of `models/worker/runners/video_xl_2.py`: video-XL-2, as its model card asks it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.models.worker.runners.loading import GREEDY, SAMPLED, SOUND, runner


def test_video_xl_2_gets_a_file_of_exactly_the_chosen_frames(
    libraries: dict[str, Any], asked_film: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    av = pytest.importorskip("av")
    own = runner("video_xl_2")
    model, words = own.load("weights", {"trust_remote_code": True})
    seen: list[Any] = []

    def chat(path: str, tokenizer: Any, question: str, **told: Any) -> str:
        with av.open(path) as container:
            frames = [(frame.time, frame.to_ndarray(format="rgb24")[0, 0, 0]) for frame in container.decode(video=0)]
        seen.extend((Path(path), frames, question, told))
        return "A"

    model.chat = chat
    assert own.answer((model, words), asked_film, SAMPLED) == "A"
    path, frames, question, told = seen
    assert [round(time, 2) for time, _ in frames] == [0.0, 2.0, 4.0] and question == "What happens?"
    assert all(abs(int(red) - 80 * place) <= 3 for place, (_, red) in enumerate(frames))
    assert told["max_num_frames"] == 3 and told["generation_config"]["max_new_tokens"] == 7
    assert told["generation_config"]["do_sample"] and told["generation_config"]["temperature"] == 0.5
    assert not path.exists()
    assert "not 0" in own.answer((model, words), SOUND, GREEDY)["skipped"]
