"""ProviderErrors from HTTP status codes and messages, shared by all adapters that use HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from urllib.parse import urlsplit

from triptych.errors import ProviderError, SpecError
from triptych.secrets import Secret, remember_address, scrub

# Exceptions that an SDK lets through if it can't parse a body
UNREAD_BY_SDK = (ValueError, KeyError, AttributeError, TypeError, RecursionError)
_FILTER_CODES = frozenset({"content_filter", "content_policy_violation", "data_inspection_failed"})
# Messages of DeepSeek, and of OpenRouter, which reports a moderation filter by 403
_FILTER_WORDS = ("content exists risk", "input was flagged")
_AUTH_CODES = frozenset({"invalid_api_key", "insufficient_quota", "authentication_error", "permission_error"})
_AUTH_WORDS = ("api key not valid", "api key expired", "credit balance is too low")
_UNKNOWN_CODES = frozenset({"model_not_found", "not_found_error"})
_TOO_LONG = (
    "context length",
    "context_length",
    "maximum context",
    "too long",
    "too many tokens",
    "max_model_len",
    "maximum number of tokens",
    "exceeds the limit",
)


def fault(status: int, message: str, code: str = "", retry_after: float | None = None) -> ProviderError:
    """Return the ProviderError for a status other than 200.

    `message`, `code`: the server's message and error name, if given; `retry_after`: seconds.
    """
    text = f"HTTP {status}: {message}" if message else f"HTTP {status}"
    lower = f"{code} {message}".lower()
    if 400 <= status < 500 and (code in _FILTER_CODES or any(words in lower for words in _FILTER_WORDS)):
        return ProviderError(text, kind="refused", status=status)
    if status in (401, 402, 403) or code in _AUTH_CODES or any(words in lower for words in _AUTH_WORDS):
        return ProviderError(text, kind="auth", fatal=True, status=status)
    if status == 404 or code in _UNKNOWN_CODES:
        return ProviderError(text, kind="unknown_model", fatal=True, status=status)
    if status == 429:
        return ProviderError(text, kind="rate_limit", retryable=True, status=status, retry_after=retry_after)
    if status in (408, 409, 425) or status >= 500:
        kind = "timeout" if status in (408, 504) else "server"
        return ProviderError(text, kind=kind, retryable=True, status=status, retry_after=retry_after)
    if status < 300:  # a success status without an answer
        return ProviderError(text, kind="malformed", retryable=True, status=status)
    if status < 400 or status == 405:
        return ProviderError(f"{text} (a redirect, or no such service)", kind="bad_request", fatal=True, status=status)
    if status == 413 or any(words in lower for words in _TOO_LONG):
        text = f"the Request is too long for the model or the server ({text})"
    return ProviderError(text, kind="bad_request", status=status)


def seconds(retry_after: str | None, date: str | None = None) -> float | None:
    """Return a Retry-After header (seconds or an HTTP date) as seconds from now; None if it is invalid.

    `date`: the server's Date header, used since the clock of this machine may be wrong or may be changed during a Run.
    """
    if not retry_after:
        return None
    try:
        delay = float(retry_after)
        return max(0.0, delay) if isfinite(delay) else None
    except ValueError:
        pass
    until = _moment(retry_after)
    if until is None:
        return None
    return max(0.0, (until - (_moment(date or "") or datetime.now(UTC))).total_seconds())


def _moment(header: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(header)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def explain_error(
    error: ProviderError, key: Secret, *, key_env: str, endpoint: str, hints: Mapping[str, str]
) -> ProviderError:
    """Return the error without secrets and with a fix. `hints`: fixes by phrases in error messages about a Request."""
    fix = error.fix or {
        "auth": f"check the key in the environment variable {key_env} (endpoint {scrub(endpoint)})",
        "unknown_model": f"check the model's name and the endpoint ({scrub(endpoint)})",
    }.get(error.kind)
    if error.kind == "bad_request":
        problem = error.problem.lower()
        fix = next((hint for word, hint in hints.items() if word in problem), fix)
    return ProviderError(
        scrub(error.problem, key),
        kind=error.kind,
        retryable=error.retryable,
        fatal=error.fatal,
        retry_after=error.retry_after,
        status=error.status,
        fix=fix,
    )


def checked_url(url: str) -> str:
    """Return an endpoint's address without a final slash; secrets in it are hidden from now on. Raises SpecError for an
    invalid address.
    """
    remember_address(url)
    try:
        parts = urlsplit(url)
        fits = (
            parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and not set(" \t") & set(url)
        )
    except ValueError:  # an invalid port or address
        fits = False
    if not fits:
        raise SpecError(
            "the endpoint is not a valid URL", got=scrub(url), expected="https://HOST/v1", fix="--model-base-url URL"
        )
    return url.rstrip("/")


def with_path(url: str, path: str) -> str:
    """Return an address with a longer path, inserted before its query."""
    before, mark, query = url.partition("?")
    return f"{before.rstrip('/')}/{path}{mark}{query}"
