"""Tests of `models/worker/runners/ovis.py`: ovis1.5, as its model card asks it."""

from __future__ import annotations

from typing import Any

from tests.models.worker.runners.loading import GREEDY, runner


def test_ovis(libraries: dict[str, Any], asked_picture: list[dict[str, Any]]) -> None:
    own = runner("ovis")
    model = own.load("weights", {"trust_remote_code": True})
    model.get_conversation_formatter().format_query.return_value = ("", [1])
    model.generate.return_value = [[1, 2, 3]]
    model.get_text_tokenizer().decode.return_value = "A"
    assert own.answer(model, asked_picture, GREEDY) == {"text": "A", "finish": "stop", "output_tokens": 3}
    (query,) = model.get_conversation_formatter().format_query.call_args.args
    assert query.startswith("<image>\n") and query.count("<image>") == 1
