"""Parsing Gemini's replies into a Reply or a ProviderError."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from triptych.errors import ProviderError
from triptych.models.adapter import Reply, counted
from triptych.models.http.faults import fault, seconds
from triptych.records import Usage

if TYPE_CHECKING:
    from google.genai import errors, types

_REFUSED = frozenset(
    {
        "SAFETY",
        "RECITATION",
        "LANGUAGE",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT",
        "MODEL_ARMOR",
    }
)


def read_reply(response: types.GenerateContentResponse) -> Reply:
    """Return the Reply. A blocked prompt or candidate is `refused`; a reply that reached a limit is `truncated`.

    Raises ProviderError (`malformed`, worth retrying) for a reply without candidates or text, and for one that ended
    for a reason of the service's own.
    """
    feedback = response.prompt_feedback
    if feedback is not None and feedback.block_reason is not None:
        why = feedback.block_reason_message or "the prompt was blocked"
        return Reply(
            "", "refused", _name(feedback.block_reason), _usage(response), note=why, served_model=_model(response)
        )
    if not response.candidates:
        raise ProviderError("a reply without candidates", kind="malformed", retryable=True)
    candidate = response.candidates[0]
    finish = _name(candidate.finish_reason)
    text, thought = _texts(candidate)
    reply = Reply(
        text or "",
        finish_reason=finish,
        usage=_usage(response),
        thinking=thought or None,
        logprobs=_logprobs(candidate),
        served_model=_model(response),
        note=candidate.finish_message or "",
    )
    if finish in _REFUSED:
        return replace(reply, status="refused", note=reply.note or f"stopped by a filter: {finish}")
    if finish == "MAX_TOKENS":
        return replace(reply, status="truncated")
    if finish not in ("STOP", "", None) or text is None:
        raise ProviderError(f"a reply without text (finish reason {finish})", kind="malformed", retryable=True)
    return reply


def read_fault(error: errors.APIError) -> ProviderError:
    """Return the ProviderError for an error of the SDK; the requested pause may be in its body."""
    details = error.details if isinstance(error.details, dict) else {}
    inner = details.get("error", details)
    all_details = inner.get("details") or [] if isinstance(inner, dict) else []
    headers = getattr(error.response, "headers", None) or {}
    wait = seconds(headers.get("Retry-After"), headers.get("Date"))
    for detail in (d for d in all_details if isinstance(d, dict)):
        if wait is None and str(detail.get("retryDelay", "")).endswith("s"):
            wait = seconds(str(detail["retryDelay"])[:-1])
    message = " ".join(str(error.message or "").split())[:500]
    if error.code == 400 and "location is not supported" in message.lower():
        return ProviderError(f"HTTP 400: {message}", kind="auth", fatal=True, status=400)
    return fault(error.code or 500, message, str(error.status or ""), wait)


def file_is_gone(error: errors.APIError) -> bool:
    """Return whether the service doesn't know an uploaded file any more, which it reports as a missing permission."""
    return error.code in (403, 404) and "file" in str(error.message).lower()


def _texts(candidate: types.Candidate) -> tuple[str | None, str]:
    """Return (answer, None if there is no text at all; thinking)."""
    parts = (candidate.content.parts if candidate.content else None) or []
    texts = [part.text for part in parts if part.text is not None and not part.thought]
    thought = [part.text for part in parts if part.text and part.thought]
    return ("".join(texts) if texts else None), "".join(thought)


def _usage(reply: types.GenerateContentResponse) -> Usage | None:
    """Return the tokens as they are charged: thinking counts as output."""
    usage = reply.usage_metadata
    if usage is None:
        return None
    out: int | None = None
    parts = [n for n in (usage.candidates_token_count, usage.thoughts_token_count) if n is not None]
    if parts:
        out = sum(parts) if all(counted(n) is not None for n in parts) else None
    elif usage.total_token_count is not None and usage.prompt_token_count is not None:
        out = usage.total_token_count - usage.prompt_token_count
    sound = [d.token_count or 0 for d in usage.prompt_tokens_details or () if _name(d.modality) == "AUDIO"]
    return Usage(
        counted(usage.prompt_token_count),
        counted(out),
        counted(usage.thoughts_token_count),
        counted(usage.cached_content_token_count),
        counted(sum(sound)) if usage.prompt_tokens_details else None,
    )


def _logprobs(candidate: types.Candidate) -> bytes | None:
    if candidate.logprobs_result is None:
        return None
    return candidate.logprobs_result.model_dump_json(exclude_none=True, by_alias=True).encode()


def _model(reply: types.GenerateContentResponse) -> str | None:
    return reply.model_version


def _name(value: Any) -> str | None:
    """Return the value of an enumeration, including values that the SDK doesn't know yet."""
    return None if value is None else str(getattr(value, "value", value))
