"""Texts that a spreadsheet has probably changed: scores into dates, ratios into times, long numbers, leading zeros."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_MONTH = "(?:Jan|Feb|Mar|Mrz|Mär|Apr|May|Mai|Jun|Jul|Aug|Sep|Oct|Okt|Nov|Dec|Dez)"
_DATE = re.compile(rf"\d{{4}}-\d\d-\d\d(?: 00:00:00)?|\d{{1,2}}[-.] ?{_MONTH}|{_MONTH}[- ]\d\d", re.IGNORECASE)
_PAIR = re.compile(r"\d{1,2} ?[-–/.] ?\d{1,2}")  # which a spreadsheet takes for a date: 2-1, 3/4
_TIME = re.compile(r"\d{1,2}:\d\d:00")
_RATIO = re.compile(r"\d{1,3} ?: ?\d{1,3}")
_ROUNDED = re.compile(r"[1-9](?:[.,]\d{1,9})?E\+\d\d")
_LONG_ROUNDED = re.compile(r"[1-9][.,]\d{3,9}E\+\d\d")


class Trace(NamedTuple):
    """A text that was probably changed: its position among the texts, and what is seen, in words."""

    position: int
    message: str


def traces_among(texts: Sequence[str]) -> list[Trace]:
    """Return which texts a spreadsheet has probably changed, by comparison with the others of one row or column.

    Example:
        >>> [trace.message for trace in traces_among(["2-1", "2026-03-01"])]
        ["'2026-03-01' next to '2-1' is probably a text that a spreadsheet took for a date"]
        >>> traces_among(["2026-03-01", "2026-04-01"]), traces_among(["0.5", "12"])
        ([], [])
    """
    traces: list[Trace] = []
    for changed, unchanged, words in (
        (_DATE, _PAIR, "is probably a text that a spreadsheet took for a date"),
        (_TIME, _RATIO, "is probably a ratio that a spreadsheet took for a time"),
        (_ROUNDED, re.compile(r"\d{6,}"), "is probably a long number that a spreadsheet has rounded"),
    ):
        if other := next(filter(unchanged.fullmatch, texts), None):
            traces += [
                Trace(n, f"{text!r} next to {other!r} {words}")
                for n, text in enumerate(texts)
                if changed.fullmatch(text)
            ]
    padded = max((text for text in texts if text.isdecimal() and text[0] == "0"), key=len, default="")
    if all(map(str.isdecimal, texts)):
        traces += [
            Trace(n, f"{text!r} next to {padded!r} has probably lost leading zeros in a spreadsheet")
            for n, text in enumerate(texts)
            if text[0] != "0" and len(text) < len(padded)
        ]
    return traces


def is_rounded(text: str) -> bool:
    """Return whether a text is a long number as spreadsheets show it, so that its other digits are lost.

    Example:
        >>> is_rounded("1.23457E+12"), is_rounded("1.5E+03"), is_rounded("3e8")
        (True, False, False)
    """
    return bool(_LONG_ROUNDED.fullmatch(text))
