"""Letters and numbers in circles, squares and brackets of their own (`Ⓐ`, `🅰`, `①`, `⑴`), as the labels they mean."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Sequence

from triptych.metrics.replies.lazy_pattern import lazy_pattern

# The first sign of each alphabet, and the rows of numbers
_ALPHABETS = "Ⓐⓐ⒜🄐🄰🅐🅰"
_NUMBERS = "①-⑳⑴-⒇❶-❿➀-➉➊-➓⓵-⓾⓫-⓴㈠-㈩㊀-㊉"
_SIGN_SOURCE = f"[{''.join(f'{first}-{chr(ord(first) + 25)}' for first in _ALPHABETS)}{_NUMBERS}]|[1-9]\ufe0f?\u20e3"
_SIGN, _OPENING = lazy_pattern(_SIGN_SOURCE), lazy_pattern(rf"\s*({_SIGN_SOURCE})")
_WORD = lazy_pattern(r"\w")
_SIGNS = lazy_pattern(rf"(?:{_SIGN_SOURCE})+")


def without_circles(reply: str, labels: Sequence[str], texts: Sequence[str], end: str) -> str:
    """Return a reply with the labels that circled signs mean in place of them.

    A number is the label with that number, or means the option in that position unless labels are numbers. Several
    signs without anything between (`①③`) are statements, as are all signs if an option's text has one other than as
    its own label before it: these stay, between spaces. `end` comes behind a letter, and behind a number that begins a
    line unless there are others: those can be the numbers of reasons.

    Example:
        >>> without_circles("② a cat", "ABCD", (), ")"), without_circles("ⓑ", "ABCD", (), ")")
        (' B)  a cat', ' B) ')
        >>> without_circles("C①③", "ABCD", ("①②", "①③"), ")")
        'C ①③ '
    """
    if reply.isascii() or _SIGN.search(reply) is None:
        return reply
    numbers = {_value(match[0]) for match in _SIGN.finditer(reply)}.difference(string.ascii_uppercase)
    statements = _are_statements(texts, labels)

    def label(match: re.Match[str]) -> str:
        sign = match[0]
        if statements or _SIGN.fullmatch(sign) is None:
            return f" {sign} "
        if (index := _index(sign, labels)) is None:
            return sign
        marked = isinstance(_value(sign), str) or (len(numbers) == 1 and _begins_line(reply, match.start()))
        return f" {labels[index]}{end if marked else ''} "

    return _SIGNS.sub(label, reply)


def listed(reply: str, labels: Sequence[str], texts: Sequence[str] = ()) -> str:
    """Return a reply that may list several options, with labels in place of circled signs unless options have these.

    Example:
        >>> listed("①③", "ABCD").split(), listed("Ⓑ, Ⓓ", "ABCD").split()
        (['A', 'C'], ['B', ',', 'D'])
    """

    def label(match: re.Match[str]) -> str:
        index = _index(match[0], labels)
        return match[0] if index is None else f" {labels[index]} "

    return reply if reply.isascii() or _are_statements(texts, labels) else _SIGN.sub(label, reply)


def has_numbers(labels: Sequence[str]) -> bool:
    """Return whether the labels of options are numbers.

    Example:
        >>> has_numbers("0123"), has_numbers("ABCD")
        (True, False)
    """
    return any(label.isdecimal() for label in labels)


def _begins_line(text: str, at: int) -> bool:
    """Return whether a position has only punctuation before it on its line."""
    return _WORD.search(text, text.rfind("\n", 0, at) + 1, at) is None


def _index(sign: str, labels: Sequence[str]) -> int | None:
    """Return the position of the option that a sign means; None if there is none."""
    value = _value(sign)
    if isinstance(value, int) and not has_numbers(labels):
        return value - 1 if value <= len(labels) else None
    return list(labels).index(str(value)) if str(value) in labels else None


def _value(sign: str) -> str | int:
    """Return the letter of a sign in upper case, or its number."""
    for first in _ALPHABETS:
        if 0 <= ord(sign[0]) - ord(first) < 26:
            return chr(ord("A") + ord(sign[0]) - ord(first))
    return int(unicodedata.numeric(sign[0]))


def _are_statements(texts: Sequence[str], labels: Sequence[str]) -> bool:
    """Return whether an option's text has such a sign, except as its own label before it."""
    return any(_SIGN.search(_without_own(text, n, labels)) for n, text in enumerate(texts))


def _without_own(text: str, position: int, labels: Sequence[str]) -> str:
    opening = _OPENING.match(text)
    return text[opening.end() :] if opening and _index(opening[1], labels) == position else text
