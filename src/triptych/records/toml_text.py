"""TOML from outside. Python's reader takes minutes for one key of many thousand parts (`a.a.a. … = 1`)."""

from __future__ import annotations

import re
import tomllib
from typing import Any

MAX_CHARACTERS = 8 << 20  # of a document, which takes two seconds; prompts, prices and lists are far from it
MAX_KEY_PARTS = 100  # of one dotted key; the time grows by the square

_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?)"""
_DOT = r"[ \t]*+\.[ \t]*+"
# A text that is never closed ends with the document or line, so that no character is read more than twice.
_TOKEN = re.compile(
    rf"""
    \"\"\"(?:[^"\\]++|\\.|"{{1,2}}(?!"))*+(?:"{{3,5}})?
    |'''(?:[^']++|'{{1,2}}(?!'))*+(?:'{{3,5}})?
    |\#[^\n]*+
    |(?P<long>(?:{_PART}{_DOT}){{{MAX_KEY_PARTS}}}{_PART})
    |{_PART}(?:{_DOT}{_PART})*+
    """,
    re.VERBOSE | re.DOTALL,
)


def parse_toml(text: str) -> dict[str, Any]:
    """Return the table of a TOML document.

    Raises:
        tomllib.TOMLDecodeError: Invalid TOML, a key of more than MAX_KEY_PARTS parts, or more than MAX_CHARACTERS.
    """
    if len(text) > MAX_CHARACTERS:
        raise tomllib.TOMLDecodeError(f"The document has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read")
    for token in _TOKEN.finditer(text):
        if token.lastgroup:
            line = text.count("\n", 0, token.start()) + 1
            message = f"A key has more than {MAX_KEY_PARTS} parts separated by dots (at line {line})"
            raise tomllib.TOMLDecodeError(message)
    return tomllib.loads(text)
