"""Tests of `models/gemini/reply.py`: what recorded replies of the service become."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.models.gemini.test_adapter import KEY, adapter, ask, failed, plain, replied, request
from tests.support.wire import Answer, Wire, fixture
from triptych.errors import ProviderError
from triptych.models.adapter import Reply
from triptych.models.gemini.reply import read_reply
from triptych.records import Usage


def test_an_answer_with_all_its_tokens() -> None:
    assert replied("answer") == Reply(
        "B", finish_reason="STOP", usage=Usage(331, 65, 64, 256, 320), served_model="gemini-2.5-flash"
    )


def test_thoughts_stand_apart_and_logprobs_are_kept() -> None:
    with Wire(lambda seen: fixture("gemini/thinking")) as wire:
        (reply,) = ask(adapter(wire, thoughts="true", logprobs="true", top_logprobs="2"), request(max_tokens=8))
    assert reply.text == "The answer is C." and reply.thinking == "**Weighing the options**\n\nThe bell comes first."
    assert reply.usage == Usage(20, 105, 100)
    assert json.loads(reply.logprobs or b"")["chosenCandidates"][0]["token"] == "C"
    config = plain(wire.seen[0].json)["generationConfig"]
    assert config["responseLogprobs"] is True and config["logprobs"] == 2
    assert config["thinkingConfig"] == {"includeThoughts": True}


@pytest.mark.parametrize(
    ("name", "status", "finish"),
    [
        ("thought_away", "truncated", "MAX_TOKENS"),
        ("blocked_prompt", "refused", "PROHIBITED_CONTENT"),
        ("safety", "refused", "SAFETY"),
    ],
)
def test_statuses(name: str, status: str, finish: str) -> None:
    reply = replied(name)
    assert (reply.text, reply.status, reply.finish_reason) == ("", status, finish)
    if status == "refused":
        assert reply.note
    if name == "thought_away":
        assert reply.usage == Usage(20, 256, 256)


@pytest.mark.parametrize("name", ["no_candidates", "no_text"])
def test_a_reply_without_an_answer_is_asked_for_again(name: str) -> None:
    error = failed(lambda seen: fixture(f"gemini/{name}"))
    assert (error.kind, error.retryable) == ("malformed", True)


def test_errors_by_kind() -> None:
    for name, status, kind, fatal, retryable in (
        ("error_429", 429, "rate_limit", False, True),
        ("error_500", 503, "server", False, True),
        ("error_key", 400, "auth", True, False),
        ("error_model", 404, "unknown_model", True, False),
        ("error_too_long", 400, "bad_request", False, False),
    ):
        error = failed(lambda seen, name=name, status=status: fixture(f"gemini/{name}", status))  # type: ignore[misc]
        assert (error.kind, error.fatal, error.retryable, error.status) == (kind, fatal, retryable, status)
        assert KEY not in str(error)
        if name == "error_429":
            assert error.retry_after == 17.5
        if name == "error_key":
            assert "GEMINI_API_KEY" in str(error)
        if name == "error_too_long":
            assert "too long" in str(error)
    told = failed(lambda seen: fixture("gemini/error_429", 429, **{"Retry-After": "3"}))
    assert told.retry_after == 3.0


def test_tokens_that_cannot_be_are_unknown_and_the_answer_is_one() -> None:
    body = fixture("gemini/answer").body
    for old, new, usage in (
        (b"331", b"-331", Usage(None, 65, 64, 256, 320)),
        (b'"candidatesTokenCount": 1', b'"candidatesTokenCount": -100', Usage(331, None, 64, 256, 320)),
    ):
        answer = Answer(body=body.replace(old, new))
        with Wire(lambda seen, answer=answer: answer) as wire:  # type: ignore[misc]
            (reply,) = ask(adapter(wire), request())
        assert (reply.text, reply.usage) == ("B", usage)


def made(**reply: Any) -> Reply:
    """What a body of the REST interface becomes, read by the SDK as it reads one."""
    from google.genai import types

    return read_reply(types.GenerateContentResponse.model_validate(reply))


def candidate(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"content": {"role": "model", "parts": list(parts)}, "finishReason": "STOP", **more}


def test_text_in_several_parts_is_one_answer_and_pictures_are_left_out() -> None:
    picture = {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}
    reply = made(candidates=[candidate({"text": "答案是 "}, picture, {"text": "B。"})])
    assert (reply.text, reply.status, reply.thinking, reply.usage) == ("答案是 B。", "answered", None, None)


@pytest.mark.parametrize("finish", ["SAFETY", "RECITATION", "LANGUAGE", "SPII", "BLOCKLIST", "IMAGE_SAFETY"])
def test_a_filter_of_any_name_refuses_and_says_which(finish: str) -> None:
    reply = made(candidates=[candidate({"text": "The"}, finishReason=finish)])
    assert (reply.status, reply.finish_reason, reply.text) == ("refused", finish, "The") and finish in reply.note
    said = made(candidates=[candidate(finishReason=finish, finishMessage="try another prompt")])
    assert said.note == "try another prompt"


def test_a_block_without_message_says_that_the_prompt_was_blocked() -> None:
    reply = made(promptFeedback={"blockReason": "OTHER"})
    assert (reply.status, reply.finish_reason, reply.note) == ("refused", "OTHER", "the prompt was blocked")


@pytest.mark.parametrize("finish", ["MALFORMED_FUNCTION_CALL", "OTHER", "UNEXPECTED_TOOL_CALL"])
def test_an_end_of_the_services_own_is_no_answer_even_with_text(finish: str) -> None:
    with pytest.raises(ProviderError, match=finish) as caught:
        made(candidates=[candidate({"text": "B"}, finishReason=finish)])
    assert caught.value.kind == "malformed" and caught.value.retryable


@pytest.mark.parametrize(
    ("counts", "usage"),
    [
        ({"promptTokenCount": 9, "candidatesTokenCount": 4, "totalTokenCount": 13}, Usage(9, 4)),
        ({"promptTokenCount": 9, "candidatesTokenCount": 4, "thoughtsTokenCount": 5}, Usage(9, 9, 5)),
        ({"promptTokenCount": 9, "totalTokenCount": 30}, Usage(9, 21)),
        ({"promptTokenCount": 9, "totalTokenCount": 5}, Usage(9, None)),
        ({"promptTokenCount": 9}, Usage(9, None)),
        ({}, Usage()),
    ],
)
def test_thinking_is_charged_as_output(counts: dict[str, int], usage: Usage) -> None:
    assert made(candidates=[candidate({"text": "B"})], usageMetadata=counts).usage == usage


def test_tokens_of_sound_are_those_of_its_modality() -> None:
    details = [{"modality": "TEXT", "tokenCount": 11}, {"modality": "AUDIO", "tokenCount": 320}, {"modality": "AUDIO"}]
    reply = made(candidates=[candidate({"text": "B"})], usageMetadata={"promptTokensDetails": details})
    assert reply.usage is not None and reply.usage.audio_tokens == 320


def test_a_country_without_the_service_ends_the_run() -> None:
    error = {"code": 400, "message": "User location is not supported for the API use.", "status": "FAILED_PRECONDITION"}
    fault = failed(lambda seen: Answer(400, json.dumps({"error": error}).encode()))
    assert (fault.kind, fault.fatal) == ("auth", True) and "location is not supported" in str(fault)
