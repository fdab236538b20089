"""Parsing replies of chat completions endpoints into a Reply or a ProviderError."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from triptych.errors import ProviderError
from triptych.metrics.replies.thinking import split_thinking
from triptych.models.adapter import MAX_TOKENS, Reply
from triptych.models.http.faults import fault, seconds
from triptych.records import ResponseStatus, Usage
from triptych.records.surrogates import without_halves
from triptych.records.unreadable import UNREADABLE, reason

_SHOWN = 500  # maximum length of a server's message in an error, in characters
_TRUNCATED = frozenset({"length", "model_length", "max_tokens", "MAX_TOKENS"})
_REFUSED = frozenset(
    {"content_filter", "refusal", "sensitive", "safety", "SAFETY", "PROHIBITED_CONTENT", "RECITATION", "BLOCKLIST"}
)
# Finish reasons of the server, not the model: vLLM and SGLang, OpenRouter and Mistral, watsonx, Zhipu, DeepSeek
_BROKEN = frozenset({"abort", "error", "cancelled", "timeout", "network_error", "insufficient_system_resource"})
_NULL = msgspec.Raw(b"null")
# In characters; no real answer is longer, and parsing, journaling and scoring it takes long
MAX_TEXT_LENGTH = 4 * 1024 * 1024


_THOUGHTS = frozenset({"thinking", "reasoning"})  # types of content parts, as Mistral and gateways send them


class _Text(msgspec.Struct, gc=False):
    type: Any = None
    text: str | None = None
    thinking: Any = None
    reasoning: Any = None

    @property
    def thought(self) -> str | None:
        """The thoughts in it: a text or a list of texts, under the name of its type or as `text`; None if it is part of
        the answer."""
        if self.type not in _THOUGHTS:
            return None
        return _words(self.thinking) + _words(self.reasoning) or self.text or ""


class _Spoken(msgspec.Struct, gc=False):
    transcript: str | None = None


class _Message(msgspec.Struct, gc=False):
    content: str | list[_Text] | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    audio: _Spoken | None = None

    @property
    def thoughts(self) -> str | None:
        """The thoughts apart from the text, by whichever field the server uses; None without any."""
        listed = self.content if isinstance(self.content, list) else ()
        return self.reasoning_content or self.reasoning or "".join(part.thought or "" for part in listed) or None

    @property
    def reply_text(self) -> str | None:
        """The text; for a spoken reply, its transcript. The audio itself is never read."""
        text = _joined(self.content)
        return text or (self.audio and self.audio.transcript) or text


class _Choice(msgspec.Struct, gc=False):
    message: _Message | None = None
    delta: _Message | None = None
    index: int | None = None
    finish_reason: str | None = None
    logprobs: msgspec.Raw = _NULL


_Count = Annotated[int, msgspec.Meta(ge=0, le=MAX_TOKENS)]


class _InputDetails(msgspec.Struct, gc=False):
    cached_tokens: _Count | None = None
    audio_tokens: _Count | None = None


class _OutputDetails(msgspec.Struct, gc=False):
    reasoning_tokens: _Count | None = None


class _Usage(msgspec.Struct, gc=False):
    prompt_tokens: _Count | None = None
    completion_tokens: _Count | None = None
    prompt_tokens_details: _InputDetails | None = None
    completion_tokens_details: _OutputDetails | None = None


class Completion(msgspec.Struct, gc=False):
    choices: list[_Choice] | None = None
    usage: msgspec.Raw = _NULL
    model: str | None = None
    error: Any = None
    object: Any = None
    type: Any = None


class _LogProbs(msgspec.Struct, gc=False):
    content: list[msgspec.Raw] | None = None


_COMPLETION = msgspec.json.Decoder(Completion)
_LOGPROBS = msgspec.json.Decoder(_LogProbs)
_USAGE = msgspec.json.Decoder(_Usage | None, strict=False)
_ANYTHING = msgspec.json.Decoder()


def read_reply(body: bytes) -> Reply:
    """Return the Reply in a whole body. Raises ProviderError if it contains no answer."""
    completion = decode(body)
    choice = first_choice(completion.choices or ())
    if choice is None or (message := choice.message) is None:
        raise malformed("a reply without choices", body)
    return as_reply(
        message.reply_text,
        choice.finish_reason,
        message.refusal,
        message.thoughts,
        completion,
        valid_logprobs(bytes(choice.logprobs)),
    )


def read_error(status: int, body: bytes, retry_after: str | None = None, date: str | None = None) -> ProviderError:
    """Return the ProviderError for a status other than 200. `retry_after`, `date`: these headers."""
    message, code = _server_words(body)
    return fault(status, message, code, seconds(retry_after, date))


def decode(body: bytes) -> Completion:
    """Return the completion. An error with status 200, as sent by gateways, is raised.

    A byte order mark, and halves of surrogate pairs (an emoji that the token limit cut), don't make it unreadable.
    """
    try:
        completion = _COMPLETION.decode(without_halves(body.removeprefix(codecs.BOM_UTF8)))
    except UNREADABLE as error:
        if body.startswith((b"data:", b"event:")):
            text = "the server answers in a stream, which was not asked for: set -M stream=true"
            raise malformed(text, body) from None
        raise malformed(f"a reply that can't be read ({reason(error)})", body) from None
    if completion.error or "error" in (completion.object, completion.type):
        raise read_stated_error(body)
    return completion


def read_stated_error(body: bytes) -> ProviderError:
    """Return the ProviderError for an error with status 200: by the status that it states, otherwise as a server error
    (500).
    """
    try:
        document = _ANYTHING.decode(body)
    except UNREADABLE:
        document = None
    inner = document.get("error", document) if isinstance(document, dict) else None
    code = inner.get("code") if isinstance(inner, dict) else None
    return read_error(code if isinstance(code, int) and 400 <= code < 600 else 500, body)


def first_choice(choices: Sequence[_Choice]) -> _Choice | None:
    """Return the answer with index 0, whatever its position. Servers that don't number answers mean the first."""
    return next((choice for choice in choices if not choice.index), choices[0] if choices else None)


def as_reply(
    text: str | None,
    finish: str | None,
    refusal: str | None,
    reasoning: str | None,
    completion: Completion,
    logprobs: bytes | None,
) -> Reply:
    """Return the Reply. Raises ProviderError if it ended without an answer, or if it is longer than any answer."""
    if len(text or "") + len(reasoning or "") > MAX_TEXT_LENGTH:
        what = f"a reply of more than {MAX_TEXT_LENGTH:,} characters"
        raise ProviderError(what, kind="malformed", fix="set max_tokens, so that the model ends")
    status: ResponseStatus = "answered"
    if refusal or finish in _REFUSED:
        status = "refused"
    elif finish in _TRUNCATED:
        status = "truncated"
    elif finish in _BROKEN:
        raise ProviderError(f"the server aborted the answer ({finish})", kind="server", retryable=True)
    elif (
        text is None and not reasoning
    ):  # a reply with thinking only is an empty answer, and would be the same at the next attempt
        raise malformed(f"a reply without text (finish reason {finish})", b"")
    answer_text, thought = split_thinking(text or refusal or "")
    return Reply(
        text=answer_text,
        status=status,
        finish_reason=finish,
        usage=_usage(completion.usage),
        thinking=reasoning or thought,
        logprobs=logprobs,
        served_model=completion.model,
    )


def _usage(raw: msgspec.Raw) -> Usage | None:
    """Return the tokens; None if they are missing or invalid, which doesn't invalidate the answer."""
    try:
        usage = _USAGE.decode(raw)
    except UNREADABLE:
        return None
    if usage is None:
        return None
    prompt_details, made = usage.prompt_tokens_details, usage.completion_tokens_details
    return Usage(
        usage.prompt_tokens,
        usage.completion_tokens,
        made.reasoning_tokens if made else None,
        prompt_details.cached_tokens if prompt_details else None,
        prompt_details.audio_tokens if prompt_details else None,
    )


def _joined(content: str | list[_Text] | None) -> str | None:
    if isinstance(content, list):
        return "".join(part.text or "" for part in content if part.thought is None)
    return content


def _words(value: Any) -> str:
    """Return the texts in a text, an object with `text`, or a list of them; empty for anything else."""
    parts = [
        part.get("text") if isinstance(part, dict) else part for part in (value if isinstance(value, list) else [value])
    ]
    return "".join(part for part in parts if isinstance(part, str))


def valid_logprobs(logprobs: bytes) -> bytes | None:
    """Return log-probabilities unchanged; None if a journal with them could not be read again."""
    try:
        return logprobs if _ANYTHING.decode(logprobs) is not None else None
    except UNREADABLE:
        return None


def token_logprobs(raw: msgspec.Raw) -> list[bytes]:
    """Return the tokens' log-probabilities of one event."""
    try:
        logprobs = _LOGPROBS.decode(raw) if bytes(raw) != b"null" else None
    except UNREADABLE:
        return []
    return [bytes(token) for token in (logprobs.content if logprobs else None) or ()]


def _server_words(body: bytes) -> tuple[str, str]:
    """Return (message, code) of an error body, or its first characters if it has another form."""
    try:
        document = msgspec.json.decode(body)
    except UNREADABLE:
        return " ".join(body[:_SHOWN].decode("utf-8", "replace").split()), ""
    inner = document.get("error", document) if isinstance(document, dict) else document
    if isinstance(inner, dict):
        message = inner.get("message") or inner.get("detail") or str(inner)
        return str(message)[:_SHOWN], str(inner.get("code") or inner.get("type") or "")
    return str(inner)[:_SHOWN], ""


def malformed(problem: str, body: bytes) -> ProviderError:
    shown = body[:120].decode("utf-8", "replace")
    return ProviderError(f"{problem}: {shown}" if shown else problem, kind="malformed", retryable=True)
