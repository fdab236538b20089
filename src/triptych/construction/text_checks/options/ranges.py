"""Amounts and ranges of amounts in options: `三天`, `两到五天`, `不足十天`, `more than three days`, `at least 3 km`."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from triptych.construction.text_checks.numerals import chinese_in_digits
from triptych.construction.text_checks.options.quantities import with_digits
from triptych.construction.text_checks.shortened import reads_shortened

_NUMBER = r"(\d+(?:\.\d+)?)"
_ABOUT = r"(?:大约|大概|约|about|around|approximately|some)?\s*"
_UNIT = r"\s*([^\d]{0,12}?)"
_LOWER = r"(?:不足|不到|少于|小于|低于|未满|不满|不及|less than|fewer than|under|below)\s*"
_AT_MOST = r"(?:最多|至多|不超过|不多于|不大于|at most|up to|no more than|not more than|maximum of)\s*"
_HIGHER = r"(?:超过|多于|大于|高于|不止|多过|more than|over|above|exceeding)\s*"
_AT_LEAST = r"(?:至少|最少|不少于|不小于|不低于|at least|no (?:less|fewer) than|minimum of)\s*"
_TO = r"\s*(?:到|至|或|、|[-–—~～]|to|and|or)\s*"
_FORMS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(rf"{_ABOUT}(?:从|在|between |from )?{_NUMBER}(?:[^\d\s]{{1,4}}?)?{_TO}{_NUMBER}{_UNIT}(?:之间)?"),
        "[]",
    ),
    (re.compile(rf"{_LOWER}{_NUMBER}{_UNIT}"), "<"),
    (re.compile(rf"{_AT_MOST}{_NUMBER}{_UNIT}"), "<="),
    (re.compile(rf"{_NUMBER}{_UNIT}\s*(?:以下|以内|之内|or less|or fewer|or under)"), "<="),
    (re.compile(rf"{_HIGHER}{_NUMBER}{_UNIT}"), ">"),
    (re.compile(rf"{_AT_LEAST}{_NUMBER}{_UNIT}"), ">="),
    (re.compile(rf"{_NUMBER}{_UNIT}\s*(?:以上|or more|or over)"), ">="),
    (re.compile(rf"{_ABOUT}{_NUMBER}{_UNIT}"), "="),
)
_SLIGHT = 1e-9  # by which an open end differs from its number


class Amounts(NamedTuple):
    """The lowest and greatest amount that an option states, and their unit."""

    lower: float
    upper: float
    unit: str


@reads_shortened
def amounts(option: str) -> Amounts | None:
    """Return what an option that is an amount or a range of amounts states; None for other options.

    >>> amounts("两到五天"), amounts("at least three days")
    (Amounts(lower=2.0, upper=5.0, unit='天'), Amounts(lower=3.0, upper=inf, unit='days'))
    >>> amounts("因为三天没吃饭")
    """
    text = unicodedata.normalize("NFKC", option).casefold().strip(" .。!?，,")
    text = re.sub(r"半(?=个?(?:小时|月|年|天|日))", "0.5", text)
    text = with_digits(chinese_in_digits(text))
    for pattern, form in _FORMS:
        if match := pattern.fullmatch(text):
            *numbers, unit = match.groups()
            first, last = float(numbers[0]), float(numbers[-1])
            unit = re.sub(r"^(?:个|位|名)(?=.)", "", unit.strip())
            lower, upper = {
                "[]": (first, last),
                "<": (0.0, last - _SLIGHT),
                "<=": (0.0, last),
                ">": (first + _SLIGHT, math.inf),
                ">=": (first, math.inf),
                "=": (first, last),
            }[form]
            return Amounts(lower, upper, unit) if lower <= upper else None
    return None


def right_in_wrong(options: Sequence[str], right: Sequence[int]) -> tuple[str, str] | None:
    """Return a correct amount and a wrong range that holds it, which is correct as well; None if there is none.

    >>> right_in_wrong(["三天", "两到五天", "十天", "一个月"], [0])
    ('三天', '两到五天')
    """
    stated = [amounts(option) for option in options]
    for index in right:
        if (mine := stated[index]) is None:
            continue
        for number, other in enumerate(stated):
            if number in right or other is None or other.unit != mine.unit or other.lower == other.upper:
                continue
            if other.lower <= mine.lower and mine.upper <= other.upper:
                return options[index], options[number]
    return None
