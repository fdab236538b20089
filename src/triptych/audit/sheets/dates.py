"""Dates and times of XLSX workbooks: numbers of days that a cell's format shows as a date."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

# The formats of dates and times that have no code in the file (ECMA-376, 18.8.30, with those of East Asian languages)
DATE_FORMATS = {
    **dict.fromkeys((*range(14, 18), *range(27, 32), 36, *range(50, 55), 57, 58), "yyyy-mm-dd"),
    **dict.fromkeys((18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56), "h:mm:ss"),
    22: "yyyy-mm-dd h:mm",
}
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
_LITERAL = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.|\*.')
_MAX_DAYS = 2_958_465  # 9999-12-31
_DAY = 86_400


def date_text(number: float, code: str, *, since_1904: bool = False) -> str:
    """Return a number of days as the date (ISO 8601) or time that its number format stands for; empty for another one.

    Args:
        number: Days since the end of 1899, or since 1904-01-01.
        code: The number format.
        since_1904: Whether the workbook counts from 1904.

    Example:
        >>> date_text(45658, "d mmm yyyy"), date_text(45658.5, "yyyy-mm-dd h:mm"), date_text(1.25, "[h]:mm")
        ('2025-01-01', '2025-01-01 12:00:00', '30:00:00')
        >>> date_text(45658, "0.00")
        ''
    """
    shown = _LITERAL.sub("", _ELAPSED.sub(r"\1", code)).split(";")[0].lower().replace("general", "")
    has_time = bool(re.search("[hs]", shown))
    has_date = bool(re.search("[yd]", shown)) or ("m" in shown and not has_time)
    if not (has_date or has_time) or not 0 <= number <= _MAX_DAYS:
        return ""
    seconds = round(number * _DAY)
    if not has_date:
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    # Excel counts a 29 February 1900, which there never was
    first = (
        datetime(1904, 1, 1, tzinfo=UTC) if since_1904 else datetime(1899, 12, 30 if number >= 60 else 31, tzinfo=UTC)
    )
    return f"{first + timedelta(seconds=seconds):%Y-%m-%d{' %H:%M:%S' if has_time else ''}}"
