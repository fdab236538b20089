"""Dates and times of XLSX workbooks: numbers of days that a cell's format shows as a date."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

# The formats of dates and times that have no code in the file (ECMA-376, 18.8.30, with those of East Asian languages)
DATE_FORMATS = {
    **dict.fromkeys((*range(14, 18), *range(27, 32), 36, *range(50, 55), 57, 58), "yyyy-mm-dd"),
    **dict.fromkeys((18, 20, 32, 34, 55), "h:mm"),
    **dict.fromkeys((19, 21, 33, 35, 56), "h:mm:ss"),
    22: "yyyy-mm-dd h:mm",
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
}
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
_LITERAL = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.|\*.')  # texts, escapes, colours and languages, spaces
_MAX_DAYS = 2_958_465  # 9999-12-31
_DAYS_BEFORE_1904 = 1462
_DAY_MS = 86_400_000


def date_text(number: float, code: str, *, since_1904: bool = False) -> str:
    """Return a number of days as the date (ISO 8601) or time that its number format stands for; empty for another one.

    A date has a time (`18:00:00`) if the format shows one. A time has the seconds that the format
    shows, and the hours also if there are any.

    Args:
        number: Days since the end of 1899, or since 1904-01-01.
        code: The number format.
        since_1904: Whether the workbook counts from 1904.

    Example:
        >>> date_text(45658, "d mmm yyyy"), date_text(45658.5, "yyyy-mm-dd h:mm"), date_text(1.25, "[h]:mm")
        ('2025-01-01', '2025-01-01 12:00:00', '30:00')
        >>> date_text(0.001, "mm:ss.0"), date_text(45658, "0.00")
        ('1:26.4', '')
    """
    parts = _parts(code)
    if not parts or not 0 <= number <= _MAX_DAYS - (_DAYS_BEFORE_1904 if since_1904 else 0):
        return ""
    has_time = bool(parts & {"h", "s"})
    if has_time and not parts & {"y", "d"}:
        return _time(round(number * _DAY_MS), parts)
    # Excel counts a 29 February 1900, which there never was
    first = (
        datetime(1904, 1, 1, tzinfo=UTC) if since_1904 else datetime(1899, 12, 30 if number >= 60 else 31, tzinfo=UTC)
    )
    if not has_time:
        return f"{first + timedelta(days=int(number)):%Y-%m-%d}"
    return f"{first + timedelta(seconds=round(number * _DAY_MS / 1000)):%Y-%m-%d %H:%M:%S}"


@lru_cache(maxsize=256)  # a workbook has few formats and many cells
def _parts(code: str) -> frozenset[str]:
    """Return the letters of what a format shows: year, month or minute, day, hour, second; empty for a number."""
    plain = _LITERAL.sub("", _ELAPSED.sub(r"\1", code)).split(";")[0].lower().replace("general", "")
    return frozenset("ymdhs") & frozenset(plain)


def _time(milliseconds: int, parts: frozenset[str]) -> str:
    minutes, rest = divmod(milliseconds, 60_000)
    seconds = f"{rest / 1000:06.3f}".rstrip("0").rstrip(".")
    if "h" not in parts and minutes < 60:
        return f"{minutes}:{seconds}"
    clock = f"{minutes // 60}:{minutes % 60:02}"
    return f"{clock}:{seconds}" if "s" in parts else clock
