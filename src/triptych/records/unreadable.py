"""Exceptions raised by decoding JSON and TOML of unknown origin. Every reader of such files catches all of them."""

from __future__ import annotations

import msgspec

# Invalid JSON, unexpected types, bytes that are not UTF-8, too deeply nested lists.
UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
# Invalid TOML, bytes that are not UTF-8, numbers of thousands of digits, too deeply nested lists.
NO_TOML = (ValueError, RecursionError)


def reason(error: BaseException) -> str:
    """Return why a document can't be decoded, for a message.

    Decoders report deep nesting in terms of their own implementation (`maximum recursion depth exceeded`).

    Examples
    --------
    >>> reason(RecursionError("maximum recursion depth exceeded"))
    'lists or objects are nested too deep'
    >>> reason(ValueError("invalid character (byte 3)"))
    'invalid character (byte 3)'
    """
    return "lists or objects are nested too deep" if isinstance(error, RecursionError) else str(error)
