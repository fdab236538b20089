"""Parsing a chat completion that is streamed as server-sent events.

A stream is complete only if the server says so by a finish reason. A stream that ends without one is incomplete, with
or without `[DONE]`, and its text may be half a sentence.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from triptych.errors import ProviderError
from triptych.models.adapter import Reply
from triptych.models.http.bounded import Chunks
from triptych.models.openai.reply import (
    MAX_TEXT_LENGTH,
    Completion,
    as_reply,
    decode,
    malformed,
    read_stated_error,
    token_logprobs,
    valid_logprobs,
)

MAX_EVENT_BYTES = 16 * 1024 * 1024  # bytes; audio comes in events of a few KB
_BOM = b"\xef\xbb\xbf"
_DONE = b"[DONE]"


@dataclass(slots=True)
class _PartialAnswer:
    """The part of the answer received so far."""

    text: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    logprobs: list[bytes] = field(default_factory=list)
    completion: Completion = field(default_factory=Completion)
    finish: str | None = None
    spoke: bool = False
    size: int = 0

    def add(self, event: Completion) -> None:
        """Add one event. If there are several answers, only the one with index 0 counts."""
        self.completion.model = event.model or self.completion.model
        self.completion.usage = self.completion.usage if bytes(event.usage) == b"null" else event.usage
        for choice in event.choices or ():
            if choice.index:
                continue
            self.finish = choice.finish_reason or self.finish
            self.logprobs += token_logprobs(choice.logprobs)
            if delta := choice.delta or choice.message:
                piece = delta.reply_text
                self.spoke = self.spoke or piece is not None
                self.text.append(piece or "")
                self.refusal.append(delta.refusal or "")
                self.thinking.append(delta.thoughts or "")
                self.size += len(self.text[-1]) + len(self.thinking[-1])


async def read_stream(chunks: Chunks) -> Reply:
    """Return the Reply in a stream of server-sent events.

    Raises ProviderError if it ends early (without a finish reason), reports an error, or contains no answer.
    """
    partial, ended = _PartialAnswer(), False
    async for data in events(chunks):
        if data.strip() == _DONE:
            ended = True
            break
        partial.add(decode(data))
        if partial.size > MAX_TEXT_LENGTH:
            break  # as_reply reports what is wrong with it
    if not partial.finish and partial.size <= MAX_TEXT_LENGTH:
        raise _early_end_error(partial, ended)
    logprobs = valid_logprobs(b'{"content":[' + b",".join(partial.logprobs) + b"]}") if partial.logprobs else None
    text = "".join(partial.text) if partial.spoke else None
    return as_reply(
        text, partial.finish, "".join(partial.refusal), "".join(partial.thinking), partial.completion, logprobs
    )


def _early_end_error(partial: _PartialAnswer, ended: bool) -> ProviderError:
    if not ended:
        return ProviderError("the stream ended early", kind="connection", retryable=True)
    if not partial.spoke and not any(partial.thinking):
        return malformed("a stream without choices", b"")
    fix = "if the server never sends one, disable streaming: -M stream=false"
    return ProviderError("the stream ended without a finish reason", kind="malformed", retryable=True, fix=fix)


async def events(chunks: Chunks) -> AsyncIterator[bytes]:
    """Yield the data of each server-sent event; comments, other fields and an incomplete last event are left out.

    Raises ProviderError for an event named `error`, and for one of more than MAX_EVENT_LENGTH bytes.
    """
    data: list[bytes] = []
    name, size = b"", 0
    async for line in _lines(chunks):
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
            size += len(line)
        elif line.startswith(b"event:"):
            name = line[6:].strip()
        elif not line:
            if data:
                yield _event_data(name, data)
            data, name, size = [], b"", 0
        if size > MAX_EVENT_BYTES:
            raise _too_long()
    if data == [_DONE]:  # some servers omit the empty line after it
        yield _DONE


def _event_data(name: bytes, data: list[bytes]) -> bytes:
    text = b"\n".join(data)
    if name == b"error" and text.strip() != _DONE:
        raise read_stated_error(text)
    return text


async def _lines(chunks: Chunks) -> AsyncIterator[bytes]:
    """Yield lines without their ends; each is assembled once, when its end arrives.

    Text after the last line end is only yielded if it is `data: [DONE]`.
    """
    begun: list[bytes] = []
    size = 0
    async for chunk in chunks.iter_any():
        first, *others = chunk.split(b"\n")
        begun.append(first)
        size += len(first)
        if size > MAX_EVENT_BYTES:
            raise _too_long()
        if others:
            yield _line(b"".join(begun))
            for line in others[:-1]:
                yield _line(line)
            begun, size = [others[-1]], len(others[-1])
    rest = _line(b"".join(begun))
    if rest.startswith(b"data:") and rest[5:].strip() == _DONE:
        yield b"data: " + _DONE


def _line(line: bytes) -> bytes:
    return line.removesuffix(b"\r").removeprefix(_BOM)


def _too_long() -> ProviderError:
    return ProviderError(f"an event of more than {MAX_EVENT_BYTES >> 20} MB in a stream", kind="malformed")
