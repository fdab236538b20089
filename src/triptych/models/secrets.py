"""Keeping keys and tokens out of everything that is written or shown."""

from __future__ import annotations

import os
import re

_NAMES = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)$")
_SHAPES = re.compile(
    r"(?P<scheme>Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}|\b(?:sk|hf|gsk|xai)[-_][A-Za-z0-9_-]{12,}|\bAIza[A-Za-z0-9_-]{20,}"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)|(?P<name>[?&](?:api[-_]?key|key|token|access_token)=)[^&\s\"']+",
    re.IGNORECASE,
)
_HIDDEN = "***"


class Secret:
    """A string that shows itself to nobody but who asks for it by `reveal`: not in repr, not in a traceback.

    Blanks and line breaks around it are none of its own: keys come out of files.
    """

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value.strip()

    def reveal(self) -> str:
        """The string itself."""
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return _HIDDEN if self._value else "(none)"


def scrub(text: str, *secrets: Secret) -> str:
    """`text` without these secrets, the environment's keys and tokens, and all that has the shape of one; half
    characters, which no file can hold, are question marks."""
    values = [s.reveal() for s in secrets] + [v.strip() for n, v in os.environ.items() if _NAMES.search(n.upper())]
    for value in sorted({v for v in values if len(v) >= 6}, key=len, reverse=True):
        text = text.replace(value, _HIDDEN)
    return _SHAPES.sub(_hide, text).encode("utf-8", "replace").decode("utf-8")


def _hide(match: re.Match[str]) -> str:
    kept = match.group("scheme") or ""
    return f"{kept} {_HIDDEN}" if kept else f"{match.group('name') or ''}{_HIDDEN}"
