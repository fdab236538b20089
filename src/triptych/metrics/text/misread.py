"""Text whose bytes were read in another encoding (mojibake): found, and read as it was probably meant.

UTF-8 that is read as Windows-1252 or Latin-1 turns a letter into two to four signs: one of Â to ô, and others of
the upper half of the code page. Some of these pairs also occur in real text, before a closing quotation mark (`MAÇÃ”`,
`„Spaß“`): they count only if they are inside a word, or if the text has another pair that no text has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# The characters of the bytes 0x80 to 0xFF. Windows-1252 leaves five of them undefined; programs read these as Latin-1.
_BYTES = {chr(byte): byte for byte in range(0x80, 0x100)}
_BYTES |= {
    bytes([byte]).decode("cp1252"): byte for byte in range(0x80, 0xA0) if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}
_CONTINUING = "".join(re.escape(sign) for sign, byte in _BYTES.items() if byte < 0xC0)
_SEQUENCE = re.compile(
    f"(?:[\u00c2-\u00df][{_CONTINUING}]|[\u00e0-\u00ef][{_CONTINUING}]{{2}}|[\u00f0-\u00f4][{_CONTINUING}]{{3}})+"
)
# Signs that follow a letter in real text without a space: closing marks, dashes, degrees, footnotes, and `¿` and `„`,
# which open what follows
_AFTER_LETTERS = frozenset("»”’“‘›«‹…–—·°®™©†‡²³¹ªº´ \u00a0\u00ad¿¡„‚•")
_BEFORE_LETTERS = frozenset("…–—’“«‹¿¡„‚·")  # may be followed by a letter without a space
_AFTER_CAPITALS = frozenset("»”’“‘›…–—·\u00a0")  # after Â and Ã, which end few words
_LATIN = "ÂÃ"  # with which U+0080 to U+00FF begin in UTF-8
_ROMANIAN = ("È›", "È™", "Èš", "È˜", "È\x9b", "È\x99", "È\x9a", "È\x98")  # ț, ș, Ț, Ș
_GBK = re.compile("[\u00a1-\u00fe]{4,}")
# The first of them are the bytes E4 to E9 and 80 to BF, with which ideographs begin in UTF-8
_FIRST_OF_GBK = "".join(bytes([lead, trail]).decode("gbk") for lead in range(0xE4, 0xEA) for trail in range(0x80, 0xC0))
_IDEOGRAPHS = re.compile(f"[{_FIRST_OF_GBK}][\u3000-\u30ff\u3400-\u9fff\ue000-\uf8ff\u20ac]{{2,}}")
# Pieces of which the rest was lost: of U+FFFD (锟斤拷) and of punctuation (鈥 锛 銆 锘) in UTF-8 that was read as
# GBK; of a byte order mark, of U+FFFD, and of letters that were misread twice, read as Windows-1252
_PIECES = re.compile(
    "(?P<gbk>锟(?:斤拷?|.拷)|斤拷|鈥[\u4e00-\u9fff]?|[锛銆][\u4e00-\u9fff?€]|锘[縷挿])|ï»¿|â€|Ã[ƒ‚]|ï¿½"
)
# Memory that was never written (the bytes CC, CD, DD), read as GBK; in speech, the words may be meant
_UNWRITTEN = re.compile('(?<![“‘"「，！])(?:烫{3,}|屯{3,}|葺{3,})(?![！!”’"」，烫])')
_WORD = re.compile(r"[^ \t\r\n]+")
_SHOWN = 40


class Misread(NamedTuple):
    """Signs of a text, what they probably mean (empty if that is lost), and how they came about, in words."""

    signs: str
    meant: str
    how: str


def misread(text: str) -> Misread | None:
    """Return the first word of a text that was read in another encoding, with what was meant; None if there is none.

    Example:
        >>> misread("it\\u00e2\\u20ac\\u2122s here").meant, misread("\\u00c4\\u00e3\\u00ba\\u00c3").meant
        ('it’s', '你好')
        >>> misread("« É… », „Spaß“, SÃO, MAÇÃ”") is None
        True
    """
    return _as_single_bytes(text) or _gbk_as_single_bytes(text) or _utf8_as_gbk(text) or _piece(text)


def _as_single_bytes(text: str) -> Misread | None:
    """Return what is UTF-8 read as Windows-1252, or as Latin-1."""
    sequences = [match for match in _SEQUENCE.finditer(text) if _decoded(match[0])]
    match = next((match for match in sequences if _is_certain(match)), None)
    if match is None:
        return None
    word = next((one[0] for one in _WORD.finditer(text) if one.start() <= match.start() < one.end()), match[0])
    word = word.strip("()[]{}\"'`,;:!?.")
    signs = word if len(word) <= _SHOWN and match[0] in word else match[0][:_SHOWN]
    latin = any("\x80" <= sign <= "\x9f" for sign in match[0])
    return Misread(signs, _mended(signs), f"UTF-8 that was read as {'Latin-1' if latin else 'Windows-1252'}")


def _mended(text: str) -> str:
    """Return a text with its sequences read as UTF-8, also those that were misread twice."""
    for _ in range(3):
        mended = _SEQUENCE.sub(lambda match: _decoded(match[0]) or match[0], text)
        if mended == text:
            break
        text = mended
    return text


def _decoded(signs: str) -> str:
    try:
        return bytes(_BYTES[sign] for sign in signs).decode("utf-8")
    except UnicodeDecodeError:
        return ""


def _is_certain(match: re.Match[str]) -> bool:
    """Return whether no real text has these signs, apart from lists of characters."""
    pairs = list(_pairs(match[0]))
    first, rest = pairs[0][0], [sign for _, signs in pairs for sign in signs]
    if len(pairs) > 1:
        return not all(sign in _AFTER_LETTERS for sign in rest) or (first in _LATIN and len(set(rest)) > 1)
    if first >= "\u00e0":  # a small letter with two or three signs after it
        inside = match.string[match.end() :][:1].isalpha() and rest[-1] not in _BEFORE_LETTERS
        return inside or not all(sign in _AFTER_LETTERS for sign in rest)
    if first > "\u00c5" and match[0] not in _ROMANIAN:
        return False  # Greek, Cyrillic, Hebrew, Arabic: a single letter among others is not plausible
    natural = rest[0] in (_AFTER_CAPITALS if first in _LATIN else _AFTER_LETTERS)
    before, after = match.string[: match.start()][-1:], match.string[match.end() :][:1]
    if first in _LATIN and (before.isdigit() or rest[0] + after == "\u00a0 "):  # 4×6, and French `à`
        return True
    return not natural or before.islower() or (after.islower() and not before.isupper())


def _pairs(signs: str) -> Iterator[tuple[str, str]]:
    """Yield the sequences of UTF-8: the sign of the first byte, and those of the others."""
    start = 0
    while start < len(signs):
        length = 2 if signs[start] < "\u00e0" else 3 if signs[start] < "\u00f0" else 4
        yield signs[start], signs[start + 1 : start + length]
        start += length


def _gbk_as_single_bytes(text: str) -> Misread | None:
    """Return what is GBK read as Latin-1: at least two common ideographs, written with letters and other signs."""
    for match in _GBK.finditer(text):
        signs = match[0][: len(match[0]) // 2 * 2]
        leads = signs[::2]
        mixed = any(sign >= "\u00c0" for sign in signs) and any(sign < "\u00c0" for sign in signs[1:-1])
        if mixed and all("\u00b0" <= lead <= "\u00d7" for lead in leads):
            try:
                meant = signs.encode("latin-1").decode("gb2312")
            except UnicodeDecodeError:
                continue
            return Misread(signs[:_SHOWN], meant[: _SHOWN // 2], "GBK that was read as Latin-1")
    return None


def _utf8_as_gbk(text: str) -> Misread | None:
    """Return what is UTF-8 read as GBK: 涓轰粈涔 for 为什么. Its last character may be lost."""
    for match in _IDEOGRAPHS.finditer(text):
        try:
            data = match[0].encode("gbk")
            meant = data[: len(data) // 3 * 3].decode("utf-8")
        except UnicodeError:
            continue
        if len(meant) > 1 and all("\u3001" <= sign <= "\u9fff" for sign in meant):
            return Misread(match[0][:_SHOWN], meant[:_SHOWN], "UTF-8 that was read as GBK")
    return None


def _piece(text: str) -> Misread | None:
    """Return what is left of a misread text whose other signs were lost, or of memory that was never written."""
    if match := _PIECES.search(text):
        if match["gbk"] is None:
            return Misread(match[0], "", "UTF-8 that was read as Windows-1252")
        meant = match[0].encode("gbk", "ignore").decode("utf-8", "ignore")
        return Misread(match[0], meant, "UTF-8 that was read as GBK")
    if match := _UNWRITTEN.search(text):
        return Misread(match[0][:_SHOWN], "", "memory that was never written, read as GBK")
    return None
