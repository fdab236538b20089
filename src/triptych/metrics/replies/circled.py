"""Letters and numbers in circles, squares and brackets of their own (`Ⓐ`, `🅰`, `①`, `⑴`), as the labels they mean."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from triptych.metrics.replies.lazy_pattern import lazy_pattern

# The first sign of each alphabet, and the rows of numbers
_ALPHABETS = "Ⓐⓐ⒜🄐🄰🅐🅰"
_NUMBERS = "①-⑳⑴-⒇❶-❿➀-➉➊-➓⓵-⓾⓫-⓴㈠-㈩㊀-㊉"
_SIGN_SOURCE = f"[{''.join(f'{first}-{chr(ord(first) + 25)}' for first in _ALPHABETS)}{_NUMBERS}]|[1-9]\ufe0f?\u20e3"
_SIGN, _OPENING = lazy_pattern(_SIGN_SOURCE), lazy_pattern(rf"\s*({_SIGN_SOURCE})")
_LABELLED = lazy_pattern(rf"(?:(?<![^\W_])[A-Z]|{_SIGN_SOURCE})[)\].:：、]{{0,2}}\s*$")
_HINT = lazy_pattern(f"[{''.join(f'{first}-{chr(ord(first) + 25)}' for first in _ALPHABETS)}{_NUMBERS}\u20e3]")
_INDENT = 40  # characters before which a line has not begun
_WORD = lazy_pattern(r"\w")
_SIGNS = lazy_pattern(rf"(?:{_SIGN_SOURCE})+")


def without_circles(reply: str, labels: Sequence[str], texts: Sequence[str], end: str) -> str:
    """Return a reply with the labels that circled signs mean in place of them.

    A number is the label with that number, or means the option in that position unless labels are numbers. Several
    signs without anything between (`①③`) are statements, as are all numbers, or all letters, if an option's text has
    one other than as its own label before it: these stay, between spaces. One between another label and its option's
    words (`B. ② rain`) is left out. `end` comes behind a sign that begins a line unless there are others of its kind:
    several letters weigh options against each other, and several numbers can be those of reasons.

    Example:
        >>> without_circles("② a cat", "ABCD", (), ")"), without_circles("ⓑ", "ABCD", (), ")")
        (' B)  a cat', ' B) ')
        >>> without_circles("C①③", "ABCD", ("①②", "①③"), ")")
        'C ①③ '
    """
    if reply.isascii() or _HINT.search(reply) is None or _SIGN.search(reply) is None:
        return reply
    values = {_value(match[0]) for match in _SIGN.finditer(reply)}
    alone = {kind for kind in (str, int) if sum(isinstance(value, kind) for value in values) == 1}
    statements = _kinds_in(without_own_signs(texts, labels))

    def label(match: re.Match[str]) -> str:
        sign = match[0]
        if _SIGN.fullmatch(sign) is None or type(_value(sign)) in statements:
            return f" {sign} "
        if (index := _index(sign, labels)) is None:
            return sign
        if _LABELLED.search(reply[max(0, match.start() - 6) : match.start()]) and _begins_with(
            reply[match.end() :], texts, index
        ):
            return " "
        marked = type(_value(sign)) in alone and _begins_line(reply, match.start())
        return f" {labels[index]}{end if marked else ''} "

    return _SIGNS.sub(label, reply)


def listed(reply: str, labels: Sequence[str], texts: Sequence[str] = ()) -> str:
    """Return a reply that may list several options, with labels in place of circled signs unless options have these.

    Example:
        >>> listed("①③", "ABCD").split(), listed("Ⓑ, Ⓓ", "ABCD").split()
        (['A', 'C'], ['B', ',', 'D'])
    """
    statements = _kinds_in(without_own_signs(texts, labels))

    def label(match: re.Match[str]) -> str:
        index = None if type(_value(match[0])) in statements else _index(match[0], labels)
        return match[0] if index is None else f" {labels[index]} "

    return reply if reply.isascii() else _SIGN.sub(label, reply)


def without_own_signs(texts: Sequence[str], labels: Sequence[str]) -> Sequence[str]:
    """Return the texts of options without the signs before them, if these are their labels and texts have no others.

    Example:
        >>> without_own_signs(["① rain", "② wind"], "AB"), without_own_signs(["① only", "neither"], "AB")
        (['rain', 'wind'], ['① only', 'neither'])
    """
    openings = [_OPENING.match(text) for text in texts]
    indices = [_index(opening[1], labels) if opening else None for opening in openings]
    bare = [text[opening.end() :].lstrip() if opening else text for text, opening in zip(texts, openings, strict=True)]
    return bare if indices == list(range(len(texts))) and not _kinds_in(bare) else texts


def has_numbers(labels: Sequence[str]) -> bool:
    """Return whether the labels of options are numbers.

    Example:
        >>> has_numbers("0123"), has_numbers("ABCD")
        (True, False)
    """
    return any(label.isdecimal() for label in labels)


def _begins_line(text: str, at: int) -> bool:
    """Return whether a position has only punctuation before it on its line."""
    line = text[max(0, at - _INDENT) : at].rpartition("\n")[2]
    return len(line) < _INDENT and _WORD.search(line) is None


def _begins_with(text: str, texts: Sequence[str], index: int) -> bool:
    """Return whether a text begins with the words of an option."""
    words = texts[index].casefold().strip() if index < len(texts) else ""
    return bool(words) and text.lstrip()[: len(words)].casefold() == words


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


def _kinds_in(texts: Sequence[str]) -> set[type]:
    """Return the kinds of signs in texts: `str` for letters, `int` for numbers."""
    return {type(_value(sign)) for text in texts for sign in _SIGN.findall(text)}
