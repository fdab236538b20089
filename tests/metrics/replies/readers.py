"""The readers of protocol `standard`, as the corpus measures them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from triptych.metrics.choice import read_letter, read_option


def letter(reply: str, options: Mapping[str, str | None]) -> str | None:
    """Read a reply to lettered options."""
    return read_letter(reply, list(options), list(options.values()))


def text(reply: str, options: Sequence[str]) -> int | None:
    """Read a reply to options without letters."""
    return read_option(reply, options)
