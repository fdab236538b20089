"""What an endpoint's refusal amounts to, by its status and words; the same for everyone who speaks HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from urllib.parse import urlsplit

from triptych.errors import ProviderError, SpecError
from triptych.secrets import Secret, remember_address, scrub

# What a maker's SDK lets through where it can't read a body
UNREAD_BY_SDK = (ValueError, KeyError, AttributeError, TypeError, RecursionError)
_FILTER_CODES = frozenset({"content_filter", "content_policy_violation", "data_inspection_failed"})
# DeepSeek's words; and OpenRouter's, which says by 403 that a moderator stood before the model
_FILTER_WORDS = ("content exists risk", "input was flagged")
_AUTH_CODES = frozenset({"invalid_api_key", "insufficient_quota", "authentication_error", "permission_error"})
_AUTH_WORDS = ("api key not valid", "api key expired", "credit balance is too low")
_UNKNOWN_CODES = frozenset({"model_not_found", "not_found_error"})
_TOO_LONG = (
    "context length", "context_length", "maximum context", "too long", "too many tokens", "max_model_len",
    "maximum number of tokens", "exceeds the limit",
)  # fmt: skip


def fault(status: int, message: str, code: str = "", retry_after: float | None = None) -> ProviderError:
    """The ProviderError that a status other than 200 amounts to.

    `message`, `code`: the server's words and its name for the fault, where it gave them; `retry_after`: seconds.
    """
    said = f"HTTP {status}: {message}" if message else f"HTTP {status}"
    lower = f"{code} {message}".lower()
    if 400 <= status < 500 and (code in _FILTER_CODES or any(words in lower for words in _FILTER_WORDS)):
        return ProviderError(said, kind="refused", status=status)
    if status in (401, 402, 403) or code in _AUTH_CODES or any(words in lower for words in _AUTH_WORDS):
        return ProviderError(said, kind="auth", fatal=True, status=status)
    if status == 404 or code in _UNKNOWN_CODES:
        return ProviderError(said, kind="unknown_model", fatal=True, status=status)
    if status == 429:
        return ProviderError(said, kind="rate_limit", retryable=True, status=status, retry_after=retry_after)
    if status in (408, 409, 425) or status >= 500:
        kind = "timeout" if status in (408, 504) else "server"
        return ProviderError(said, kind=kind, retryable=True, status=status, retry_after=retry_after)
    if status < 300:  # it went well, they say, and there is no answer
        return ProviderError(said, kind="malformed", retryable=True, status=status)
    if status < 400 or status == 405:
        return ProviderError(f"{said} (a redirect, or no such service)", kind="bad_request", fatal=True, status=status)
    if status == 413 or any(words in lower for words in _TOO_LONG):
        said = f"the Request is too long for the model or the server ({said})"
    return ProviderError(said, kind="bad_request", status=status)


def seconds(retry_after: str | None, date: str | None = None) -> float | None:
    """A Retry-After header, seconds or an HTTP date, as seconds from now; None where it says neither.

    `date`: when the server sent it, by its own clock (its Date header): this machine's clock may be wrong, or be set
    while a Run goes on.
    """
    if not retry_after:
        return None
    try:
        told = float(retry_after)
        return max(0.0, told) if isfinite(told) else None
    except ValueError:
        pass
    until = _moment(retry_after)
    if until is None:
        return None
    return max(0.0, (until - (_moment(date or "") or datetime.now(UTC))).total_seconds())


def _moment(told: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(told)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def explained(
    error: ProviderError, key: Secret, *, key_env: str, endpoint: str, hints: Mapping[str, str]
) -> ProviderError:
    """The error without secrets, and with what to do about it. `hints`: by the words of a complaint about a Request."""
    fix = {
        "auth": f"check the key in the environment variable {key_env} (endpoint {scrub(endpoint)})",
        "unknown_model": f"check the model's name and the endpoint ({scrub(endpoint)})",
    }.get(error.kind, error.fix)
    if error.kind == "bad_request":
        said = error.problem.lower()
        fix = next((hint for word, hint in hints.items() if word in said), fix)
    return ProviderError(
        scrub(error.problem, key), kind=error.kind, retryable=error.retryable, fatal=error.fatal,
        retry_after=error.retry_after, status=error.status, fix=fix,
    )  # fmt: skip


def checked_url(url: str) -> str:
    """An endpoint's address without a slash at its end. Secrets in it are hidden from now on. Raises SpecError for what
    is no address."""
    remember_address(url)
    try:
        parts = urlsplit(url)
        fits = (
            parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and not set(" \t") & set(url)
        )
    except ValueError:  # a port or an address that can't be
        fits = False
    if not fits:
        raise SpecError(
            "the endpoint is no URL", got=scrub(url), expected="https://HOST/v1", fix="--model-base-url URL"
        )
    return url.rstrip("/")


def with_path(url: str, path: str) -> str:
    """An address with more path, before what it asks behind a question mark."""
    before, mark, query = url.partition("?")
    return f"{before.rstrip('/')}/{path}{mark}{query}"
