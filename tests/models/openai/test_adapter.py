"""The OpenAI-compatible adapter: what is sent, what is made of what comes back, and what is never shown."""

from __future__ import annotations

import asyncio
import base64
import gc
import json
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.mock_process import MockProcess
from tests.support.wire import FIXTURES, Answer, Seen, Wire
from triptych.errors import MediaError, ProviderError, SpecError
from triptych.media.payload import MediaReader
from triptych.models.adapter import Reply
from triptych.models.openai.adapter import OpenAIAdapter, make
from triptych.models.openai.body import body_bytes
from triptych.models.openai.reply import seconds, split_thinking
from triptych.models.openai.stream import read_stream
from triptych.records import Message, Part, Request, Usage, media, text
from triptych.secrets import scrub

URL = "http://127.0.0.1:9/v1"
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(range(256)) * 8


def adapter(**settings: Any) -> OpenAIAdapter:
    return make("mock", {"base_url": URL, **settings})


def body(parts: tuple[Part, ...], root: Path | None = None, settings: Any = None, **own: Any) -> dict[str, Any]:
    """The body that would be sent, decoded by another JSON library."""
    request = Request("1", (Message("user", parts),), settings or {})
    decoded: dict[str, Any] = json.loads(body_bytes(request, MediaReader(root), adapter(**own)._dialect))
    return decoded


def content(*parts: Part, root: Path | None = None, **own: Any) -> Any:
    return body(parts, root, **own)["messages"][0]["content"]


# --- what is sent


def test_text_alone_is_a_plain_string() -> None:
    words = 'quotes " \\ and\nlines, 汉字, \u2028 and \x00'
    sent = body((text(words),), settings={"temperature": 0, "max_tokens": 16, "seed": None})
    assert sent == {
        "model": "mock",
        "temperature": 0,
        "max_tokens": 16,
        "messages": [{"role": "user", "content": words}],
    }


def test_a_schema_of_the_reply_is_sent_as_the_response_format_and_can_be_dropped() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    sent = body((text("?"),), settings={"json_schema": schema})
    assert sent["response_format"] == {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}}
    assert "json_schema" not in sent
    assert "response_format" not in body((text("?"),), settings={"json_schema": schema}, drop="json_schema")


def test_several_parts_keep_their_order(root: Path) -> None:
    sent = content(text("one"), media("audio", "a.wav"), media("image", "b.jpg"), text("two"), root=root)
    assert [part["type"] for part in sent] == ["text", "input_audio", "image_url", "text"]
    assert (sent[0]["text"], sent[3]["text"]) == ("one", "two")


def test_original_bytes_are_sent(root: Path) -> None:
    (sound, picture, film) = content(
        media("audio", "a.wav"), media("image", "b.jpg"), media("video", "c.mp4"), root=root
    )
    assert sound["input_audio"]["format"] == "wav" and base64.b64decode(sound["input_audio"]["data"]) == WAV
    head, _, data = picture["image_url"]["url"].partition(",")
    assert head == "data:image/jpeg;base64" and base64.b64decode(data) == (root / "b.jpg").read_bytes()
    assert film["type"] == "video_url" and film["video_url"]["url"].startswith("data:video/mp4;base64,")


def test_settings_choose_the_form(root: Path) -> None:
    (sound,) = content(media("audio", "a.wav"), root=root, audio="audio_url")
    assert sound["type"] == "audio_url" and sound["audio_url"]["url"].startswith("data:audio/wav;base64,")
    (film,) = content(media("video", "c.mp4"), root=root, media_urls="file")
    assert film["video_url"]["url"] == (root / "c.mp4").as_uri()
    sent = body(
        (text("x"),),
        settings={"max_tokens": 5, "temperature": 1},
        max_tokens_name="max_completion_tokens",
        stream="true",
        top_logprobs="3",
        extra='{"min_p": 0.1}',
    )
    assert sent["max_completion_tokens"] == 5 and "max_tokens" not in sent
    assert sent["stream"] is True and sent["stream_options"] == {"include_usage": True}
    assert sent["logprobs"] is True and sent["top_logprobs"] == 3
    assert (sent["temperature"], sent["min_p"]) == (1, 0.1)


def test_a_field_that_extra_has_twice_is_refused() -> None:
    with pytest.raises(SpecError, match="extra is not a JSON object") as error:
        adapter(extra='{"min_p": 0.1, "min_p": 0.9}')
    assert "min_p" in str(error.value)


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ('{"temperature": 2}', "-M temperature="),
        ('{"min_p": 0.1, "model": "another"}', "--model openai/NAME"),
        ('{"messages": []}', "--prompt FILE"),
        ('{"max_completion_tokens": 1}', "max_tokens_name"),
        ('{"stream": true}', "-M stream="),
    ],
)
def test_extra_fields_change_nothing_that_is_recorded_elsewhere(extra: str, words: str) -> None:
    with pytest.raises(SpecError, match="extra can't set") as error:
        adapter(extra=extra)
    assert words in str(error.value)


def test_a_container_that_is_not_taken_is_converted(tmp_path: Path) -> None:
    import io

    import numpy as np
    import soundfile
    from PIL import Image

    samples = (np.sin(np.arange(1600) / 7) * 20_000).astype(np.int16)
    soundfile.write(tmp_path / "a.flac", samples, 16_000)
    Image.new("RGB", (3, 2), (255, 0, 0)).save(tmp_path / "b.bmp")
    sound, picture = content(media("audio", "a.flac"), media("image", "b.bmp"), root=tmp_path, audio_formats="wav,mp3")
    decoded, rate = soundfile.read(io.BytesIO(base64.b64decode(sound["input_audio"]["data"])), dtype="int16")
    assert sound["input_audio"]["format"] == "wav" and rate == 16_000 and (decoded == samples).all()
    assert picture["image_url"]["url"].startswith("data:image/png;base64,")
    (sound,) = content(media("audio", "a.flac"), root=tmp_path)
    assert sound["input_audio"]["format"] == "wav", "llama.cpp, for one, refuses everything but wav and mp3"
    (sound,) = content(media("audio", "a.flac"), root=tmp_path, server="vllm")
    assert sound["input_audio"]["format"] == "flac"
    assert base64.b64decode(sound["input_audio"]["data"]) == (tmp_path / "a.flac").read_bytes()
    (tmp_path / "c.flac").write_bytes(b"fLaC and nothing else")
    with pytest.raises(MediaError, match="can't be decoded"):
        content(media("audio", "c.flac"), root=tmp_path, audio_formats="wav")


def test_large_media_are_coded_in_a_thread_to_the_same_body(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = (media("audio", "a.wav"), text("?"))
    request, reader = Request("1", (Message("user", parts),)), MediaReader(root)
    small = asyncio.run(adapter().prepare(request, reader))
    monkeypatch.setattr("triptych.models.openai.adapter.LARGE", 10)
    assert asyncio.run(adapter().prepare(request, reader)) == small
    (root / "a.wav").unlink()
    with pytest.raises(MediaError):
        asyncio.run(adapter().prepare(request, reader))


def test_paths_outside_the_data_root_are_refused(root: Path) -> None:
    for path in ("../x.wav", "/etc/passwd", "https://example.org/x.wav", "file:///etc/passwd"):
        with pytest.raises(MediaError):
            content(media("audio", path), root=root)


def test_what_is_not_taken_is_not_accepted() -> None:
    assert adapter().accepts == {"text", "audio", "image", "video"}
    assert adapter(audio="none", video="none").accepts == {"text", "image"}


# --- settings and keys


def test_wrong_settings_are_refused() -> None:
    for wrong, words in (
        ({"audio": "audio_link"}, "audio_url"),
        ({"strem": "true"}, "stream"),
        ({"extra": "[1]"}, "JSON object"),
        ({"base_url": "localhost:8000"}, "not a valid URL"),
        ({"stream": "perhaps"}, "bool"),
    ):
        with pytest.raises(SpecError, match=words):
            adapter(**wrong)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://host/v1",
        "http://",
        "http:///v1",
        "http://host:99999/v1",
        "http://host:x/v1",
        "http://[::1/v1",
        "http://exa mple/v1",
        "host:8000/v1",
    ],
)
def test_what_is_no_endpoint_is_refused_before_anything_is_asked(url: str) -> None:
    with pytest.raises(SpecError, match="not a valid URL"):
        adapter(base_url=url)


def test_a_user_in_the_address_and_a_key_are_one_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    address = "http://me:secret-word@127.0.0.1:9/v1"
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with pytest.raises(SpecError, match="unset OPENAI_API_KEY") as refused:
        make("m", {"base_url": address})
    assert "secret-word" not in str(refused.value)
    monkeypatch.delenv("OPENAI_API_KEY")
    assert make("m", {"base_url": address}).name == "openai/m"


def test_the_official_endpoint_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SpecError, match="OPENAI_API_KEY"):
        make("gpt-4o", {})
    with pytest.raises(SpecError, match="TRIPTYCH_MY_API_KEY"):
        make("gpt-4o", {"key_env": "TRIPTYCH_MY_API_KEY"})
    monkeypatch.setenv("OPENAI_API_KEY", "k" * 20)
    official = make("gpt-4o", {})
    assert official.endpoint == "https://api.openai.com/v1"
    assert official._dialect.audio_formats == {"wav", "mp3"}
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere/v1/")
    assert make("gpt-4o", {}).endpoint == "http://elsewhere/v1"


def test_a_key_out_of_a_file_brings_its_line_break(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "top-secret-42\r\n")
    seen: list[dict[str, str]] = []

    def answer(request: Seen) -> Answer:
        seen.append(request.headers)
        return Answer(401, b'{"error": {"message": "no such key: top-secret-42"}}')

    with Wire(answer) as wire, pytest.raises(ProviderError) as error:
        asked_of(wire)
    assert seen[0]["authorization"] == "Bearer top-secret-42"
    assert "top-secret" not in str(error.value)
    assert "top-secret" not in scrub("no such key: top-secret-42")


def test_identity_holds_what_can_change_an_answer_and_no_more() -> None:
    told = adapter(stream="true", logprobs="true", extra='{"min_p": 0.1}', key_env="TRIPTYCH_X_API_KEY", revision="r7")
    assert told.settings == {"logprobs": True, "extra": '{"min_p": 0.1}'}
    assert (told.name, told.revision) == ("openai/mock", "r7")


# --- what comes back, whole


def whole(message: dict[str, Any] | None = None, finish: str | None = "stop", **more: Any) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", "content": "B"} | (message or {}), "finish_reason": finish}
    return json.dumps({"id": "x", "model": "served-1", "choices": [choice], **more}).encode()


@pytest.mark.parametrize(
    ("whole_text", "said", "thought"),
    [
        ("B", "B", None),
        (" B\n", " B\n", None),
        ("<think>a</think>B", "B", "a"),
        ("<think></think>B", "B", None),
        ("a</think>\nB", "B", "a"),
        ("<think>cut of", "", "cut of"),
        ("B, since <think> is a tag and </think> too", "B, since <think> is a tag and </think> too", None),
    ],
)
def test_split_thinking(whole_text: str, said: str, thought: str | None) -> None:
    assert split_thinking(whole_text) == (said, thought)


def test_retry_after() -> None:
    from datetime import UTC, datetime, timedelta
    from email.utils import format_datetime

    assert (seconds("7"), seconds("0.5"), seconds("-3"), seconds(None), seconds("soon")) == (7, 0.5, 0, None, None)
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert 28 < (seconds(date) or 0) <= 30
    assert seconds("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert seconds("Mon, 01 Jan 99999999999999999999 00:00:00 GMT") is None
    assert seconds("nan") is seconds("inf") is seconds("1e999") is None


def test_a_date_to_come_back_at_is_read_by_the_servers_own_clock() -> None:
    """This machine's may be years off, or be set meanwhile."""
    sent, until = "Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 07:28:30 GMT"
    assert seconds(until, sent) == 30 and seconds(sent, until) == 0
    assert seconds("7", sent) == 7 and seconds(until, "yesterday") == 0
    headers = {"Retry-After": until, "Date": sent}
    with Wire(lambda seen: Answer(429, b"{}", headers)) as wire, pytest.raises(ProviderError) as error:
        asked_of(wire)
    assert error.value.retry_after == 30


# --- streams


class Pieces:
    """A body that comes in pieces of a size."""

    def __init__(self, raw: bytes, size: int) -> None:
        self.raw, self.size = raw, size

    async def iter_any(self) -> AsyncIterator[bytes]:
        for at in range(0, len(self.raw), self.size):
            yield self.raw[at : at + self.size]


def chunk(delta: dict[str, Any] | None = None, finish: str | None = None, **more: Any) -> bytes:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish, **more}]
    return b"data: " + json.dumps({"model": "m", "choices": choices}, ensure_ascii=False).encode() + b"\n\n"


STREAM = b"".join(
    [
        b": a comment\n\n",
        chunk({"role": "assistant", "content": ""}),
        chunk({"content": "甲"}),
        chunk({"content": "乙\r\n"}),
        chunk({"reasoning_content": "hm"}),
        chunk({}, "stop"),
        b'event: message\r\ndata: {"choices": [],\r\ndata: "usage":{"prompt_tokens":5,"completion_tokens":2}}\r\n\r\n',
        b"data: [DONE]\n\n",
    ]
)


def read(raw: bytes, size: int = 7) -> Reply:
    return asyncio.run(read_stream(Pieces(raw, size)))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 10_000])
def test_a_stream_cut_anywhere_into_pieces_says_the_same(size: int) -> None:
    assert read(STREAM, size) == Reply(
        "甲乙\r\n", finish_reason="stop", usage=Usage(5, 2), thinking="hm", served_model="m"
    )


def test_a_stream_that_breaks_off_is_no_answer() -> None:
    finished = STREAM.index(b'"finish_reason": "stop"')
    for end in range(0, finished, 5):
        with pytest.raises(ProviderError) as error:
            read(STREAM[:end])
        assert (error.value.kind, error.value.retryable) == ("connection", True), end
    assert read(STREAM[: finished + 40]).text == "甲乙\r\n", "after the finish reason only counts are lost"


# --- DashScope (Qwen-Omni): replies come in streams alone, sound goes in as a data URL


def dashscope(name: str, root: Path) -> tuple[Reply, dict[str, Any]]:
    """A recorded stream, asked for as the service wants it; and what was sent."""
    recorded = Answer(body=(FIXTURES / "dashscope" / f"{name}.sse").read_bytes(), kind="text/event-stream")

    async def whole(asked: OpenAIAdapter) -> Reply:
        request = Request(
            "1", (Message("user", (media("audio", "a.wav"), text("?"))),), {"top_k": 50, "temperature": 0}
        )
        await asked.open()
        try:
            return await asked.respond(request, await asked.prepare(request, MediaReader(root)))
        finally:
            await asked.close()

    with Wire(lambda seen: recorded) as wire:
        settings = {"stream": "true", "modalities": "text", "audio": "input_audio_url", "drop": "top_k"}
        reply = asyncio.run(whole(make("qwen3-omni-flash", {"base_url": f"{wire.url}/compatible-mode/v1", **settings})))
        return reply, wire.seen[0].json


def test_a_stream_of_dashscope(root: Path) -> None:
    reply, sent = dashscope("text", root)
    assert reply == Reply(
        "一个人正在厨房修理机器",
        finish_reason="stop",
        usage=Usage(412, 27, None, None, 380),
        served_model="qwen3-omni-flash",
    )
    assert (
        sent["stream"] is True and sent["stream_options"] == {"include_usage": True} and sent["modalities"] == ["text"]
    )
    assert "top_k" not in sent and sent["temperature"] == 0
    sound = sent["messages"][0]["content"][0]["input_audio"]
    head, _, data = sound["data"].partition(",")
    assert (head, sound["format"]) == ("data:audio/wav;base64", "wav") and base64.b64decode(data) == WAV


def test_streams_end_as_whole_replies_do() -> None:
    done = b"data: [DONE]\n\n"
    assert read(chunk({"content": "B"}, "stop") + done.rstrip()).text == "B"
    assert read(chunk({"content": "B"}, "length") + done).status == "truncated"
    assert read(chunk({"refusal": "No."}, "stop") + done).status == "refused"
    assert read(chunk({}, "content_filter") + done).status == "refused"
    for raw in (done, chunk() + done, chunk({"role": "assistant"}, "stop") + done):
        with pytest.raises(ProviderError) as error:
            read(raw)
        assert error.value.kind == "malformed"
    with pytest.raises(ProviderError, match="overloaded"):
        read(chunk({"content": "B"}) + b'data: {"error": {"message": "overloaded"}}\n\n' + done)
    with pytest.raises(ProviderError) as error:
        read(b'data: {"choices": [{"del\n\n' + done)
    assert error.value.kind == "malformed"


PART = chunk({"content": "The answer is n"})


@pytest.mark.parametrize(
    ("rest", "kind"),
    [
        (b"data: [DONE]\n\n", "malformed"),
        (b"data: [DONE]", "malformed"),
        (b"", "connection"),
        (b'data: {"object": "error", "message": "out of memory", "code": 500}\n\ndata: [DONE]\n\n', "server"),
        (b'data: {"type": "error", "message": "out of memory"}\n\ndata: [DONE]\n\n', "server"),
        (b'event: error\ndata: {"message": "out of memory"}\n\n' + chunk({}, "stop"), "server"),
        (b"event: error\ndata: out of memory\n\n" + chunk({}, "stop") + b"data: [DONE]\n\n", "server"),
        (b'data: {"error": {"message": "slow down", "code": 429}}\n\n', "rate_limit"),
        (chunk({}, "error") + b"data: [DONE]\n\n", "server"),
        (b"data: oops\n\n" + chunk({}, "stop"), "malformed"),
    ],
)
def test_a_stream_that_breaks_off_after_part_of_the_text_is_no_answer(rest: bytes, kind: str) -> None:
    with pytest.raises(ProviderError) as error:
        read(PART + rest)
    assert (error.value.kind, error.value.retryable) == (kind, True)


def test_the_end_of_an_error_event_ends_its_name() -> None:
    assert read(b"event: error\n\n" + chunk({"content": "B"}, "stop")).text == "B"


def test_logprobs_of_a_stream_are_joined() -> None:
    one, two = ({"content": [{"token": t, "logprob": -1}]} for t in "AB")
    reply = read(chunk({"content": "A"}, logprobs=one) + chunk({"content": "B"}, "stop", logprobs=two))
    assert reply.logprobs is not None
    assert json.loads(reply.logprobs) == {"content": one["content"] + two["content"]}


def test_of_several_answers_in_a_stream_the_first_counts() -> None:
    def other(words: str) -> bytes:
        return chunk({"content": words}).replace(b'"index": 0', b'"index": 1')

    assert read(chunk({"content": "A"}) + other("x") + chunk({"content": "B"}, "stop") + other("y")).text == "AB"


def test_a_mark_of_the_byte_order_costs_no_word() -> None:
    assert read(b"\xef\xbb\xbf" + chunk({"content": "A"}) + chunk({"content": "B"}, "stop")).text == "AB"


# --- against a server


@pytest.fixture(scope="module")
def process() -> Iterator[MockProcess]:
    with MockProcess() as running:
        yield running


def ask(mock: MockProcess, words: str = "Which?\nA. fox\nB. hen", **settings: Any) -> Reply:
    asked = make("mock", {"base_url": mock.base_url, **settings})
    request = Request("1", (Message("user", (text(words),)),), {"temperature": 0})

    async def once() -> Reply:
        await asked.open()
        try:
            return await asked.respond(request, await asked.prepare(request, MediaReader(None)))
        finally:
            await asked.close()

    return asyncio.run(once())


@pytest.mark.parametrize("stream", [False, True])
def test_asking_a_server(process: MockProcess, stream: bool) -> None:
    process.configure(answer="text:多 words", faults={})
    reply = ask(process, stream=stream, logprobs=True)
    assert (reply.text, reply.status, reply.finish_reason, reply.served_model) == (
        "多 words",
        "answered",
        "stop",
        "mock",
    )
    assert reply.usage == Usage(6, 2)
    assert reply.logprobs is not None and len(json.loads(reply.logprobs)["content"]) == 7


@pytest.mark.parametrize(
    ("fault", "kinds"),
    [
        ("429", {"rate_limit"}),
        ("429_date", {"rate_limit"}),
        ("500", {"server"}),
        ("503", {"server"}),
        ("cut", {"connection"}),
        ("malformed", {"malformed"}),
        ("empty_choices", {"malformed"}),
        ("null", {"malformed"}),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_faults_are_what_they_are(process: MockProcess, fault: str, kinds: set[str], stream: bool) -> None:
    process.configure(faults={fault: 1.0}, answer="letter")
    with pytest.raises(ProviderError) as error:
        ask(process, stream=stream)
    process.configure(faults={})
    assert error.value.kind in kinds and error.value.retryable and not error.value.fatal
    if fault.startswith("429"):
        assert error.value.retry_after is not None and 0 <= error.value.retry_after <= 2


def test_nobody_there() -> None:
    asked = adapter()
    request = Request("1", (Message("user", (text("x"),)),))

    async def once() -> None:
        await asked.open()
        try:
            await asked.respond(request, await asked.prepare(request, MediaReader(None)))
        finally:
            await asked.close()

    with pytest.raises(ProviderError, match=r"no connection to http://127\.0\.0\.1:9/v1") as error:
        asyncio.run(once())
    assert (error.value.kind, error.value.retryable) == ("connection", True)


def asked_of(wire: Wire, **settings: Any) -> Reply:
    asked = make("mock", {"base_url": f"{wire.url}/v1", **settings})

    async def once() -> Reply:
        await asked.open()
        try:
            return await asked.respond(Request("1", ()), b"{}")
        finally:
            await asked.close()

    return asyncio.run(once())


def test_a_gateways_error_comes_whole_even_where_a_stream_was_asked_for() -> None:
    body = b'{"error": {"message": "no such key", "code": "invalid_api_key"}}'
    with Wire(lambda seen: Answer(200, body)) as wire, pytest.raises(ProviderError, match="no such key") as error:
        asked_of(wire, stream="true")
    assert error.value.kind == "auth" and error.value.fatal
    with Wire(lambda seen: Answer(200, whole())) as wire:
        assert asked_of(wire, stream="true").text == "B"


@pytest.mark.parametrize(("status", "stream"), [(200, "false"), (200, "true"), (500, "false")])
def test_a_reply_without_end_fails_its_item(monkeypatch: pytest.MonkeyPatch, status: int, stream: str) -> None:
    monkeypatch.setattr("triptych.models.http.bounded.MAX_BODY_BYTES", 1 << 20)
    endless = Answer(status, b" " * (1 << 21), kind="text/event-stream")
    with Wire(lambda seen: endless) as wire, pytest.raises(ProviderError, match="more than 1 MB") as error:
        asked_of(wire, stream=stream)
    assert (error.value.kind, error.value.fatal) == ("malformed", False)


@pytest.mark.parametrize("stream", ["false", "true"])
def test_a_broken_connection_keeps_no_body(stream: str) -> None:
    """Bodies are large and the garbage collector comes seldom: none may wait for it."""
    body = bytes(1000)
    asked = make("mock", {"base_url": URL, "stream": stream})

    async def once() -> None:
        await asked.open()
        try:
            await asked.respond(Request("1", ()), body)
        except ProviderError as error:  # pytest.raises would keep it
            kinds.append(error.kind)
        await asked.close()

    kinds: list[str] = []
    gc.collect()
    gc.disable()
    try:
        before = sys.getrefcount(body)
        with Wire(lambda seen: Answer(200, b"data: half of it", kind="text/event-stream", cut=True)) as wire:
            asked.endpoint = f"{wire.url}/v1"
            asyncio.run(once())
        assert (kinds, sys.getrefcount(body)) == (["connection"], before)
    finally:
        gc.enable()


def test_a_redirect_is_not_followed_with_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key-that-stays-here")
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 307 Moved\r\nLocation: /elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        writer.close()

    async def once() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        told = make("mock", {"base_url": f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"})
        await told.open()
        request = Request("1", (Message("user", (text("x"),)),))
        try:
            await told.respond(request, await told.prepare(request, MediaReader(None)))
        finally:
            await told.close()
            server.close()

    with pytest.raises(ProviderError, match="--model-base-url") as error:
        asyncio.run(once())
    assert error.value.fatal and len(asked) == 1 and b"a-key-that-stays-here" in asked[0]


def test_a_wrong_key_is_fatal_and_never_shown(process: MockProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    process.configure(key="the-right-one")
    monkeypatch.setenv("TRIPTYCH_MY_API_KEY", "the-wrong-one-12345")
    try:
        with pytest.raises(ProviderError, match="TRIPTYCH_MY_API_KEY") as error:
            ask(process, key_env="TRIPTYCH_MY_API_KEY")
        monkeypatch.setenv("TRIPTYCH_MY_API_KEY", "the-right-one")
        assert ask(process, key_env="TRIPTYCH_MY_API_KEY").status == "answered"
    finally:
        process.configure(key="")
    assert (error.value.kind, error.value.fatal) == ("auth", True)
    told = make("mock", {"base_url": URL, "key_env": "TRIPTYCH_MY_API_KEY"})
    for shown in (str(error.value), repr(vars(told)), repr(told.settings)):
        assert "the-wrong" not in shown and "the-right" not in shown


def test_an_unknown_model_is_fatal(process: MockProcess) -> None:
    process.configure(model="another")
    try:
        with pytest.raises(ProviderError, match="does not exist") as error:
            ask(process)
    finally:
        process.configure(model="")
    assert (error.value.kind, error.value.fatal) == ("unknown_model", True)


def test_a_server_that_streams_only_says_what_to_do(process: MockProcess) -> None:
    process.configure(require_stream=True)
    try:
        with pytest.raises(ProviderError, match="-M stream=true"):
            ask(process)
        assert ask(process, stream=True).status == "answered"
    finally:
        process.configure(require_stream=False)
