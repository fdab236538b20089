"""Exceptions raised by decoding JSON and TOML of unknown origin. Every reader of such files catches all of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec

# Invalid JSON, unexpected types, bytes that are not UTF-8, too deeply nested lists.
UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
# Invalid TOML, bytes that are not UTF-8, numbers of thousands of digits, too deeply nested lists.
NO_TOML = (ValueError, RecursionError)
_ANY_KEY = re.compile(r"`\$((?:\.\w+|\[\d+\])*)\[\.\.\.\]")  # how msgspec names a value of a dictionary: `$.most[...]`


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


def reason_at_key(error: msgspec.ValidationError, document: Any, kind: Any) -> str:
    """Return why a document isn't of a type, for a message, with the key of a table where msgspec says `[...]`.

    Args:
        error: What `msgspec.convert` raised.
        document: The document that it was given.
        kind: The type, given to `msgspec.convert` with `strict`.

    Example:
        >>> document = {"record": 3, "review": 0}
        >>> try:
        ...     msgspec.convert(document, dict[str, bool])
        ... except msgspec.ValidationError as error:
        ...     reason_at_key(error, document, dict[str, bool])
        'Expected `bool`, got `int` - at `$.record`'
    """
    message = reason(error)
    while match := _ANY_KEY.search(message):
        steps = [step.strip(".[]") for step in re.findall(r"\.\w+|\[\d+\]", match[1])]
        key = next(
            (key for key in _keys(document, steps) if _fails(_with_key_alone(document, steps, key), kind, message)),
            None,
        )
        if key is None:
            return message
        document = _with_key_alone(document, steps, key)
        name = key if re.fullmatch(r"\w+", key) else f'"{key}"'
        message = message.replace(match[0], f"`${match[1]}.{name}", 1)
        if '"' in name:
            return message  # what is below can't be followed by its text
    return message


def _keys(document: Any, steps: list[str]) -> list[str]:
    for step in steps:
        document = document[int(step)] if isinstance(document, list) else document[step]
    return [key for key in document if isinstance(key, str)] if isinstance(document, Mapping) else []


def _with_key_alone(document: Any, steps: list[str], key: str) -> Any:
    """Return a document whose table at the end of the steps has this key alone."""
    if not steps:
        return {key: document[key]}
    if isinstance(document, list):
        at = int(steps[0])
        return [*document[:at], _with_key_alone(document[at], steps[1:], key), *document[at + 1 :]]
    return {**document, steps[0]: _with_key_alone(document[steps[0]], steps[1:], key)}


def _fails(document: Any, kind: Any, message: str) -> bool:
    with suppress(LookupError, TypeError):
        try:
            msgspec.convert(document, kind, strict=True)
        except msgspec.ValidationError as error:
            return str(error).partition(" - at ")[0] == message.partition(" - at ")[0]
    return False
