"""A reply without markup, and with labels in place of what means them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from triptych.metrics.replies.circled import without_circles
from triptych.metrics.replies.lazy_pattern import lazy_pattern
from triptych.metrics.replies.ordinals import with_labels, without_case
from triptych.metrics.replies.ticked import without_boxes

FIRST_MARK = 0xE000  # private characters: one per option that was found in the reply
# A place marked as the answer; the end of an enclosed or bold label
ANSWER, ENCLOSED, BOLD = "\ue900", "\ue901", "\ue902"

_TAGS = r"answer|final[_ ]?answer|final|output|response|conclusion|solution|option|choice|result|verdict"
_BOX = lazy_pattern(
    rf"\\f?boxed\s*\{{?|\x08oxed\s*\{{?|(?<!\w)boxed\{{|<\|begin_of_(?:box|solution)\|>|<\s*(?:{_TAGS})\s*>"
    r"|\[(?:answer|final answer|BEGIN FINAL RESPONSE)\]",
    re.I,
)
_BOX_ENDS = lazy_pattern(
    rf"</\s*(?:{_TAGS})\s*>|<\|end_of_(?:box|solution)\|>|\[(?:/(?:answer|final answer)|END FINAL RESPONSE)\]",
    re.I,
)
_NOISE = lazy_pattern(
    r"<\|[^|<>\n]{0,40}\|>|</?s>|<eos>|<end_of_turn>|<\uff5c[^\uff5c\n]{0,40}\uff5c>"
    r"|[\u200b\u200d\u2060\ufeff\ufe0f\u00ad\u200e\u200f]"
    r"|\\(?:text|mathrm|mathbf|textbf|mathsf|bf|rm)\b|\\[()\[\],!;]|</?(?:b|i|strong|em|u|p|br|span|div)\s*/?>",
    re.I,
)
_MARKUP = lazy_pattern(r"[<\\\u200b\u200d\u2060\ufeff\ufe0f\u00ad\u200e\u200f]")  # one of these is in all of _NOISE
_OPEN = r"(\[{<\"'“‘„«「『【《〈〔*_`$"
_CLOSE = r")\]}>\"'”’“»」』】》〉〕*_`$"
_DROPPED = lazy_pattern(r"[*`$\"“”„«»「」『』《》〈〉{}\\_](?:(?<!_)|_+|(?<!\w_)|(?!\w))")
_CORNER = lazy_pattern(r"[【〔]([^】〕\n]{1,12})[】〕]:?")
_STRUCK = lazy_pattern(r"~~[^~\n]{1,200}~~")
_FINAL = lazy_pattern(r"^([ #>*_\-]*final)(?=[*_ ]*[:=])", re.M | re.I)  # a heading of one word
_QUOTE = lazy_pattern(r"^>.*$", re.M)
_LOOKALIKE, _LATIN = lazy_pattern(r"[АСЕ](?<!\w.)(?=\s*(?:[.,;)!]|$))"), {"А": "A", "С": "C", "Е": "E"}  # Cyrillic
_HEBREW = lazy_pattern("[\u05d0-\u05ea]")
_PREFIX = lazy_pattern(
    r"(?<![\u05d0-\u05ea])([\u05d0-\u05ea]{1,2})[-\u05be](?=[A-Za-z0-9](?![A-Za-z0-9]))"
)  # Hebrew: ב-B
_WIDE = tuple(zip("，：；！？（）", ",:;!?()", strict=True))
_PRIVATE = lazy_pattern("[\ue000-\ue9ff]")  # what the marks are; a reply has none of its own
_BLANKS = lazy_pattern(r"[^\S\n](?:[^\S\n]+|(?<! ))")  # all but single spaces


def strip_markup(reply: str, labels: Sequence[str] = (), texts: Sequence[str] = ()) -> str:
    """Return a reply without markup: boxes and tags become one mark; an enclosed label gets a mark behind it.

    Example:
        >>> "boxed" in strip_markup("\\\\boxed{C}", "ABCD")
        False
    """
    text = reply if reply.isascii() else _PRIVATE.sub("", reply)
    if labels:
        text = without_boxes(text, labels)
        text = without_circles(text, labels, texts, ENCLOSED)
    text = _normalized(text)
    if not labels and text.isalnum():  # one word, or a Chinese sentence without punctuation
        return text
    text = _unquoted(_STRUCK.sub("", text))
    folded = without_case(text)
    if "final" in folded:
        text = _FINAL.sub(r"\1 answer", text)
    if "<" in text or "[" in text or "oxed" in folded:
        text = _BOX_ENDS.sub("\n", _BOX.sub(f" {ANSWER} ", text))
    if _MARKUP.search(text):
        text = _NOISE.sub("", text)
    if labels:
        text = _labelled(text, labels, texts)
    text = _CORNER.sub(r"\n\1: ", text)
    return _BLANKS.sub(" ", _DROPPED.sub("", text))


def _labelled(text: str, labels: Sequence[str], texts: Sequence[str]) -> str:
    """Return a text with marks behind enclosed labels, and with the labels that look-alikes and ordinals mean."""
    if not text.isascii() and _HEBREW.search(text):
        text = _PREFIX.sub(r"\1 ", text)
    text = _LOOKALIKE.sub(lambda hit: _LATIN[hit[0]], text)
    either = "|".join(re.escape(form) for label in labels for form in dict.fromkeys((label, label.lower())))
    text = re.sub(rf"([{_OPEN}]{{1,4}})\s?({either}){ENCLOSED}?\s?[{_CLOSE}]{{1,4}}", _enclosed, text)
    return with_labels(text, labels, texts, ENCLOSED)


def _normalized(text: str) -> str:
    """Return a text in NFKC; its commonest wide punctuation is replaced first, since the rest is mostly normal."""
    if text.isascii():
        return text
    for wide, narrow in _WIDE:
        text = text.replace(wide, narrow)
    return text if unicodedata.is_normalized("NFKC", text) else unicodedata.normalize("NFKC", text)


def _unquoted(text: str) -> str:
    """Return a text without the lines that quote another, unless there are no others."""
    without = _QUOTE.sub("", text) if text.startswith(">") else text
    return without if without.strip() else text


def _enclosed(match: re.Match[str]) -> str:
    return f" {match[2]}{BOLD if '**' in match[1] else ENCLOSED} "
