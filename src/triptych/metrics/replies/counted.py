"""Short answers that state a number with what it counts or measures: `There are 3 speakers.`, `4,5 Sekunden`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from triptych.metrics.replies.lazy_pattern import lazy_pattern
from triptych.metrics.replies.numerals import ENGLISH_WORDS, HAN_DIGITS, equal_number, is_number

_MAX_LENGTH = 80
_WORDS = "|".join(ENGLISH_WORDS[2:])  # many replies have "one" or "zero" without a count
_HAN = f"{HAN_DIGITS}十两兩"
_NUMBER = lazy_pattern(rf"[+\-−]?\d+(?:[.,'’ \u202f]\d+)*(?!\d)|(?<!\w)(?:{_WORDS})(?!\w)|[{_HAN}]+", re.I)
_LEAD = lazy_pattern(
    r"(?:(?:there\s+(?:are|is)|(?:i|we|you)\s+(?:can\s+)?(?:clearly\s+)?(?:hear|see|count|counted|heard|saw))\s+"
    r"(?:(?:exactly|about|a\s+total\s+of)\s+)?|[一]?共(?:有|计)?)?",
    re.I,
)
_REST = lazy_pattern(
    r"\s*(?!(?:possible|plausible|potential|options?|answers?|choices?|ways?|or|to|and|of|out)\b)"
    r"(?:[^\W\d_][^\W\d_'-]*(?:\s+[^\W\d_][^\W\d_'-]*){0,5})\s*[.!。]?\s*",
    re.I,
)
_NOT = lazy_pattern(
    r"\b(?:not|no|n't|isn't|aren't|nicht|kein\w*|pas|if|or|maybe|than|least|most|between)\b|[不没或]", re.I
)


def counted(answer: str, options: Sequence[str]) -> int | None:
    """Return the option with the number of an answer that states one number and what it counts, and nothing else.

    None if the options aren't numbers, if the answer has another number, or if it denies or weighs something.

    Example:
        >>> counted("There are 3 speakers.", ["2", "3"]), counted("4,5 Sekunden", ["4.5", "45"])
        (1, 0)
        >>> counted("At 3 seconds a door slams.", ["2", "3"]), counted("There are 2 possible answers.", ["2", "3"])
        (None, None)
    """
    text = answer.strip().strip("*_ ")
    if len(text) > _MAX_LENGTH or not all(map(is_number, options)) or _NOT.search(text):
        return None
    lead = _LEAD.match(text)
    numbers = list(_NUMBER.finditer(text, lead.end() if lead else 0))
    if len(numbers) != 1 or lead is None or numbers[0].start() != lead.end():
        return None
    return equal_number(numbers[0][0].strip(), options) if _REST.fullmatch(text, numbers[0].end()) else None
