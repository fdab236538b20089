"""Tests of `models/worker/runners/qwen_chat.py`: qwen-Audio-Chat and Qwen-VL-Chat, as their model cards ask them."""

from __future__ import annotations

from typing import Any

from tests.models.worker.runners.loading import GREEDY, SAMPLED, SOUND, runner


def test_qwen_chat(libraries: dict[str, Any]) -> None:
    own = runner("qwen_chat")
    model, words = own.load("weights", {"trust_remote_code": True})
    model.chat.return_value = ("A", None)
    words.from_list_format.side_effect = list
    turns = [*SOUND, {"role": "assistant", "content": [{"type": "text", "text": "Bai"}]}, *SOUND]
    assert own.answer((model, words), turns, SAMPLED) == "A"
    told = model.chat.call_args.kwargs
    query = [{"audio": "a.wav"}, {"text": "Who? <|AUDIO|>"}]
    assert told["query"] == query and told["history"] == [(query, "Bai")]
    assert told["max_new_tokens"] == 7 and told["top_p"] == 0.9
    own.answer((model, words), SOUND, GREEDY)
    assert model.chat.call_args.kwargs["do_sample"] is False
