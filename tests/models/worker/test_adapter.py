"""Tests of `models/worker/adapter.py`: settings, what a runner's message becomes, and what is said when it can't."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.models.worker.test_worker import RUNNER, adapter, asked, questions, request, why
from triptych.errors import ProviderError, SpecError, WeightsError
from triptych.media.payload import MediaReader
from triptych.media.sound.coding import encode_wav
from triptych.models.adapter import Reply
from triptych.models.worker.trust import allow_foreign_code
from triptych.records import Usage, media, text

pytestmark = [
    pytest.mark.usefixtures("trusted"),
    pytest.mark.skipif(os.name == "nt", reason="worker processes need POSIX"),
]


def test_answers_come_with_tokens_and_how_they_ended_and_noise_does_no_harm(tmp_path: Path) -> None:
    found = asked(adapter(tmp_path), questions("a", "raise", "long", "nothing", "b"), tmp_path)
    assert [one.status for one in found.values()].count("failed") == 2
    assert found["0-a"].text == "a|0|6" and found["4-b"].usage is not None and found["4-b"].usage.output_tokens == 2
    assert found["2-long"].status == "truncated"
    assert "ValueError: this one breaks" in why(found["1-raise"]) and "no text" in why(found["3-nothing"])


def test_a_model_that_cannot_be_loaded_is_reported(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="no such weights"):
        asyncio.run(adapter(tmp_path, options='{"fail": true}').open())


def answered(tmp_path: Path, message: Mapping[str, Any], **settings: Any) -> Reply:
    """What a runner's message about a recording of two seconds becomes."""
    (tmp_path / "a.wav").write_bytes(encode_wav(np.zeros((32_000, 1), np.float32), 16_000))
    model = adapter(tmp_path, **settings)
    asked_for = request("a", media("audio", "a.wav"), text("?"))
    prepared = asyncio.run(model.prepare(asked_for, MediaReader(tmp_path)))
    return model._reply({path: message[path] for path in message}, prepared)


def test_thinking_is_apart_and_the_answer_has_no_space_around_it(tmp_path: Path) -> None:
    reply = answered(tmp_path, {"text": "<think>A bell.</think>\n B \n", "input_tokens": 7, "output_tokens": 3})
    assert (reply.text, reply.thinking, reply.usage, reply.status) == ("B", "A bell.", Usage(7, 3), "answered")


@pytest.mark.parametrize(
    ("message", "status", "finish"),
    [
        ({"text": "B", "finish": "length"}, "truncated", "length"),
        ({"text": "B", "finish": "stop"}, "answered", "stop"),
        ({"text": "B", "finish": "eos"}, "answered", None),
        ({"text": ""}, "answered", None),
        ({"skipped": "takes one picture"}, "skipped", None),
    ],
)
def test_how_it_ended(message: dict[str, Any], status: str, finish: str | None, tmp_path: Path) -> None:
    reply = answered(tmp_path, message)
    assert (reply.status, reply.finish_reason) == (status, finish) and reply.note == message.get("skipped", "")


@pytest.mark.parametrize("message", [{}, {"text": None}, {"text": ["B"]}, {"skipped": True}])
def test_a_message_without_text_is_no_answer(message: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match="returned no text") as caught:
        answered(tmp_path, message)
    assert caught.value.kind == "malformed"


def test_token_counts_that_can_not_be_are_unknown(tmp_path: Path) -> None:
    assert answered(tmp_path, {"text": "B", "input_tokens": -1, "output_tokens": "3"}).usage is None
    assert answered(tmp_path, {"text": "B", "input_tokens": True, "output_tokens": 3}).usage == Usage(None, 3)


def test_seconds_that_the_model_encoded_are_the_runners_to_say(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(encode_wav(np.zeros((32_000, 1), np.float32), 16_000))
    model = adapter(tmp_path)
    prepared = asyncio.run(model.prepare(request("a", media("audio", "a.wav")), MediaReader(tmp_path)))
    ((path, name),) = prepared.paths.items()
    assert name == "a.wav"
    (one,) = model._reply({"text": "B", "encoded": {path: 1.5}}, prepared).encoded
    assert (one.path, one.given, one.encoded) == ("a.wav", 2.0, 1.5)
    for silent in ({}, {"encoded": {"/elsewhere.wav": 1.5}}, {"encoded": {path: "all"}}, {"encoded": [1.5]}):
        assert model._reply({"text": "B", **silent}, prepared).encoded == (), "nobody knows"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"batch": 0}, "the batch must be at least 1"),
        ({"options": "[1]"}, "not a JSON object"),
        ({"options": "{"}, "not a JSON object"),
        ({"runner": "none.py"}, "no such file"),
        ({"python": "/nowhere/python"}, "no such program"),
        ({"source": "someone/nothing"}, r"not on this computer(.|\n)*hf download someone/nothing"),
        ({"packing": "whole"}, "worker/mine"),
        ({"packing": "rate=8000"}, "rate"),
        ({"runer": "x"}, "runner"),
    ],
)
def test_wrong_settings_are_refused_before_anything_starts(
    settings: dict[str, Any], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    with pytest.raises(SpecError, match=words):
        adapter(tmp_path, **settings)


def test_what_can_change_an_answer_is_in_the_identity(tmp_path: Path) -> None:
    one = adapter(tmp_path)
    assert one.settings == {"packing": one.packing} and one.name == "worker/mine"
    assert adapter(tmp_path, batch=8, silence_s=5).settings == one.settings
    assert adapter(tmp_path, fps=2).packing != one.packing
    other = tmp_path / "runner.py"
    other.write_text(RUNNER.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    assert adapter(tmp_path, runner=str(other)).revision != one.revision


def test_it_is_not_asked_before_it_is_open(tmp_path: Path) -> None:
    model = adapter(tmp_path)
    asked_for = request("a", text("a"))
    with pytest.raises(ProviderError, match="before it was opened"):
        asyncio.run(model.respond(asked_for, asyncio.run(model.prepare(asked_for, MediaReader(tmp_path)))))


def test_foreign_code_runs_only_when_it_is_trusted(tmp_path: Path) -> None:
    allow_foreign_code(allowed=False)
    with pytest.raises(SpecError, match="-M runner"):
        adapter(tmp_path)
