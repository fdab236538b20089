"""JSON from outside in which an object has a key twice: decoders keep the last value without a word."""

from __future__ import annotations

import json
import re
from typing import Any, TypeVar

import msgspec

from triptych.records.surrogates import without_halves
from triptych.records.unreadable import reason

_T = TypeVar("_T")
_SHOWN = 40  # characters of a value in a message


class RepeatedKey(msgspec.DecodeError):
    """An object has a key twice."""


def decode_once(data: bytes | msgspec.Raw | str, type: type[_T]) -> _T:
    """Decode JSON in which no object may have a key twice. Escaped halves of surrogate pairs, which a reply that was
    cut within an emoji has, are read as U+FFFD.

    Raises RepeatedKey, with the key and both values, and whatever `msgspec.json.decode` raises.

    Examples
    --------
    >>> decode_once(b'{"answer": "A"}', dict)
    {'answer': 'A'}
    >>> decode_once(b'{"answer": "A", "answer": "B"}', dict)
    Traceback (most recent call last):
    triptych.records.repeated_keys.RepeatedKey: the key "answer" is there twice, with the values "A" and "B"
    """
    data = without_halves(data.encode("utf-8", "replace") if isinstance(data, str) else bytes(data))
    decoded = msgspec.json.decode(data, type=type)  # invalid JSON fails here, with the decoder's own words
    refuse_repeated_keys(data)
    return decoded


def refuse_repeated_keys(data: bytes | msgspec.Raw | str) -> None:
    """Raise RepeatedKey if an object in JSON that has been decoded before has a key twice; msgspec.DecodeError for what
    isn't JSON."""
    if has_no_repeats(data.encode("utf-8", "replace") if isinstance(data, str) else bytes(data)):
        return
    text = data if isinstance(data, str) else bytes(data).decode("utf-8", errors="replace")
    try:
        json.loads(text, object_pairs_hook=each_once, parse_int=str)  # Python refuses integers of thousands of digits
    except (json.JSONDecodeError, RecursionError) as error:
        raise msgspec.DecodeError(reason(error)) from None


_ESCAPE = re.compile(rb"\\(?:u.{4}|.)", re.DOTALL)
_ESCAPED_COLON = re.compile(rb"\\u003[aA]")


def has_no_repeats(data: bytes) -> bool:
    """Return True if no object in the JSON has a key twice; False if some may have, or it can't be said quickly.

    msgspec keeps one of two values, so what it writes again has fewer keys. Keys are counted by their ends, a quotation
    mark and a colon. A string that begins with a colon looks like the end of a key both times. Escapes and whitespace
    are left out both times; an escaped colon may be written as a colon the second time, so it is counted slowly.
    """
    try:
        again = msgspec.json.encode(msgspec.json.decode(data))
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False
    return not _ESCAPED_COLON.search(data) and _key_ends(data) == _key_ends(again)


def _key_ends(data: bytes) -> int:
    plain = _ESCAPE.sub(b"", data) if b"\\" in data else data
    return plain.translate(None, b" \t\n\r").count(b'":')


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs of a JSON object as a dictionary; an `object_pairs_hook`. Raises RepeatedKey for a key that is
    there twice."""
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key in seen:
            raise RepeatedKey(
                f"the key {_shown(key)} is there twice, with the values {_shown(seen[key])} and {_shown(value)}"
            )
        seen[key] = value
    raise AssertionError


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
