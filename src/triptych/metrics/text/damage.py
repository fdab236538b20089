"""Texts that another encoding, or a faulty conversion, has damaged; and characters in them that no reader sees."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from triptych.metrics.text.misread import misread


class Damage(NamedTuple):
    """A fault of a text. `kind`: a short slug. `message`: in words, with the place or what was probably meant."""

    kind: str
    message: str


_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffe\uffff]")
_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]")
_REPLACED = re.compile("\ufffd+")
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069\n\u2029]")
_OVERRIDES = "\u202d\u202e"
_ISOLATES = "\u2066\u2067\u2068"
# Scripts that are written without spaces have zero-width ones between words: Thai, Lao, Tibetan, Burmese, Khmer, Tai.
_WITHOUT_SPACES = re.compile("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf\uaa60-\uaadf]")
_ZERO_WIDTH = re.compile("[\u200b\u2060\ufeff]|(?<=[A-Za-z0-9])[\u200c\u200d](?=[A-Za-z0-9])")
# A sign of any damage, to be quick with the other texts
_SUSPECT = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffd-\uffff"
    "\u200b-\u200d\u202a-\u202e\u2060\u2066-\u2069\ufeff\ue000-\uf8ff\U000f0000-\U0010fffd]"
)


def damages(text: str, *, compared: bool = False) -> Iterator[Damage]:
    """Yield what is wrong with the characters of a text.

    Kinds: `undecodable` (U+FFFD), `mojibake` (read in another encoding), `text-direction` (controls that are not
    closed, or that override the direction of letters), `control-character`, `private-use`, `combining-mark` (without a
    letter before it) and `zero-width`.

    Args:
        text: The text.
        compared: Whether a reply is compared with it, so that a space without width counts, too.

    Example:
        >>> [damage.message for damage in damages("Die Gr\\u00c3\\u00b6\\u00c3\\u0178e")]
        ["'GrÃ¶ÃŸe' is probably 'Größe': UTF-8 that was read as Windows-1252"]
        >>> list(damages("Die Größe"))
        []
    """
    if text.isascii():
        yield from _control(text)
        return
    reading = misread(text)
    if reading:
        meant = f" probably {reading.meant!r}:" if reading.meant else ""
        yield Damage("mojibake", f"{reading.signs!r} is{meant} {reading.how}")
    if _SUSPECT.search(text):
        yield from _unseen(text, compared)
        yield from () if reading else _control(text)
    if (start := text.lstrip()[:1]) and unicodedata.category(start).startswith("M"):
        name = unicodedata.name(start, f"U+{ord(start):04X}")
        yield Damage("combining-mark", f"it begins with the mark {name} (U+{ord(start):04X}) without its letter")


def _unseen(text: str, compared: bool) -> Iterator[Damage]:
    if match := _REPLACED.search(text):
        yield Damage("undecodable", f"it contains {_excerpt(text, match)}: U+FFFD replaces bytes that were not decoded")
    if code := _unbalanced(text):
        yield Damage("text-direction", f"it contains U+{code:04X}, which changes the order in which letters are shown")
    if match := _PRIVATE.search(text):
        yield Damage(
            "private-use",
            f"it contains U+{ord(match[0]):04X} {_position_of(match)}, which has a meaning in one font only",
        )
    if compared and (match := _ZERO_WIDTH.search(text)) and not _WITHOUT_SPACES.search(text):
        yield Damage(
            "zero-width", f"it contains U+{ord(match[0]):04X} {_position_of(match)}, which has no width: {text[:40]!r}"
        )


def _control(text: str) -> Iterator[Damage]:
    if match := _CONTROL.search(text):
        yield Damage(
            "control-character", f"it contains the control character U+{ord(match[0]):04X} {_position_of(match)}"
        )


def _position_of(match: re.Match[str]) -> str:
    return f"at its character {match.start() + 1}"


def _excerpt(text: str, match: re.Match[str]) -> str:
    return repr(text[max(0, match.start() - 15) : match.end() + 15])


def _unbalanced(text: str) -> int:
    """Return the code of a control of direction that overrides letters, stays open in its line, or closes nothing."""
    opened: list[str] = []
    for match in _DIRECTION.finditer(text + "\n"):
        sign = match[0]
        if sign in "\n\u2029":
            if opened:
                return ord(opened[-1])
        elif sign in _OVERRIDES:
            return ord(sign)
        elif sign in "\u202c\u2069":
            if not opened or (opened[-1] in _ISOLATES) is not (sign == "\u2069"):
                return ord(sign)
            opened.pop()
        else:
            opened.append(sign)
    return 0
