"""Where a text names options by their words: each place becomes a private character, one per option."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate

from triptych.metrics.replies.lazy_pattern import lazy_pattern
from triptych.metrics.replies.markup import ENCLOSED, FIRST_MARK
from triptych.metrics.replies.words import DENSE, phrases

_MARK = lazy_pattern("[\ue000-\ue8ff]")  # the private characters of options
_TOKEN = lazy_pattern(rf"[{DENSE}]|[^\W_{DENSE}]+")
_DENSE = lazy_pattern(f"[{DENSE}]")
_GAP = lazy_pattern(rf"[^\w;；|✗✘×❌✓{DENSE}]+")  # models break lines inside an option, or write dashes
_WIDEST = 6  # characters of a gap
_NOT_BEFORE_SOURCE = rf"(?<![^\W_{DENSE}])"
_NOT_BEFORE, _NOT_BEHIND = lazy_pattern(_NOT_BEFORE_SOURCE), lazy_pattern(rf"(?![^\W_{DENSE}])")
_ARTICLE = lazy_pattern(r"(?<![^\W_])(?:a|an|the)\s+$", re.I)
_FAR = 50  # characters before an option in which its article is looked for
_SHORT = 1000  # characters of an option whose words are remembered
_ASKS = lazy_pattern(r"[?？]\W*$")
# "2 or 3": both are options, and the reply chooses neither
_OR_ANOTHER = r"(?:or|and|to|oder|und|ou|et|bis|或|和|、|/)\s*[^\W_]{1,15}[.!。]?\s*$"
_ARTICLES = ("a", "an", "the")
_PLAIN = lazy_pattern(r"[^\W_]+(?:(?: |, ?|，|-)[^\W_]+)*")  # words without marks


def tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text, in Chinese its characters, without case, width and punctuation.

    Example:
        >>> tokens("Ａ cat!")
        ('a', 'cat')
    """
    split = _tokens if len(text) <= _SHORT else _tokens.__wrapped__
    return split(text)


@lru_cache(maxsize=1024)  # the options of one question, and those that come again and again
def _tokens(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(unicodedata.normalize("NFKC", text).casefold()))


def marked(text: str, options: Sequence[str], labels: Sequence[str] = ()) -> str:
    """Return a plain text with a private character in place of each option's words, the longest first.

    Words of everyday language count on their own only, and before the option's label in brackets: `False (B)`.

    Example:
        >>> chr(FIRST_MARK) in marked("I hear rain.", ["rain", "wind"])
        True
    """
    folded = text.casefold()
    possible = [n for n, option in enumerate(options) if _may_occur(option, folded)]
    needles = sorted(((_without_article(tokens(options[n])), n) for n in possible), key=lambda pair: -len(pair[0]))
    for words, number in needles:
        if words and all(word in folded for word in words):
            asks = bool(_ASKS.search(options[number]))  # the option's question mark asks nothing
            label = labels[number] if labels else ""
            text = _replaced(text, words, asks, f" {chr(FIRST_MARK + number)} ", label)
    return text


def is_whole(text: str, option: str) -> bool:
    """Return whether a text is an option's words and nothing else, without marks that may mean something.

    Example:
        >>> is_whole("a dog", "a dog"), is_whole("A dog!", "a dog"), is_whole("a **dog**", "a **dog**")
        (True, False, False)
    """
    return text == option and _PLAIN.fullmatch(text) is not None


def names_any(marked_text: str) -> bool:
    """Return whether a text contains a private character, so that it names an option.

    Example:
        >>> names_any(marked("I hear rain.", ["rain"])), names_any("I hear rain.")
        (True, False)
    """
    return _MARK.search(marked_text) is not None


def _may_occur(option: str, folded: str) -> bool:
    """Return False if the last letter of an option isn't in a text without case, so that its words can't be."""
    last = option[-1:]
    return not ((last.isascii() and last.isalnum()) or "\u4e00" <= last <= "\u9fff") or last.lower() in folded


def _replaced(text: str, words: tuple[str, ...], asks: bool, by: str, label: str) -> str:
    """Return the text with `by` in place of the words wherever they follow each other."""
    if _is_common(words):
        return re.sub(_common_pattern(words, label) + ("[?？]?" if asks else ""), by, text, flags=re.I)
    pieces, done = [], 0
    for begin, end in _spans(text, words):
        if begin >= done:
            near = max(done, begin - _FAR)
            article = None if _DENSE.match(text, begin) else _ARTICLE.search(text, near, begin)
            pieces.append(text[done : article.start() if article else begin])
            pieces.append(by)
            done = end + (asks and text[end : end + 1] in ("?", "？"))
    return "".join([*pieces, text[done:]])


def _spans(text: str, words: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Yield where the words follow each other in the text without regard to case, with narrow gaps between words only,
    and neither begin nor end inside another word.

    A pattern for each option would take some milliseconds to compile, for one search. So the words are searched in the
    text without its gaps.
    """
    solid, positions_kept = _without_gaps(text)
    sought = "".join(words)
    ends = set(accumulate(map(len, words)))
    between_digits = [n for n in ends if n < len(sought) and sought[n - 1].isdecimal() and sought[n].isdecimal()]
    at = solid.find(sought)
    while at >= 0:
        places = positions_kept[at : at + len(sought)]
        is_close = all(n in ends or places[n] - places[n - 1] <= 1 for n in range(1, len(places)))
        is_close = is_close and all(places[n] - places[n - 1] > 1 for n in between_digits)  # "12 km" isn't "1.2 km"
        begin, end = places[0], places[-1] + 1
        splits = positions_kept[at - 1 : at] == [begin] or positions_kept[at + len(sought)] == places[-1]  # half of a ß
        if is_close and not splits and _may_begin(text, begin) and _may_end(text, end):
            yield begin, end
            at = solid.find(sought, at + len(sought))
        else:
            at = solid.find(sought, at + 1)


@lru_cache(maxsize=2)  # all options are searched in one text
def _without_gaps(text: str) -> tuple[str, list[int]]:
    """Return the text without its narrow gaps and without case, and the position of each of its characters.

    A letter such as ß is several characters without case, all at one position. At the end is the length of the text.
    """
    indices: list[int] = []
    pieces: list[str] = []
    done = 0
    for gap in _GAP.finditer(text):
        if gap.end() - gap.start() <= _WIDEST:
            indices.extend(range(done, gap.start()))
            pieces.append(text[done : gap.start()])
            done = gap.end()
    indices.extend(range(done, len(text)))
    indices.append(len(text))
    solid = "".join([*pieces, text[done:]])
    if solid.isascii():
        return solid.lower(), indices
    folded = solid.casefold()
    if len(folded) == len(solid):
        return folded, indices
    letters = list(map(_folded, solid))
    every = [index for index, letter in zip(indices, letters, strict=False) for _ in letter]
    return "".join(letters), [*every, len(text)]


def _folded(character: str) -> str:
    """Return a character without case, as `tokens` has it: of several characters, those that belong to a word."""
    folded = character.casefold()
    return folded if len(folded) == 1 else "".join(_TOKEN.findall(folded))


def _may_begin(text: str, at: int) -> bool:
    return bool(_DENSE.match(text, at) or _NOT_BEFORE.match(text, at))


def _may_end(text: str, at: int) -> bool:
    return bool(_DENSE.match(text, at - 1) or _NOT_BEHIND.match(text, at))


def _without_article(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of an option without the article that begins it."""
    return words[1:] if len(words) > 1 and words[0] in _ARTICLES else words


def _common_pattern(words: Sequence[str], label: str) -> str:
    before = r"(?:(?<=[\n.,;:!?。，；：！？\ue900 是为])|^)\s*"
    after = rf"(?=的?\s*(?:[\n.,;:!?。，；：！？]|[–—]\s|$|{_OR_ANOTHER}))"
    option = r"[^\w;；|✗✘×❌✓]{0,6}".join(map(re.escape, words))
    labelled = rf"{_NOT_BEFORE_SOURCE}{option}(?=\s*{re.escape(label)}{ENCLOSED})|" if label else ""
    return f"(?:{labelled}{before}{option}{after})"


def _is_common(words: Sequence[str]) -> bool:
    """Return whether an option is a word of everyday language ("yes", "是") that names it only on its own."""
    rest = tuple(words[1:])
    return len("".join(words)) == 1 or any(rest == other for other, _ in phrases().get(words[0], ()))
