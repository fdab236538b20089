"""Gemini: what is sent, what is made of recorded replies, uploads, and what is never shown."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.strange import Exchange, Strange, answer_to, listen_until_quiet
from tests.support.survived import survive
from tests.support.wire import Answer, Seen, Wire, fixture
from triptych.errors import MediaError, ProviderError, SpecError
from triptych.media.payload import MediaReader
from triptych.models.adapter import Reply
from triptych.models.gemini.adapter import GeminiAdapter, make
from triptych.models.registry import load_adapter
from triptych.records import Message, Part, Request, media, text

pytest.importorskip("google.genai")


KEY = "AIzaSyTestTestTestTestTestTestTestTest00"
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(range(256)) * 8
FILM = b"\x00\x00\x00\x18ftypmp42" + b"a film" * 4000


def adapter(wire: Wire, **settings: Any) -> GeminiAdapter:
    return make("gemini-2.5-flash", {"base_url": wire.url, **settings})


def ask(asked: GeminiAdapter, *requests: Request, root: Path | None = None) -> list[Reply]:
    """Open, ask one after the other, close."""

    async def whole() -> list[Reply]:
        reader = MediaReader(root)
        await asked.open()
        try:
            return [await asked.respond(request, await asked.prepare(request, reader)) for request in requests]
        finally:
            await asked.close()

    return asyncio.run(whole())


def request(*parts: Part, system: str = "", **settings: Any) -> Request:
    before = (Message("system", (text(system),)),) if system else ()
    return Request("1", (*before, Message("user", parts or (text("?"),))), settings)


def replied(name: str, status: int = 200, **settings: Any) -> Reply:
    """What a recorded reply becomes."""
    with Wire(lambda seen: fixture(f"gemini/{name}", status)) as wire:
        return ask(adapter(wire, **settings), request())[0]


def plain(value: Any) -> Any:
    """JSON with its keys in one spelling: the service takes `mime_type` and `mimeType`, and the SDK sends both."""
    if isinstance(value, dict):
        return {re.sub(r"_([a-z])", lambda m: m[1].upper(), key): plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list) else value


def failed(answer: Callable[[Seen], Answer], **settings: Any) -> ProviderError:
    with Wire(answer) as wire, pytest.raises(ProviderError) as caught:
        ask(adapter(wire, **settings), request())
    assert len(wire.seen) == 1  # the SDK retries nothing
    return caught.value


@pytest.mark.parametrize("client", ["httpx", "httpx2"])
def test_no_http_client_is_needed_but_the_one_that_the_sdk_brings(client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, client, None)  # importing it fails, as where it isn't installed
    with Wire(lambda seen: fixture("gemini/answer")) as wire:
        assert ask(adapter(wire), request())[0].text


# --- what is sent


def test_a_schema_of_the_reply_is_sent_as_the_service_takes_it() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    with Wire(lambda seen: fixture("gemini/answer")) as wire:
        ask(adapter(wire), request(json_schema=schema))
    sent = plain(wire.seen[0].json)["generationConfig"]
    assert (sent["responseMimeType"], sent["responseJsonSchema"]) == ("application/json", schema)


def test_text_media_and_system_go_as_the_service_documents_them(root: Path) -> None:
    asked = request(
        text("one"),
        media("audio", "a.wav"),
        media("image", "b.jpg"),
        media("video", "c.mp4"),
        text("two"),
        system="Be brief.",
        temperature=0,
        max_tokens=16,
        top_k=1,
        seed=7,
        stop="\n",
    )
    with Wire(lambda seen: fixture("gemini/answer")) as wire:
        ask(adapter(wire, thinking_budget="512", video_fps="2", safety="off", media_resolution="low"), asked, root=root)
    (seen,) = wire.seen
    sent = plain(seen.json)
    assert seen.path.endswith("/models/gemini-2.5-flash:generateContent")
    assert seen.headers["x-goog-api-key"] == KEY and KEY not in seen.path
    (turn,) = sent["contents"]
    assert turn["role"] == "user" and [next(iter(part)) for part in turn["parts"]] == [
        "text",
        "inlineData",
        "inlineData",
        next(iter(turn["parts"][3])),
        "text",
    ]
    assert base64.urlsafe_b64decode(turn["parts"][1]["inlineData"]["data"] + "==") == WAV
    mimes = [part["inlineData"]["mimeType"] for part in turn["parts"][1:4]]
    assert mimes == ["audio/wav", "image/jpeg", "video/mp4"]
    assert turn["parts"][3]["videoMetadata"] == {"fps": 2.0}
    assert sent["systemInstruction"]["parts"] == [{"text": "Be brief."}]
    config = sent["generationConfig"]
    assert config["maxOutputTokens"] == 16 + 512  # the budget comes on top
    assert config["thinkingConfig"] == {"thinkingBudget": 512}
    assert (config["temperature"], config["topK"], config["seed"]) == (0, 1, 7)
    assert config["stopSequences"] == ["\n"] and config["mediaResolution"] == "MEDIA_RESOLUTION_LOW"
    assert {s["threshold"] for s in sent["safetySettings"]} == {"OFF"} and len(sent["safetySettings"]) == 4


def test_nothing_is_said_that_was_not_asked_for() -> None:
    with Wire(lambda seen: fixture("gemini/answer")) as wire:
        ask(adapter(wire, drop="top_k"), request(top_k=50, temperature=0.8))
    assert plain(wire.seen[0].json)["generationConfig"] == {"temperature": 0.8}
    assert "safetySettings" not in wire.seen[0].json and "systemInstruction" not in wire.seen[0].json


def test_a_container_that_the_service_does_not_take_is_converted(tmp_path: Path) -> None:
    from PIL import Image

    Image.new("RGB", (3, 2), (255, 0, 0)).save(tmp_path / "b.gif")
    with Wire(lambda seen: fixture("gemini/answer")) as wire:
        ask(adapter(wire), request(media("image", "b.gif")), root=tmp_path)
    assert plain(wire.seen[0].json)["contents"][0]["parts"][0]["inlineData"]["mimeType"] == "image/png"


# --- what comes back


def test_a_redirect_is_not_followed_with_the_key() -> None:
    with Wire(lambda seen: fixture("gemini/answer")) as other:
        error = failed(lambda seen: Answer(307, b"{}", {"Location": other.url.replace("127.0.0.1", "localhost")}))
        assert not other.seen
    assert error.fatal and "redirect" in str(error)


def test_what_a_reply_can_cost_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.models.http.bounded.MAX_BODY_BYTES", 1 << 20)
    packed = gzip.compress(b" " * (1 << 24))
    for answer in (
        Answer(body=b" " * (1 << 21)),
        Answer(body=packed, headers={"Content-Encoding": "gzip"}),
        Answer(500, b" " * (1 << 21)),
    ):
        error = failed(lambda seen, answer=answer: answer)  # type: ignore[misc]
        assert (error.kind, error.retryable) == ("malformed", False) and "more than 1 MB" in str(error)


def test_answers_that_lag_by_one_are_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first connection lags; the last Request's own answer comes when nothing is asked any more."""
    listen_until_quiet(monkeypatch)

    def said(question: str) -> bytes:
        told = json.loads(fixture("gemini/answer").body)
        told["candidates"][0]["content"]["parts"] = [{"text": answer_to(question)}]
        return json.dumps(told).encode()

    async def lag(exchange: Exchange) -> None:
        lines[:] = lines or [exchange.writer]
        number = int(exchange.question.rpartition(" ")[2])
        lags = exchange.writer is lines[0] and number > 1
        await exchange.body(said(f"question {number - 1}" if lags else exchange.question))
        if lags and number == 5:
            await asyncio.sleep(0.1)
            await exchange.body(said(exchange.question))

    lines: list[object] = []
    read = lambda told: told["contents"][-1]["parts"][0]["text"]  # noqa: E731
    with Strange(lag, share=1.0, times=9, latency=0.002, read=read) as server:
        asked = make("m", {"base_url": server.base_url.removesuffix("/v1")})
        found = survive(tmp_path, server, number=6, width=1, adapter=asked)
    assert (found.right, found.mislabelled, found.failed) == (6, 0, 0)
    assert found.asked_twice == 5


def test_odd_bodies_and_broken_connections_are_asked_again() -> None:
    whole = fixture("gemini/answer").body
    for answer in (
        Answer(body=whole[:-9]),
        Answer(body=b"<html>"),
        Answer(body=whole, cut=True),
        Answer(body=b"[]"),
        Answer(502, b"<html>Bad Gateway</html>", kind="text/html"),
    ):
        error = failed(lambda seen, answer=answer: answer)  # type: ignore[misc]
        assert error.retryable and not error.fatal and error.kind in ("malformed", "connection", "server")
    nobody = make("m", {"base_url": "http://127.0.0.1:9"})
    with pytest.raises(ProviderError) as caught:
        ask(nobody, request())
    assert (caught.value.kind, caught.value.retryable) == ("connection", True)


# --- settings and keys


def test_wrong_settings_are_refused() -> None:
    for wrong, words in (
        ({"thinking_budget": "much"}, "tokens"),
        ({"thinkingbudget": "1"}, "thinking_budget"),
        ({"base_url": "here"}, "URL"),
        ({"thinking_budget": "0", "thinking_level": "low"}, "combined"),
        ({"media_resolution": "4k"}, "resolution"),
    ):
        with pytest.raises(SpecError, match=words):
            make("m", wrong)


def test_the_official_endpoint_needs_a_key_and_shows_it_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = load_adapter("gemini/gemini-2.5-pro", {"thinking_budget": "64", "inline_mb": "3"})
    assert asked.endpoint == "https://generativelanguage.googleapis.com"
    assert asked.settings == {"thinking_budget": 64} and asked.accepts == {"text", "audio", "image", "video"}
    assert KEY not in repr(vars(asked))
    monkeypatch.delenv("GEMINI_API_KEY")
    with pytest.raises(SpecError, match="GEMINI_API_KEY"):
        make("gemini-2.5-pro", {})


def test_paths_outside_the_data_root_are_refused(root: Path) -> None:
    with Wire(lambda seen: fixture("gemini/answer")) as wire, pytest.raises(MediaError):
        ask(adapter(wire), request(media("audio", "../x.wav")), root=root)
    assert not wire.seen
