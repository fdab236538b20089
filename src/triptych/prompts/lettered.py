"""Options inside a question's text, each after its letter: finding and reordering them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

Span = tuple[int, int]
_AFTER = r"\s*[、.．:：)）]\s*"
_TRAILING = " \t\r\n\u3000。；;，,"
# The end of the last option: a new line, or an instruction that follows it.
_END = re.compile(r"\n|(?:[。．.]|(?<!\s))\s*+(?:要求|請|请|只輸出|只输出|Answer\b|Please\b|Choose\b|Reply\b)")


def find_lettered(text: str, letters: Sequence[str], names: Sequence[str] = ()) -> tuple[Span, ...] | None:
    """Return the position of each option's text, in the order of `letters`; None if an option is missing.

    An option begins after its letter and punctuation (`A、`, `A.`, `(A)`), and ends where the next one begins, without
    the spaces, commas and full stops between them. `names`: the texts of the options; if an option begins differently,
    or there are more or fewer of them than letters, the result is None.
    """
    if names and (len(names) != len(letters) or not _in_order(text, names)):
        return None
    marks = _marks(text, letters)
    if marks is None or len(letters) < 2:
        return None
    stops = [*(start for start, _ in marks[1:]), len(text)]
    spans = []
    for number, ((_, begin), stop) in enumerate(zip(marks, stops, strict=True)):
        if names:
            if not names[number] or not text.startswith(names[number], begin, stop):
                return None
            spans.append((begin, begin + len(names[number])))
            continue
        if number == len(marks) - 1 and (end := _END.search(text[begin:])):
            stop = begin + end.start()
        spans.append((begin, begin + len(text[begin:stop].rstrip(_TRAILING))))
    return tuple(spans) if all(begin < end for begin, end in spans) else None


def reorder(text: str, spans: Sequence[Span], order: Sequence[int]) -> str:
    """Return the text with reordered options: position n has the text of option `order[n]`; other text is unchanged."""
    words = [text[begin:end] for begin, end in spans]
    made, last = [], 0
    for (begin, end), source in zip(spans, order, strict=True):
        made += [text[last:begin], words[source]]
        last = end
    return "".join([*made, text[last:]])


def has_letters(text: str, letters: Sequence[str]) -> bool:
    """Return whether at least the first two letters appear in order, each marked as an option."""
    return len(letters) > 1 and _marks(text, letters[:2]) is not None


def _in_order(text: str, names: Sequence[str]) -> bool:
    """Return whether a text contains the names one after the other; this is much faster than looking for letters."""
    at = 0
    for name in names:
        at = text.find(name, at)
        if at < 0:
            return False
        at += len(name)
    return True


def _marks(text: str, letters: Sequence[str]) -> list[Span] | None:
    """Return (start of the letter, start of the text after it) of each letter, in ascending order."""
    spans: list[Span] = []
    for letter in letters:
        mark = _mark(letter).search(text, spans[-1][1] if spans else 0)
        if mark is None:
            return None
        spans.append(mark.span())
    return spans


@lru_cache(maxsize=256)
def _mark(letter: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9])[(（]?(?<![A-Za-z0-9]){re.escape(letter)}{_AFTER}")
