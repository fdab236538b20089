"""What a chat completions endpoint sends back, read as a Reply or as the ProviderError that it amounts to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any, Protocol

import msgspec

from triptych.errors import ProviderError
from triptych.metrics.thinking import split_thinking
from triptych.models.adapter import Reply
from triptych.models.http_faults import fault, seconds
from triptych.records import ResponseStatus, Usage
from triptych.records.unreadable import UNREADABLE

_SHOWN = 500  # characters of a server's words in an error
_TRUNCATED = frozenset({"length", "model_length", "max_tokens", "MAX_TOKENS"})
_REFUSED = frozenset(
    {"content_filter", "refusal", "sensitive", "safety", "SAFETY", "PROHIBITED_CONTENT", "RECITATION", "BLOCKLIST"}
)
# The server ended it, not the model: vLLM and SGLang, OpenRouter and Mistral, watsonx, Zhipu, DeepSeek
_BROKEN = frozenset({"abort", "error", "cancelled", "network_error", "insufficient_system_resource"})
_NULL = msgspec.Raw(b"null")
_BOM = b"\xef\xbb\xbf"


class _Text(msgspec.Struct, gc=False):
    text: str | None = None


class _Spoken(msgspec.Struct, gc=False):
    transcript: str | None = None


class _Message(msgspec.Struct, gc=False):
    content: str | list[_Text] | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    audio: _Spoken | None = None

    @property
    def said(self) -> str | None:
        """The text; of a reply that was spoken, its transcript. The sound itself is never read."""
        text = _joined(self.content)
        return text or (self.audio and self.audio.transcript) or text


class _Choice(msgspec.Struct, gc=False):
    message: _Message | None = None
    delta: _Message | None = None
    index: int | None = None
    finish_reason: str | None = None
    logprobs: msgspec.Raw = _NULL


_Count = Annotated[int, msgspec.Meta(ge=0)]


class _InputDetails(msgspec.Struct, gc=False):
    cached_tokens: int | None = None
    audio_tokens: int | None = None


class _OutputDetails(msgspec.Struct, gc=False):
    reasoning_tokens: int | None = None


class _Usage(msgspec.Struct, gc=False):
    prompt_tokens: _Count | None = None
    completion_tokens: _Count | None = None
    prompt_tokens_details: _InputDetails | None = None
    completion_tokens_details: _OutputDetails | None = None


class _Completion(msgspec.Struct, gc=False):
    choices: list[_Choice] | None = None
    usage: msgspec.Raw = _NULL
    model: str | None = None
    error: Any = None


class _LogProbs(msgspec.Struct, gc=False):
    content: list[msgspec.Raw] | None = None


_COMPLETION = msgspec.json.Decoder(_Completion)
_LOGPROBS = msgspec.json.Decoder(_LogProbs)
_USAGE = msgspec.json.Decoder(_Usage | None, strict=False)
_ANYTHING = msgspec.json.Decoder()


class Chunks(Protocol):
    """A body that comes in pieces, as aiohttp's StreamReader gives it."""

    def iter_any(self) -> AsyncIterator[bytes]:
        """Whatever has come."""


def read_reply(body: bytes) -> Reply:
    """The Reply in a whole body. Raises ProviderError where it holds no answer."""
    completion = _decode(body)
    if not completion.choices or (message := completion.choices[0].message) is None:
        raise _malformed("a reply without choices", body)
    choice = completion.choices[0]
    return _reply(
        message.said, choice.finish_reason, message.refusal,
        message.reasoning_content or message.reasoning, completion, _kept(bytes(choice.logprobs)),
    )  # fmt: skip


async def read_stream(chunks: Chunks) -> Reply:
    """The Reply in a stream of server-sent events. Raises ProviderError where it breaks off or holds no answer."""
    text: list[str] = []
    refusal: list[str] = []
    thinking: list[str] = []
    logprobs: list[bytes] = []
    whole, finish, ended, spoke = _Completion(), None, False, False
    async for data in events(chunks):
        if data.strip() == b"[DONE]":
            ended = True
            break
        event = _decode(data)
        whole.model = event.model or whole.model
        whole.usage = whole.usage if bytes(event.usage) == b"null" else event.usage
        for choice in event.choices or ():
            if choice.index:  # another answer: only the first is asked for
                continue
            finish = choice.finish_reason or finish
            logprobs += _token_logprobs(choice.logprobs)
            if delta := choice.delta or choice.message:
                spoke = spoke or delta.said is not None
                text.append(delta.said or "")
                refusal.append(delta.refusal or "")
                thinking.append(delta.reasoning_content or delta.reasoning or "")
    if not (ended or finish):
        raise ProviderError("the stream broke off", kind="connection", retryable=True)
    said = "".join(text)
    if not said and not finish:
        raise _malformed("a stream without choices", b"")
    return _reply(said if spoke else None, finish, "".join(refusal), "".join(thinking), whole,
                  _kept(b'{"content":[' + b",".join(logprobs) + b"]}") if logprobs else None)  # fmt: skip


async def events(chunks: Chunks) -> AsyncIterator[bytes]:
    """The data of each server-sent event; comments and other fields are left out, a last half event too."""
    rest, data = b"", []
    async for chunk in chunks.iter_any():
        rest += chunk
        *lines, rest = rest.split(b"\n")
        for line in lines:
            line = line.removesuffix(b"\r").removeprefix(_BOM)
            if line.startswith(b"data:"):
                data.append(line[5:].removeprefix(b" "))
            elif not line and data:
                yield b"\n".join(data)
                data = []
    if rest.startswith(b"data:"):
        data.append(rest[5:].strip())
    if data == [b"[DONE]"]:  # some servers forget the empty line after it
        yield data[0]


def read_error(status: int, body: bytes, retry_after: str | None = None) -> ProviderError:
    """What a status other than 200 amounts to."""
    message, code = _server_words(body)
    return fault(status, message, code, seconds(retry_after))


def _decode(body: bytes) -> _Completion:
    """The completion; an error that comes with status 200, as gateways send it, is raised as what it is."""
    try:
        completion = _COMPLETION.decode(body)
    except UNREADABLE as error:
        raise _malformed(f"a reply that can't be read ({error})", body) from None
    if completion.error:
        code = completion.error.get("code") if isinstance(completion.error, dict) else None
        raise read_error(code if isinstance(code, int) and 400 <= code < 600 else 500, body)
    return completion


def _reply(
    text: str | None,
    finish: str | None,
    refusal: str | None,
    reasoning: str | None,
    completion: _Completion,
    logprobs: bytes | None,
) -> Reply:
    status: ResponseStatus = "answered"
    if refusal or finish in _REFUSED:
        status = "refused"
    elif finish in _TRUNCATED:
        status = "truncated"
    elif finish in _BROKEN:
        raise ProviderError(f"the server broke the answer off ({finish})", kind="server", retryable=True)
    elif text is None and not reasoning:  # to have only thought is an answer without words, and comes again
        raise _malformed(f"a reply without text (finish reason {finish})", b"")
    said, thought = split_thinking(text or refusal or "")
    return Reply(
        text=said,
        status=status,
        finish_reason=finish,
        usage=_usage(completion.usage),
        thinking=reasoning or thought,
        logprobs=logprobs,
        served_model=completion.model,
    )


def _usage(raw: msgspec.Raw) -> Usage | None:
    """The tokens; None where none are told, or in no numbers that can be: the answer is one all the same."""
    try:
        told = _USAGE.decode(raw)
    except UNREADABLE:
        return None
    if told is None:
        return None
    given, made = told.prompt_tokens_details, told.completion_tokens_details
    return Usage(
        told.prompt_tokens,
        told.completion_tokens,
        made.reasoning_tokens if made else None,
        given.cached_tokens if given else None,
        given.audio_tokens if given else None,
    )


def _joined(content: str | list[_Text] | None) -> str | None:
    if isinstance(content, list):
        return "".join(part.text or "" for part in content)
    return content


def _kept(logprobs: bytes) -> bytes | None:
    """Log-probabilities as they came; None where a journal that holds them could not be read again."""
    try:
        return logprobs if _ANYTHING.decode(logprobs) is not None else None
    except UNREADABLE:
        return None


def _token_logprobs(raw: msgspec.Raw) -> list[bytes]:
    """The tokens' log-probabilities of one event."""
    try:
        told = _LOGPROBS.decode(raw) if bytes(raw) != b"null" else None
    except UNREADABLE:
        return []
    return [bytes(token) for token in (told.content if told else None) or ()]


def _server_words(body: bytes) -> tuple[str, str]:
    """(message, code) of an error body, or its first characters where it has another form."""
    try:
        told = msgspec.json.decode(body)
    except UNREADABLE:
        return " ".join(body[:_SHOWN].decode("utf-8", "replace").split()), ""
    inner = told.get("error", told) if isinstance(told, dict) else told
    if isinstance(inner, dict):
        message = inner.get("message") or inner.get("detail") or str(inner)
        return str(message)[:_SHOWN], str(inner.get("code") or inner.get("type") or "")
    return str(inner)[:_SHOWN], ""


def _malformed(problem: str, body: bytes) -> ProviderError:
    shown = body[:120].decode("utf-8", "replace")
    return ProviderError(f"{problem}: {shown}" if shown else problem, kind="malformed", retryable=True)
