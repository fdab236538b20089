"""Parsing replies of the Messages API into a Reply or a ProviderError."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from triptych.errors import ProviderError
from triptych.models.adapter import Reply, counted
from triptych.models.http.bounded import MAX_BODY_BYTES
from triptych.models.http.faults import fault, seconds
from triptych.records import ResponseStatus, Usage

if TYPE_CHECKING:
    import anthropic
    from anthropic import types

_STATUS: dict[str | None, ResponseStatus] = {
    "end_turn": "answered",
    "stop_sequence": "answered",
    "max_tokens": "truncated",
    "model_context_window_exceeded": "truncated",
    "refusal": "refused",
}


def read_reply(message: types.Message) -> Reply:
    """Return the Reply. Raises ProviderError (`malformed`, worth retrying) for anything else or an unusual end."""
    if not hasattr(message, "stop_reason") or not isinstance(message.content, list):
        shown = message if isinstance(message, str) else type(message).__name__
        raise ProviderError(f"a reply that can't be read: {str(shown)[:120]}", kind="malformed", retryable=True)
    status = _STATUS.get(message.stop_reason)
    texts = [block.text for block in message.content if block.type == "text"]
    thought = [block.thinking for block in message.content if block.type == "thinking"]
    if status is None:  # an end without any block is an empty answer, and would be the same at the next attempt
        raise ProviderError(f"unknown stop reason: {message.stop_reason}", kind="malformed", retryable=True)
    return Reply(
        "".join(texts),
        status,
        finish_reason=message.stop_reason,
        usage=_usage(message.usage),
        thinking="".join(thought) or None,
        served_model=message.model,
        note=_refusal_reason(message),
    )


def read_fault(error: anthropic.APIStatusError) -> ProviderError:
    """Return the ProviderError for an error of the SDK."""
    message = " ".join((error.api_message or str(error.message)).split())[:500]
    headers = error.response.headers
    wait = seconds(headers.get("retry-after"), headers.get("date"))
    return fault(error.status_code, message, str(error.type or ""), wait)


async def bounded(response: Any) -> None:
    """A hook of httpx (or its successor), called before a body is read: limits the length of the body.

    Raises ProviderError for a compressed body, since none was requested and its unpacked size is unlimited.
    """
    if (coding := response.headers.get("content-encoding", "identity").lower()) != "identity":
        raise ProviderError(f"a reply in a coding that was not asked for ({coding[:40]})", kind="malformed")
    response.stream = _bounded_stream(response.stream)


def _bounded_stream(stream: Any) -> Any:
    base = next(kind for kind in type(stream).__mro__ if kind.__name__ == "AsyncByteStream")

    class Stream(base):  # type: ignore[misc, valid-type]
        """The same bytes, up to the limit."""

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for piece in stream:
                size += len(piece)
                if size > MAX_BODY_BYTES:
                    raise ProviderError(f"a reply of more than {MAX_BODY_BYTES >> 20} MB", kind="malformed")
                yield piece

        async def aclose(self) -> None:
            await stream.aclose()

    return Stream()


def _refusal_reason(message: types.Message) -> str:
    """Return the reason for a refusal, if given."""
    details = getattr(message, "stop_details", None)  # older SDKs have no such field
    return str(getattr(details, "explanation", None) or getattr(details, "category", None) or "") if details else ""


def _usage(usage: types.Usage | None) -> Usage | None:
    """Return the tokens. The service's `input_tokens` exclude cached ones; here they are included."""
    if usage is None:
        return None
    fresh, read, written = (
        counted(getattr(usage, f"{name}input_tokens", None)) for name in ("", "cache_read_", "cache_creation_")
    )
    thinking = counted(getattr(getattr(usage, "output_tokens_details", None), "thinking_tokens", None))
    prompt_tokens = None if fresh is None else fresh + (read or 0) + (written or 0)
    return Usage(prompt_tokens, counted(getattr(usage, "output_tokens", None)), thinking, read)
