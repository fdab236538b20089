"""Text from outside made harmless: invisible characters shown, and cells that a spreadsheet would read as formulas
escaped."""

from __future__ import annotations

import re


def visible(text: str) -> str:
    """Return the text with invisible characters replaced by visible ones: control characters, and characters that
    reverse the reading direction (U+202E in a file name would make a command next to it read as another one)."""
    return _UNSEEN.sub(_visible_sign, text)


# All of C0 except tab and line ends, DEL, C1, the line and paragraph separators, and controls of the text direction; a
# return that doesn't end a line (a terminal would overwrite the line), and half a character (not encodable).
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]|\r(?!\n)")


def _visible_sign(match: re.Match[str]) -> str:
    sign = ord(match[0])
    return chr(0x2400 + sign) if sign < 0x20 else "\u2421" if sign == 0x7F else f"\u27e8U+{sign:04X}\u27e9"


def harmless(cell: object) -> object:
    """Return the cell with its control characters visible, since CSV is also read in a terminal; prefixed with an
    apostrophe if a spreadsheet would read it as a formula."""
    if not isinstance(cell, str):
        return cell
    return f"'{visible(cell)}" if cell[:1] in _FORMULA else visible(cell)


_FORMULA = ("=", "+", "-", "@", "\t", "\r")
