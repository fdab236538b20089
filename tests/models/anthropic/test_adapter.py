"""Anthropic: what is sent, what is made of recorded replies, and what is never shown."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.wire import Answer, Seen, Wire, fixture
from triptych import api
from triptych.errors import ProviderError, SpecError
from triptych.media.payload import MediaReader
from triptych.models.adapter import Reply
from triptych.models.anthropic.adapter import AnthropicAdapter, make
from triptych.models.registry import load_adapter
from triptych.records import Message, Part, Request, Usage, text
from triptych.running.loop import RunOptions

pytest.importorskip("anthropic")


KEY = "sk-ant-api03-testtesttesttesttesttesttest"


def adapter(wire: Wire, **settings: Any) -> AnthropicAdapter:
    return make("claude-opus-5", {"base_url": wire.url, **settings})


def ask(asked: AnthropicAdapter, request: Request, root: Path | None = None) -> Reply:
    async def whole() -> Reply:
        await asked.open()
        try:
            return await asked.respond(request, await asked.prepare(request, MediaReader(root)))
        finally:
            await asked.close()

    return asyncio.run(whole())


def request(*parts: Part, system: str = "", **settings: Any) -> Request:
    before = (Message("system", (text(system),)),) if system else ()
    return Request("1", (*before, Message("user", parts or (text("?"),))), settings)


def replied(name: str, **settings: Any) -> Reply:
    with Wire(lambda seen: fixture(f"anthropic/{name}")) as wire:
        return ask(adapter(wire, **settings), request())


def failed(answer: Callable[[Seen], Answer]) -> ProviderError:
    with Wire(answer) as wire, pytest.raises(ProviderError) as caught:
        ask(adapter(wire), request())
    assert len(wire.seen) == 1  # the SDK retries nothing
    assert KEY not in str(caught.value)
    return caught.value


# --- what is sent


def test_items_with_sound_are_skipped_and_say_why(tmp_path: Path) -> None:
    with Wire(lambda seen: fixture("anthropic/answer")) as wire:
        ready = api.plan("cmdar/main", "anthropic/claude-opus-5", limit=2, base_url=wire.url)
        result = api.run_plan(ready, out=tmp_path / "run", options=RunOptions(), scored=False)
    assert result.outcome.counts == {"skipped": 2} and not wire.seen
    error = next(iter(result.folder.responses())).error
    assert error and error.message == "anthropic/claude-opus-5 does not take audio"


# --- what comes back


def test_an_answer_with_all_its_tokens() -> None:
    assert replied("answer") == Reply(
        "B", finish_reason="end_turn", usage=Usage(1085, 4, None, 1000), served_model="claude-sonnet-4-5-20250929"
    )


def test_thinking_stands_apart() -> None:
    reply = replied("thinking", thinking="adaptive")
    assert (reply.text, reply.thinking) == ("The answer is C.", "The bell comes first.")
    assert reply.usage == Usage(30, 150, 140)


def test_statuses() -> None:
    assert (replied("truncated").status, replied("truncated").text) == ("truncated", "The an")
    refused = replied("refusal")
    assert (refused.status, refused.finish_reason) == ("refused", "refusal")
    assert refused.note == "This request can't be helped with."
    assert (replied("empty").status, replied("empty").text) == ("answered", "")


def test_errors_by_kind() -> None:
    for name, status, kind, fatal, retryable in (
        ("error_401", 401, "auth", True, False),
        ("error_404", 404, "unknown_model", True, False),
        ("error_429", 429, "rate_limit", False, True),
        ("error_529", 529, "server", False, True),
        ("error_413", 413, "bad_request", False, False),
        ("error_credit", 400, "auth", True, False),
        ("error_temperature", 400, "bad_request", False, False),
    ):
        answer = fixture(f"anthropic/{name}", status, **{"retry-after": "7"})
        error = failed(lambda seen, answer=answer: answer)  # type: ignore[misc]
        assert (error.kind, error.fatal, error.retryable, error.status) == (kind, fatal, retryable, status)
        if name == "error_429":
            assert error.retry_after == 7.0
        if name == "error_401":
            assert "ANTHROPIC_API_KEY" in str(error)
        if name == "error_temperature":
            assert "-M drop=temperature" in str(error)


@pytest.mark.parametrize(
    ("told", "usage"),
    [
        (None, None),
        ({"input_tokens": -3, "output_tokens": 1}, Usage(None, 1)),
        ([1], Usage()),
        ({}, Usage()),
        ({"input_tokens": 3.5, "output_tokens": "x"}, Usage()),
        ({"input_tokens": 3, "output_tokens": None}, Usage(3)),
    ],
)
def test_tokens_that_cannot_be_are_unknown_and_the_answer_is_one(told: Any, usage: Usage | None) -> None:
    body = json.dumps({**json.loads(fixture("anthropic/answer").body), "usage": told}).encode()
    with Wire(lambda seen: Answer(body=body)) as wire:
        reply = ask(adapter(wire), request())
    assert (reply.text, reply.usage) == ("B", usage)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed_with_the_key(status: int) -> None:
    with Wire(lambda seen: fixture("anthropic/answer")) as other:
        error = failed(lambda seen: Answer(status, b"{}", {"Location": other.url.replace("127.0.0.1", "localhost")}))
        assert not other.seen
    assert error.fatal and "redirect" in str(error)


def test_a_connection_is_used_once_so_that_it_cannot_be_out_of_step() -> None:
    async def several(asked: AnthropicAdapter) -> None:
        await asked.open()
        for _ in range(3):
            await asked.respond(request(), await asked.prepare(request(), MediaReader(None)))
        await asked.close()

    with Wire(lambda seen: fixture("anthropic/answer")) as wire:
        asyncio.run(several(adapter(wire)))
    assert [seen.headers["connection"] for seen in wire.seen] == ["close"] * 3


def test_odd_bodies_and_broken_connections_are_asked_again() -> None:
    whole = fixture("anthropic/answer").body
    for answer in (
        Answer(body=whole[:-9]),
        Answer(body=b"<html>", kind="text/html"),
        Answer(body=whole, cut=True),
        Answer(body=b"[]"),
        Answer(body=b"{}"),
        Answer(body=whole.replace(b'"text": "B"', b'"text": null')),
        Answer(body=b'{"content":' + b"[" * 20_000),
        Answer(502, b"<html>Bad Gateway</html>", kind="text/html"),
    ):
        error = failed(lambda seen, answer=answer: answer)  # type: ignore[misc]
        assert error.retryable and not error.fatal, answer
    with pytest.raises(ProviderError) as caught:
        ask(make("m", {"base_url": "http://127.0.0.1:9"}), request())
    assert (caught.value.kind, caught.value.retryable) == ("connection", True)


# --- settings and keys


def test_wrong_settings_are_refused() -> None:
    for wrong, words in (
        ({"thinking": "much"}, "adaptive"),
        ({"effort": "most"}, "xhigh"),
        ({"base_url": "here"}, "URL"),
        ({"thinking": "off", "thinking_budget": "1024"}, "combined"),
        ({"thinkng": "off"}, "thinking"),
    ):
        with pytest.raises(SpecError, match=words):
            make("m", wrong)


def test_the_official_endpoint_needs_a_key_and_shows_it_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = load_adapter("anthropic/claude-opus-5", {"effort": "low"})
    assert asked.endpoint == "https://api.anthropic.com" and asked.settings == {"effort": "low"}
    assert asked.accepts == {"text", "image"} and KEY not in repr(vars(asked))
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with pytest.raises(SpecError, match="ANTHROPIC_API_KEY"):
        make("claude-opus-5", {})


def test_a_wrong_key_ends_a_run_with_one_line_and_is_written_nowhere(tmp_path: Path) -> None:
    with Wire(lambda seen: fixture("anthropic/error_401", 401)) as wire:
        ready = api.plan("mcs_bench/T2", "anthropic/claude-opus-5", base_url=wire.url)
        result = api.run_plan(ready, out=tmp_path / "run", options=RunOptions(concurrency=1), scored=False)
    assert result.outcome.fatal and "ANTHROPIC_API_KEY" in (result.outcome.stopped or "")
    assert len(wire.seen) == 1
    assert KEY.encode() not in b"".join(f.read_bytes() for f in tmp_path.rglob("*") if f.is_file())


def test_a_pause_that_is_asked_for_is_kept_to(tmp_path: Path) -> None:
    answers = [fixture("anthropic/error_429", 429, **{"retry-after": "0"}), fixture("anthropic/error_529", 529)]
    with Wire(lambda seen: answers.pop(0) if answers else fixture("anthropic/answer")) as wire:
        ready = api.plan("mcs_bench/T2", "anthropic/claude-opus-5", base_url=wire.url, limit=1)
        result = api.run_plan(ready, out=tmp_path / "run", options=RunOptions(retries=3, concurrency=1), scored=False)
    assert result.outcome.counts == {"answered": 1} and result.outcome.retries == 2 and len(wire.seen) == 3
