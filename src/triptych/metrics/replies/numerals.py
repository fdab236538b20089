"""Options that are numbers, and replies that are one: `3,5` for 3.5, `1.234,5`, `١٢`, `十二`, `twelve`."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import cache

from triptych.metrics.replies.lazy_pattern import lazy_pattern

_FOREIGN_DIGIT = lazy_pattern("[٠-٩۰-۹०-९০-৯๐-๙０-９٫٬]")
_NUMBER = lazy_pattern(r"([+\-−]?)(\d{1,30}(?:[., \u202f'’]\d{1,30}){0,9})")
_GROUPED = lazy_pattern(r"\d{1,3}(?:([., \u202f'’])\d{3})(?:\1\d{3})*")
_SPLIT, _NOT_DIGIT = lazy_pattern(r"(.*?)(?:([.,])(\d+))?"), lazy_pattern(r"\D")
_MAX_LENGTH = 80  # characters of a number with what encloses it
HAN_DIGITS = "零一二三四五六七八九"
ENGLISH_WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
_EDGES = " \t\n\"'“”‘’*`_$()[]{}"


def with_digits(text: str) -> str:
    """Return a text with the digits 0 to 9 in place of those of other scripts.

    Example:
        >>> with_digits("١٢ and १२")
        '12 and 12'
    """
    return text if text.isascii() else _FOREIGN_DIGIT.sub(lambda sign: _digit(sign[0]), text)


def _digit(sign: str) -> str:
    return {"٫": ".", "٬": ","}.get(sign) or str(int(sign))


def is_number(text: str) -> bool:
    """Return whether a text is a number and nothing else.

    Example:
        >>> is_number("-3.5"), is_number("12 dogs"), is_number("twelve")
        (True, False, True)
    """
    return bool(_values(text))


def equal_number(reply: str, options: Sequence[str]) -> int | None:
    """Return the index of the only option with the number that a reply is; None if none or several are equal to it.

    A number with one separator and three digits after it may be meant in two ways: `1,234`.

    Example:
        >>> equal_number("3,5.", ["3.5", "35"]), equal_number("1,234", ["1234", "1.234"]), equal_number("-3", ["3"])
        (0, None, None)
    """
    values = _values(reply)
    equal = [index for index, option in enumerate(options) if values & _values(option)]
    return equal[0] if len(equal) == 1 else None


def _values(text: str) -> frozenset[Decimal]:
    """Return what a text that is a number can mean; nothing for another text."""
    if len(text) > _MAX_LENGTH:
        return frozenset()
    bare = with_digits(text.strip(_EDGES).removesuffix(".").removesuffix("。").rstrip(_EDGES)).casefold()
    if match := _NUMBER.fullmatch(bare):
        return frozenset(Decimal(("-" if match[1] in ("-", "−") else "") + one) for one in _readings(match[2]))
    return _in_words().get(bare, frozenset())


def _readings(digits: str) -> set[str]:
    """Return a number without separators of thousands and with a decimal point, in each way that it can be meant."""
    integer, separator, fraction = _SPLIT.fullmatch(digits).groups("")  # type: ignore[union-attr]
    readings = set()
    if separator and (integer.isdecimal() or ((one := _GROUPED.fullmatch(integer)) and one[1] != separator)):
        readings.add(f"{_NOT_DIGIT.sub('', integer)}.{fraction}")
    if digits.isdecimal() or (_GROUPED.fullmatch(digits) and not digits.startswith("0")):
        readings.add(_NOT_DIGIT.sub("", digits))
    return readings


@cache
def _in_words() -> dict[str, frozenset[Decimal]]:
    numbers = {word: frozenset([Decimal(number)]) for number, word in enumerate(ENGLISH_WORDS)}
    for number in range(100):
        tens, ones = divmod(number, 10)
        ten = (HAN_DIGITS[tens] if tens > 1 else "") + "十" if tens else ""
        numbers[ten + (HAN_DIGITS[ones] if ones or not tens else "")] = frozenset([Decimal(number)])
    numbers["两"] = numbers["兩"] = frozenset([Decimal(2)])
    return numbers
