"""Tests of `models/worker/runners/videollama3.py`: videoLLaMA3, as its model card asks it."""

from __future__ import annotations

from typing import Any

from tests.models.worker.runners.loading import GREEDY, runner


def test_videollama3(libraries: dict[str, Any], asked_film: list[dict[str, Any]]) -> None:
    own = runner("videollama3")
    libraries["torch"].is_tensor.return_value = False
    model, processor = own.load("weights", {"trust_remote_code": True})
    processor.return_value = {"input_ids": [[1, 2]]}
    model.generate.return_value = [[5, 6, 7]]
    processor.batch_decode.return_value = ["A"]
    assert own.answer((model, processor), asked_film, GREEDY) == {"text": "A", "finish": "stop", "output_tokens": 3}
    told = processor.call_args.kwargs
    video, words = told["conversation"][0]["content"]
    assert len(video["video"]) == video["num_frames"] == 3 and video["timestamps"] == [1.0, 3.0, 5.0]
    assert words == {"type": "text", "text": "What happens?"} and told["add_generation_prompt"]
    assert model.generate.call_args.kwargs == {"input_ids": [[1, 2]], "do_sample": False, "max_new_tokens": 7}
