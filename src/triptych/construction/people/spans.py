"""Spans of time that people note, as text: `3.20-5.10; 8.00-9.50`, in seconds."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

EXPECTED = "times in seconds, each start before its end, such as 3.20-5.10; 8.00-9.50"
_SPAN = re.compile(r"(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)")
_ROUNDING = 0.05  # seconds by which a noted end may be later than that of a recording


def spans_in(text: str) -> list[tuple[float, float]] | None:
    """Return the spans of a text in their order; None if a part of it is not a span, or ends before it begins.

    >>> spans_in("8－9.5；3.2-5"), spans_in("5-3"), spans_in("at noon")
    ([(8.0, 9.5), (3.2, 5.0)], None, None)
    """
    pieces = [piece for piece in re.sub(r"\s", "", unicodedata.normalize("NFKC", text)).split(";") if piece]
    matches = [match for piece in pieces if (match := _SPAN.fullmatch(piece))]
    spans = [(float(match[1]), float(match[2])) for match in matches]
    sound = pieces and len(matches) == len(pieces) and all(begin < end for begin, end in spans)
    return spans if sound else None


def spans_outside(values: Mapping[str, Any], form: Mapping[str, Any], seconds: float | None) -> Iterator[str]:
    """Yield the spans of a result that are not within a recording of `seconds`; nothing if its length isn't known."""
    if seconds is None:
        return
    for name in (name for name, kind in form.items() if kind == "spans" and values.get(name)):
        for begin, end in spans_in(str(values[name])) or ():
            if end > seconds + _ROUNDING:
                yield f"{name}: {begin:g}-{end:g} is not within the recording; expected at most {seconds:g} s"
