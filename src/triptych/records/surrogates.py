"""Halves of surrogate pairs in JSON, which a server writes if a token limit cuts an emoji."""

from __future__ import annotations

import re

_ESCAPE = re.compile(rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?|u.{4}|.)", re.DOTALL)
_HALF = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")


def without_halves(data: bytes) -> bytes:
    """Return JSON with U+FFFD in place of each escaped surrogate whose other half is missing.

    Example:
        >>> without_halves(b'"a \\\\ud83d"'), without_halves(b'"\\\\ud83d\\\\ude00 \\\\\\\\ud83d"')
        (b'"a \\\\ufffd"', b'"\\\\ud83d\\\\ude00 \\\\\\\\ud83d"')
    """
    if not _HALF.search(data):
        return data
    return _ESCAPE.sub(lambda match: rb"\ufffd" if _HALF.fullmatch(match[0]) else match[0], data)
