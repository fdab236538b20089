"""Where a text names options by their words: each place becomes a private character, one per option."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from triptych.metrics.replies.markup import FIRST_MARK
from triptych.metrics.replies.words import DENSE, phrases

_TOKEN = re.compile(rf"[{DENSE}]|[^\W_{DENSE}]+")
_ASKS = re.compile(r"[?？]\W*$")
_ARTICLES = ("a", "an", "the")


def tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text, in Chinese its characters, without case, width and punctuation.

    Example:
        >>> tokens("Ａ cat!")
        ('a', 'cat')
    """
    return tuple(_TOKEN.findall(unicodedata.normalize("NFKC", text).casefold()))


def marked(text: str, options: Sequence[str]) -> str:
    """Return a plain text with a private character in place of each option's words, the longest first.

    Example:
        >>> chr(FIRST_MARK) in marked("I hear rain.", ["rain", "wind"])
        True
    """
    needles = sorted(((_bare(tokens(option)), n) for n, option in enumerate(options)), key=lambda pair: -len(pair[0]))
    folded = text.casefold()
    for words, number in needles:
        if words and all(word in folded for word in words):
            own = r"[?？]?" if _ASKS.search(options[number]) else ""  # the option's question mark asks nothing
            text = re.sub(_pattern(words) + own, f" {chr(FIRST_MARK + number)} ", text, flags=re.I)
    return text


def _bare(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of an option without the article that begins it."""
    return words[1:] if len(words) > 1 and words[0] in _ARTICLES else words


def _pattern(words: Sequence[str]) -> str:
    body = r"[^\w;；|✗✘×❌✓]{0,6}".join(map(re.escape, words))  # models break lines inside an option
    before, after = rf"(?<![^\W_{DENSE}])", rf"(?![^\W_{DENSE}])"
    if _is_common(words):
        before, after = r"(?:(?<=[\n.,;:!?。，；：！？\ue900 是为])|^)\s*", r"(?=的?\s*(?:[\n.,;:!?。，；：！？]|$))"
    elif re.match(f"[{DENSE}]", words[0]):
        before = ""
    else:
        before = rf"(?:(?<![^\W_])(?:{'|'.join(_ARTICLES)})\s+)?{before}"
    if re.match(f"[{DENSE}]", words[-1]) and not _is_common(words):
        after = ""
    return before + body + after


def _is_common(words: Sequence[str]) -> bool:
    """Return whether an option is a word of everyday language ("yes", "是") that names it only on its own."""
    rest = tuple(words[1:])
    return len("".join(words)) == 1 or any(rest == other for other, _ in phrases().get(words[0], ()))
