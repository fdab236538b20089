"""Keeping API keys, tokens and passwords out of all output.

Every text passes `scrub` before it is written or shown: errors (`triptych.errors` calls it), journals, standard error,
tracebacks. It hides known secrets (`Secret`, environment variables, parts of addresses) and everything that looks like
a secret.
"""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from urllib.parse import quote, unquote, urlsplit

HIDDEN = "***"
MIN_SECRET_LENGTH = 6  # shortest secret that is searched for, in characters; shorter ones would match ordinary words
_ENVIRONMENT = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|_PAT|_PWD)$")
# Names of values in an address, and of fields and headers elsewhere
_QUERY = (
    r"(?:[\w.-]*(?:key|token|secret|sig|signature|passw(?:or)?d|passphrase|pwd|credentials?|auth|jwt|session|ticket)"
    r"|code|pass|pw|sid|authorization|[\w.-]*accesskeyid)"
)
_FIELD = (
    r"(?:[\w-]*api[-_]?keys?|[\w-]*secret(?:[-_]?(?:key|access[-_]?key))?|[\w-]*passw(?:or)?d|[\w-]*pwd|passphrase"
    r"|private[-_]?key"
    r"|(?:proxy-)?authorization|(?:access|auth|refresh|bearer|id|session|security|csrf|hf|hub|api|x-auth|client)[-_]?token"
    r"|[\w-]*credentials?|(?:set-)?cookie|[\w-]*subscription[-_]key)"
)
_QUOTED = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'"
_ESCAPED = r"\\{1,7}\"(?:(?!\\\").)*\\\""  # JSON inside JSON, up to several levels
_MARK = r"\\{0,7}[\"']"
_SHAPES = re.compile(
    # credentials in an address: a token, or user and password, which may contain an @ or a slash
    r"(?<=://)(?:[^/\s?#\"'<>@:]{0,300}:(?!\d{1,5}[/?#])[^\s\"'<>]{0,300}|[^/\s?#\"'<>]{0,600})(?=@[\w\[])"
    rf"|(?P<query>(?:[?&;#]|%3[Ff]|%26|%23){_QUERY}(?:=|%3[Dd]))[^&#;\s\"'<>\\]+"
    rf"|(?P<cookie>(?<![\w-])(?:{_MARK})?(?:set-)?cookie\s*:\s*)[^\r\n\"']+"
    rf"|(?P<option>(?<![\w-])--(?:{_FIELD}|token)\s+)[^\s-]\S*"
    rf"|(?P<pair>\(b?[\"']{_FIELD}[\"']\s*,\s*b?)(?:{_QUOTED})"
    rf"|(?P<field>(?<![\w-])(?:{_MARK})?{_FIELD}(?:{_MARK})?\s*[:=]\s*(?:b(?=[\"']))?)"
    rf"(?:{_ESCAPED}|{_QUOTED}|\[[^\]]*\]|(?:(?:Bearer|Basic|Token)\s+)?[^\s,;&\"'}}\])\\]+)"
    rf"|(?P<token>(?<![\w-])(?:{_MARK}token{_MARK}\s*:|--token\s*=)\s*)(?:{_ESCAPED}|{_QUOTED}|(?<==)\S+)"
    r"|(?P<scheme>\b(?:Bearer|Basic(?=\s+\S*[0-9=+/]))\s+)[A-Za-z0-9._~+/=-]{8,}"
    r"|\b(?:sk|hf|gsk|xai|r8|pplx|nvapi|glpat|ghp|gho|ghs|github_pat|dapi|rpa|AKIA|ASIA)[-_]?(?<=[-_A])[A-Za-z0-9_-]{12,}"
    r"|\bAIza[A-Za-z0-9_-]{20,}|\bya29\.[\w-]{10,}|\bxox[abprs]-[\w-]{10,}"
    r"|(?P<run>(?<![\w-])(?>[\w-]*?\beyJ))[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)",
    re.IGNORECASE | re.DOTALL,
)
_CONTEXT_GROUPS = ("query", "cookie", "option", "pair", "field", "token", "scheme", "run")  # text before a secret, kept
_declared: set[str] = set()  # strings that were declared secret in this process


class Secret:
    """A string that is only returned by `reveal`: it does not appear in `repr`, in tracebacks, or in texts that passed
    `scrub`.

    Surrounding whitespace is removed, since keys are often read from files.
    """

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value.strip()
        remember(self._value)

    def reveal(self) -> str:
        """Return the string."""
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return HIDDEN if self._value else "(none)"


def remember(value: str) -> None:
    """Hide this string from now on, including its forms in addresses, headers and JSON."""
    if len(value) >= MIN_SECRET_LENGTH:
        basic = base64.b64encode(value.encode("utf-8", "replace")).decode()
        _declared.update({value, quote(value, safe=""), unquote(value), json.dumps(value)[1:-1], basic})


def remember_address(url: str) -> None:
    """Hide the secrets in an address: user and password, and query parameters such as `sig=…`."""
    for value in _secrets_in(url):
        remember(value)
        remember(unquote(value))


def scrub(text: str, *secrets: Secret) -> str:
    """Return `text` with secrets replaced by ***: the given ones, known ones, those of the environment, and everything
    that looks like one.

    Unpaired surrogates, which can't be written to a file, become question marks.
    """
    return scrub_all([text], *secrets)[0]


def scrub_all(texts: Sequence[str], *secrets: Secret) -> list[str]:
    """Return texts with secrets replaced by ***, each as `scrub` does; the environment is searched once."""
    values = _declared | {s.reveal() for s in secrets} | set(_environment())
    ordered_secrets = tuple(sorted((v for v in values if len(v) >= MIN_SECRET_LENGTH), key=len, reverse=True))
    return [
        _scrubbed_again(text, ordered_secrets) if len(text) <= _SHORT else _scrubbed(text, ordered_secrets)
        for text in texts
    ]


def _scrubbed(text: str, ordered_secrets: tuple[str, ...]) -> str:
    for value in ordered_secrets:
        if value in text:
            text = text.replace(value, HIDDEN)
    return _SHAPES.sub(_hide, text).encode("utf-8", "replace").decode("utf-8")


_SHORT = 100  # characters: the fixed sentences of messages, which come again and again
_scrubbed_again = lru_cache(maxsize=64)(_scrubbed)


def hide_known(text: str) -> str:
    """Return a model's text without the secrets known to this process, in case a server echoes them. Other text is
    unchanged, since an answer may look like a secret.
    """
    for value in _declared:
        if len(value) >= 2 * MIN_SECRET_LENGTH and value in text:
            text = text.replace(value, HIDDEN)
    return text


def looks_secret(name: str, value: object) -> bool:
    """Return whether writing down this setting would reveal a secret."""
    line = json.dumps({name: value}, ensure_ascii=False, default=str)
    return scrub(line) != line.encode("utf-8", "replace").decode("utf-8")


def _environment() -> Iterator[str]:
    for name, value in os.environ.items():
        if _names_secret(name):
            yield value.strip()
        elif "://" in value:
            yield from _secrets_in(value)


@lru_cache(maxsize=4096)
def _names_secret(name: str) -> bool:
    return _ENVIRONMENT.search(name.upper()) is not None


def _secrets_in(url: str) -> Iterator[str]:
    try:
        before, at, _ = urlsplit(url).netloc.rpartition("@")
    except ValueError:
        before, at = "", ""
    if at:
        yield before
        yield before.partition(":")[2] or before
    for match in re.finditer(rf"[?&;#]{_QUERY}=([^&#;\s]+)", url, re.IGNORECASE):
        yield match[1]


def _hide(match: re.Match[str]) -> str:
    context = next((match[name] for name in _CONTEXT_GROUPS if match[name]), "")
    quote_mark = re.match(_MARK, match[0][len(context) :])
    mark = quote_mark[0] if quote_mark and context else ""
    return f"{context}{mark}{HIDDEN}{mark}"
