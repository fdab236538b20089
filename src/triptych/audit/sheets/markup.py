"""The plain text of a cell that is written in HTML or Markdown, and how it is marked."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from triptych.audit.sheets.raw import MAX_CELL_LENGTH, RawCell

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_HIGH = re.compile(r"<sup\b[^<>]*>(.*?)</sup\s*>", re.IGNORECASE | re.DOTALL)
_LOW = re.compile(r"<sub\b[^<>]*>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_IMAGE = re.compile(r"!\[([^\[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)")
_REFERENCE = re.compile(r"\[([^\[\]]+)\]\[[^\[\]]*\]")
_FOOTNOTE = re.compile(r"\[\^[^\[\]]*\]")
_BOLD_TAG = re.compile(r"<(?:b|strong)\b|font-weight:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_UNDER_TAG = re.compile(r"<(?:u|ins)\b|text-decoration:\s*underline", re.IGNORECASE)
_BOLD = re.compile(r"(?<!\\)(?:\*\*(?=\S)(.+?)(?<=\S)\*\*|(?<![\w_])__(?=\S)(.+?)(?<=\S)__(?![\w_]))")
_ITALIC = re.compile(r"(?<![\\*\w])\*(?=[^\s*])([^*]+)(?<=[^\s*])\*(?![*\w])|(?<![\w_\\])_(?=[^\s_])([^_]+)_(?![\w_])")
_STRUCK = re.compile(r"~~(.+?)~~|<(?:s|del|strike)\b[^<>]*>(.*?)</(?:s|del|strike)\s*>", re.IGNORECASE)
_CODE = re.compile(r"`([^`]*)`")
_MATH = re.compile(r"\$([^$]*)\$")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|~<>])")


def markup_cell(source: str, *, markdown: bool, math: Callable[[str], str] = lambda text: text) -> RawCell:
    """Return a cell's text and marks. `math`: returns the plain text of a formula between dollar signs."""
    source = _COMMENT.sub(" ", source[: 4 * MAX_CELL_LENGTH])
    bold, underlined = bool(_BOLD_TAG.search(source)), bool(_UNDER_TAG.search(source))
    text = _STRUCK.sub(" ", _HIGH.sub(lambda m: _raised(m[1]), source))
    text = _TAG.sub("", _LOW.sub(" ", _BREAK.sub(" ", text)))
    if markdown:
        text = _FOOTNOTE.sub("", _REFERENCE.sub(r"\1", _LINK.sub(r"\1", _IMAGE.sub("", text))))
        bold = bold or (bool(_BOLD.search(text)) and not _is_link_title(text))
        text = _BOLD.sub(lambda m: m[1] or m[2], text)
        text = _ITALIC.sub(lambda m: m[1] or m[2], text)
        text = _ESCAPE.sub(r"\1", _CODE.sub(r"\1", text))
    if "$" in text:
        bold = bold or "\\mathbf" in text or "\\textbf" in text or "\\bf" in text
        underlined = underlined or "\\underline" in text
        text = _MATH.sub(lambda m: math(m[1]), text)
    text = html.unescape(text)
    return RawCell(re.sub(r"\s+", " ", text).strip()[:MAX_CELL_LENGTH], bold, underlined)


def _raised(text: str) -> str:
    """Return a superscript that is a difference or a margin; footnote marks are dropped."""
    plain = _TAG.sub("", html.unescape(text)).strip()
    return f" {plain}" if plain[:1] in tuple("+-−±↑↓▲▼") and any(c.isdigit() for c in plain) else ""


def _is_link_title(text: str) -> bool:
    return not any(c.isdigit() for c in text) and len(text) > 200
