"""Tests of `models/openai/reply.py`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.models.openai.test_adapter import adapter, chunk, dashscope, read, whole
from triptych.errors import ProviderError
from triptych.models.adapter import Reply
from triptych.models.openai.reply import MAX_TEXT_LENGTH, read_error, read_reply
from triptych.records import Usage


def test_hints_say_what_to_set() -> None:
    raw = b'{"error": {"message": "Unsupported parameter: use max_completion_tokens", "code": "unsupported"}}'
    assert adapter()._explained_error(read_error(400, raw)).args[0].endswith("-M max_tokens_name=max_completion_tokens")


def test_an_answer() -> None:
    usage = {
        "prompt_tokens": 12,
        "completion_tokens": 3,
        "total_tokens": 15,
        "prompt_tokens_details": {"cached_tokens": 8},
        "completion_tokens_details": {"reasoning_tokens": 2, "audio_tokens": 0},
    }
    assert read_reply(whole(usage=usage)) == Reply(
        "B", finish_reason="stop", usage=Usage(12, 3, 2, 8), served_model="served-1"
    )


@pytest.mark.parametrize(
    ("message", "finish", "status", "said"),
    [
        ({}, "stop", "answered", "B"),
        ({}, None, "answered", "B"),
        ({"content": ""}, "stop", "answered", ""),
        ({"content": [{"type": "text", "text": "B"}, {"type": "text", "text": "C"}]}, "stop", "answered", "BC"),
        ({}, "length", "truncated", "B"),
        ({"content": None}, "length", "truncated", ""),
        ({"content": None}, "content_filter", "refused", ""),
        ({"content": "B"}, "content_filter", "refused", "B"),
        ({"content": None, "refusal": "I can't."}, "stop", "refused", "I can't."),
        ({"refusal": None}, "stop", "answered", "B"),
        ({}, "model_length", "truncated", "B"),
        ({}, "sensitive", "refused", "B"),
        ({"content": None, "reasoning_content": "A or B?"}, "stop", "answered", ""),
    ],
)
def test_statuses(message: dict[str, Any], finish: str | None, status: str, said: str) -> None:
    reply = read_reply(whole(message, finish))
    assert (reply.status, reply.text, reply.finish_reason) == (status, said, finish)


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"<html>",
        whole()[:-9],
        b"\xff\xfe",
        b'{"choices": []}',
        b'{"choices": null}',
        b'{"choices": [{"finish_reason": "stop"}]}',
        whole({"content": None}),
        whole({"content": 7}),
    ],
)
def test_what_holds_no_answer_is_malformed_and_asked_again(broken: bytes) -> None:
    with pytest.raises(ProviderError) as error:
        read_reply(broken)
    assert (error.value.kind, error.value.retryable, error.value.fatal) == ("malformed", True, False)


@pytest.mark.parametrize(
    "finish", ["abort", "error", "cancelled", "timeout", "network_error", "insufficient_system_resource"]
)
def test_what_the_server_broke_off_is_no_answer(finish: str) -> None:
    for ask_for in (lambda: read_reply(whole({}, finish)), lambda: read(chunk({"content": "B"}, finish))):
        with pytest.raises(ProviderError, match=finish) as error:
            ask_for()
        assert (error.value.kind, error.value.retryable) == ("server", True)


@pytest.mark.parametrize(
    ("told", "usage"),
    [
        (None, None),
        ([], None),
        ("12", None),
        ({"prompt_tokens": -5, "completion_tokens": 1}, None),
        ({"prompt_tokens": 12.5}, None),
        ({"prompt_tokens": 1e300}, None),
        ({"prompt_tokens_details": []}, None),
        ({"prompt_tokens": 12.0, "completion_tokens": "3"}, Usage(12, 3)),
        ({}, Usage()),
        ({"prompt_tokens": 2**63, "completion_tokens": 1}, None),
        (True, None),
        ({"prompt_tokens": 5, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": -9}}, None),
        ({"prompt_tokens": "x"}, None),
        ({"completion_tokens": -1}, None),
        ({"prompt_tokens": 1e18}, None),
    ],
)
def test_tokens_that_cannot_be_are_unknown_and_the_answer_is_one(told: Any, usage: Usage | None) -> None:
    reply = read_reply(whole(usage=told))
    assert (reply.text, reply.usage) == ("B", usage)
    reply = read(chunk({"content": "B"}, "stop") + b"data: " + json.dumps({"usage": told}).encode() + b"\n\n")
    assert (reply.text, reply.usage) == ("B", usage)


def test_an_error_that_comes_as_a_success_is_an_error() -> None:
    with pytest.raises(ProviderError, match="overloaded") as error:
        read_reply(b'{"error": {"code": 429, "message": "overloaded"}}')
    assert error.value.kind == "rate_limit"
    with pytest.raises(ProviderError, match="odd") as error:
        read_reply(b'{"error": "odd", "choices": []}')
    assert error.value.kind == "server" and error.value.retryable


def test_thinking_is_no_answer() -> None:
    reply = read_reply(whole({"content": "B", "reasoning_content": "hm"}))
    assert (reply.text, reply.thinking) == ("B", "hm")
    reply = read_reply(whole({"content": "<think>\nA or B?\n</think>\n\nB"}))
    assert (reply.text, reply.thinking) == ("B", "A or B?")


@pytest.mark.parametrize(
    ("thought", "kept"),
    [
        (
            {"type": "thinking", "thinking": [{"type": "text", "text": "A or "}, {"type": "text", "text": "B?"}]},
            "A or B?",
        ),
        ({"type": "thinking", "thinking": "hm"}, "hm"),
        ({"type": "reasoning", "text": "hm"}, "hm"),
        ({"type": "reasoning", "reasoning": "hm"}, "hm"),
        ({"type": "thinking", "thinking": [3, {"text": 4}, [["hm"]]]}, None),
        ({"type": "thinking"}, None),
    ],
)
def test_thoughts_in_listed_content_are_kept_apart_from_the_answer(thought: dict[str, Any], kept: str | None) -> None:
    """Mistral's form is the first; gateways have the others."""
    content = [thought, {"type": "text", "text": "B"}]
    reply = read_reply(whole({"content": content}))
    assert (reply.text, reply.thinking) == ("B", kept)
    raw = b"".join(
        [chunk({"content": content[:1]}), chunk({"content": content[1:]}), chunk({}, "stop"), b"data: [DONE]\n\n"]
    )
    streamed = read(raw)
    assert (streamed.text, streamed.thinking) == ("B", kept)


def test_logprobs_are_kept_as_they_came() -> None:
    told = {"content": [{"token": "B", "logprob": -0.25, "top_logprobs": []}]}
    choice = {"index": 0, "message": {"content": "B"}, "finish_reason": "stop", "logprobs": told}
    reply = read_reply(json.dumps({"choices": [choice]}, indent=1).encode())
    assert reply.logprobs is not None and json.loads(reply.logprobs) == told
    assert read_reply(whole()).logprobs is None


@pytest.mark.parametrize("raw", [b'{"token": "\xff\xfe"}', b'{"logprob": 1e999}', b"[" * 3000 + b"]" * 3000])
def test_logprobs_that_no_journal_could_hold_are_left_out(raw: bytes) -> None:
    sent = b'{"choices": [{"message": {"content": "B"}, "logprobs": {"content": [%b]}}]}' % raw
    try:
        assert read_reply(sent).logprobs is None
    except ProviderError as error:
        assert error.kind == "malformed"
    choice = b'{"delta": {"content": "B"}, "finish_reason": "stop", "logprobs": {"content": [%b]}}' % raw
    sent = b'data: {"choices": [%b]}\n\ndata: [DONE]\n\n' % choice
    try:
        assert read(sent).logprobs is None
    except ProviderError as error:
        assert error.kind == "malformed"


# --- errors


@pytest.mark.parametrize(
    ("status", "code", "kind", "retryable", "fatal"),
    [
        (400, "", "bad_request", False, False),
        (400, "content_filter", "refused", False, False),
        (403, "content_filter", "refused", False, False),
        (204, "", "malformed", True, False),
        (401, "invalid_api_key", "auth", False, True),
        (402, "", "auth", False, True),
        (403, "", "auth", False, True),
        (404, "", "unknown_model", False, True),
        (400, "model_not_found", "unknown_model", False, True),
        (408, "", "timeout", True, False),
        (409, "", "server", True, False),
        (413, "", "bad_request", False, False),
        (422, "", "bad_request", False, False),
        (429, "", "rate_limit", True, False),
        (429, "insufficient_quota", "auth", False, True),
        (500, "", "server", True, False),
        (503, "", "server", True, False),
        (504, "", "timeout", True, False),
        (529, "", "server", True, False),
        (302, "", "bad_request", False, True),
        (405, "", "bad_request", False, True),
    ],
)
def test_errors_by_status(status: int, code: str, kind: str, retryable: bool, fatal: bool) -> None:
    error = read_error(status, json.dumps({"error": {"message": "why", "code": code}}).encode())
    assert (error.kind, error.retryable, error.fatal, error.status) == (kind, retryable, fatal, status)
    assert "why" in str(error)


@pytest.mark.parametrize(
    "raw", [b"", b"\xff", b"<html>Bad Gateway</html>", b'"x"', b"[1]", b'{"detail": "x"}', b"null"]
)
def test_error_bodies_of_any_form(raw: bytes) -> None:
    assert read_error(502, raw).kind == "server"


@pytest.mark.parametrize(
    ("status", "message"),
    [(400, "Content Exists Risk"), (403, 'x requires moderation. Your input was flagged for "violence".')],
)
def test_a_moderator_is_no_wrong_key(status: int, message: str) -> None:
    error = read_error(status, json.dumps({"error": {"message": message, "code": status}}).encode())
    assert (error.kind, error.fatal) == ("refused", False)


def test_too_long_is_said_so() -> None:
    raw = b'{"error": {"message": "This model\'s maximum context length is 8192 tokens", "code": 400}}'
    assert "too long for the model" in str(read_error(400, raw))
    assert "too long for the model" in str(read_error(413, b""))


def test_a_spoken_reply_is_its_transcript_and_the_sound_is_left_out(root: Path) -> None:
    reply, _ = dashscope("spoken", root)
    assert (reply.text, reply.status) == ("一个人正在厨房修理机器", "answered")
    assert reply.usage == Usage(412, 61, None, None, 380)
    whole_reply = read_reply(whole({"content": None, "audio": {"id": "a", "data": "UklGR", "transcript": "B"}}))
    assert whole_reply.text == "B"


def test_a_whole_reply_that_is_an_error_object_is_an_error() -> None:
    for told in ({"object": "error", "message": "no"}, {"type": "error", "error": {"message": "no"}}):
        with pytest.raises(ProviderError, match="no") as error:
            read_reply(json.dumps(told).encode())
        assert (error.value.kind, error.value.retryable) == ("server", True)


def test_of_choices_out_of_order_index_0_counts() -> None:
    def one(index: int | None, words: str) -> dict[str, Any]:
        return {"index": index, "message": {"content": words}, "finish_reason": "stop"}

    told = json.dumps({"choices": [one(1, "x"), one(0, "A"), one(2, "y")]}).encode()
    assert read_reply(told).text == "A"
    assert read_reply(json.dumps({"choices": [one(None, "A"), one(None, "x")]}).encode()).text == "A"
    assert read_reply(json.dumps({"choices": [one(1, "A")]}).encode()).text == "A", "some count from 1"


def test_more_text_than_any_model_says_is_no_answer() -> None:
    words = "x" * (MAX_TEXT_LENGTH + 1)
    for read_it in (
        lambda: read_reply(whole({"content": words})),
        lambda: read(chunk({"content": words[: 1 << 20]}) * 5 + chunk({}, "stop"), 1 << 20),
    ):
        with pytest.raises(ProviderError, match="characters") as error:
            read_it()
        assert (error.value.kind, error.value.retryable) == ("malformed", False)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b'\xef\xbb\xbf{"choices": [{"message": {"content": "B"}, "finish_reason": "stop"}]}', "B"),
        (b'{"choices": [{"message": {"content": "B \\ud83d"}, "finish_reason": "length"}]}', "B \ufffd"),
    ],
)
def test_a_byte_order_mark_and_a_cut_emoji_lose_no_answer(body: bytes, text: str) -> None:
    assert read_reply(body).text == text


def test_a_stream_that_was_not_asked_for_says_what_to_set() -> None:
    with pytest.raises(ProviderError, match="-M stream=true"):
        read_reply(b'data: {"choices": [{"delta": {"content": "B"}}]}\n\n')
