"""Natural order of names: 1, 2, 10 instead of 1, 10, 2."""

from __future__ import annotations

import re

_NUMBERS = re.compile(r"([0-9]{1,18})")


def natural(words: str) -> tuple[tuple[int, str], ...]:
    """Return a sort key under which numbers in texts count as numbers; ties such as `1` and `01` are sorted as text."""
    pieces = _NUMBERS.split(words)  # text, number, text …
    return (*((int(piece), "") if n % 2 else (-1, piece) for n, piece in enumerate(pieces)), (-1, words))
