"""Dates and times of XLSX cells: numbers that only the format of their cell tells from others."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping

# Formats by number, which a file doesn't spell out; those from 27 on are of East Asian Excel
_BUILT_IN = {
    **dict.fromkeys((14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58), "yyyy-mm-dd"),
    **dict.fromkeys((18, 20, 32, 34, 55), "h:mm"),
    **dict.fromkeys((19, 21, 33, 35, 56), "h:mm:ss"),
    22: "yyyy-mm-dd h:mm",
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
}
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
_LITERAL = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.|\*.')  # texts, escapes, colours and languages, spaces
_DAY_0 = datetime.datetime(1899, 12, 30, tzinfo=datetime.UTC)
_DAY_0_OF_1904 = datetime.datetime(1904, 1, 1, tzinfo=datetime.UTC)
_NOT_A_DAY = 60  # 29 February 1900, which Excel counts: before it, days are one later


def date_format(number: int, codes: Mapping[int, str]) -> str:
    """Return the parts of a date or time that a cell format shows, of `ymdhs`; empty if it shows another number.

    `codes`: the formats that the file spells out, by their number.

    Example:
        >>> date_format(14, {}), date_format(164, {164: "[h]:mm:ss"}), date_format(165, {165: '0.0" days"'})
        ('ymd', 'hms', '')
    """
    code = codes.get(number, _BUILT_IN.get(number, ""))
    plain = _LITERAL.sub("", _ELAPSED.sub(r"\1", code)).partition(";")[0].lower()
    if plain == "general":
        return ""
    return "".join(letter for letter in "ymdhs" if letter in plain)


def as_shown(serial: float, parts: str, from_1904: bool = False) -> str | float:
    """Return a date as `2025-03-04`, a time as `1:02:03`, both with a space between; a number that is none unchanged.

    `parts`: as `date_format` returns them. A time without hours in its format is `62:03`, one without seconds `1:02`.

    Example:
        >>> as_shown(45720, "ymd"), as_shown(45720.5, "ymdhm"), as_shown(0.0430902778, "hms"), as_shown(0.001, "ms")
        ('2025-03-04', '2025-03-04 12:00:00', '1:02:03', '1:26.4')
    """
    if not {"y", "d"} & set(parts) and {"h", "s"} & set(parts):
        return _time(serial, parts)
    try:
        if from_1904:
            moment = _DAY_0_OF_1904 + datetime.timedelta(days=serial)
        else:
            moment = _DAY_0 + datetime.timedelta(days=serial + (0 < serial < _NOT_A_DAY))
    except OverflowError:
        return serial
    moment = (moment + datetime.timedelta(milliseconds=500)).replace(microsecond=0)
    return moment.strftime("%Y-%m-%d" if serial.is_integer() else "%Y-%m-%d %H:%M:%S")


def _time(serial: float, parts: str) -> str | float:
    if serial < 0:
        return serial
    milliseconds = round(serial * 86_400_000)
    minutes, rest = divmod(milliseconds, 60_000)
    seconds = f"{rest / 1000:06.3f}".rstrip("0").rstrip(".")
    if "h" not in parts:
        return f"{minutes}:{seconds}"
    clock = f"{minutes // 60}:{minutes % 60:02}"
    return f"{clock}:{seconds}" if "s" in parts else clock
