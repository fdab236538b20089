"""TOML from outside. Python's reader takes minutes for one key of many thousand parts (`a.a.a. … = 1`)."""

from __future__ import annotations

import re
import tomllib
from typing import Any

MAX_KEY_PARTS = 100  # of one dotted key; the time grows by the square
# At the start of a part only, and possessive, so that a long text is searched in linear time.
_LONG_KEY = re.compile(
    r"(?<![\w-])(?:(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\.[ \t]*+){%d}" % MAX_KEY_PARTS  # noqa: UP031
)


def parse_toml(text: str) -> dict[str, Any]:
    """Return the table of a TOML document.

    Raises:
        tomllib.TOMLDecodeError: Invalid TOML, or a key of more than MAX_KEY_PARTS parts.
    """
    if match := _LONG_KEY.search(text):
        line = text.count("\n", 0, match.start()) + 1
        raise tomllib.TOMLDecodeError(f"A key has more than {MAX_KEY_PARTS} parts separated by dots (at line {line})")
    return tomllib.loads(text)
