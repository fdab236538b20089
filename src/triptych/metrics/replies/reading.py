"""Which options a reply chooses. `triptych.metrics.choice` imports this module when there is a reply to read.

Its patterns take some 50 ms to compile, which a command that scores nothing doesn't need.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from triptych.metrics.replies.circled import without_own_signs
from triptych.metrics.replies.conclusion import all_concluded, concluded
from triptych.metrics.replies.failing import declines
from triptych.metrics.replies.lazy_pattern import lazy_pattern
from triptych.metrics.replies.markup import FIRST_MARK, strip_markup
from triptych.metrics.replies.options import is_whole, marked, names_any, tokens
from triptych.metrics.replies.patterns import MENTIONED, THOUGHT
from triptych.metrics.replies.signs import signs
from triptych.metrics.replies.structured import json_answer
from triptych.metrics.replies.thinking import split_thinking

# Characters at the end of an answer that are read; only a model that runs into a loop writes more
MAX_ANSWER_LENGTH = 20_000
# Characters of a reply whose reading is remembered: short replies come again and again, and an audit reads each under
# several protocols
_SHORT = 1000
_BLANKS = lazy_pattern(r"\s\s{40,}")
# `C) words of an option` and `words of an option (C)` at the end of a line. A private character stands for the words,
# and another one comes after a letter in brackets.
_LABELLED = lazy_pattern(
    "(?:([A-Z])(?<![^\\W_].)[)\\]*\ue901]*[ \\t]*[).:：,，、–—-]?[ \\t]*[*\"'“‘(]*[ \\t]*([\ue000-\ue8ff])"
    "|([\ue000-\ue8ff])[ \\t]*[(（\\[]?[ \\t]*([A-Z])[ \\t]*[\ue901)）\\]])"
    "[ \\t]*[)\\]*\"'”’.。!]*[ \\t]*(?=\\n|$)"
)
_THOUGHT = lazy_pattern(r"\s*thought\n")  # how some models begin to think, without a mark where it ends
# `A (violin)`, and within a line `A. violin`: a letter with the words of its option, which is read as these words alone
_GLOSSED = lazy_pattern(
    "([A-Z])(?<![^\\W_].)[ \\t]*(?:[(（][ \\t]*([\ue000-\ue8ff])[ \\t]*[)）]|[.):：、][ \\t]*([\ue000-\ue8ff]))"
)
# Labels, words of options and punctuation alone; a sign such as ✅ chooses
_LIST = lazy_pattern("(?:[\\s.,;:()\\[\\]*|/、，。：（）-]|[A-Z]|[\ue000-\ue8ff])+")
_LABELS = lazy_pattern("[A-Z]")
_BEGUN = lazy_pattern("[^\\W_]|[\ue000-\ue8ff]")  # a word, or the words of an option


def letter(reply: str, labels: Sequence[str], texts: Sequence[str | None]) -> str | None:
    """Return the letter that a reply chooses, in upper case.

    Example:
        >>> letter("The answer is (b).", "ABCD", ())
        'B'
    """
    read = _letter if len(reply) <= _SHORT else _letter.__wrapped__
    return read(reply, tuple(labels), tuple(texts))


@lru_cache(maxsize=4096)
def _letter(reply: str, labels: tuple[str, ...], texts: tuple[str | None, ...]) -> str | None:
    upper = [label.upper() for label in labels]
    bare = without_own_signs([one or "" for one in texts], upper)
    ambiguous = _ambiguous(bare)
    letters = ["" if n in ambiguous else one for n, one in enumerate(bare)]
    answer = _answer_of(reply)
    words = marked(strip_markup(answer, upper, letters), letters, upper)
    if _lists_all(words, upper):
        return None
    letter = concluded(signs(_without_glosses(words, upper), upper), len(labels), min_rank=_min_firmness(answer))
    return None if letter is None or _contradicts_text(words, upper, letter) else upper[letter]


def _lists_all(words: str, labels: Sequence[str]) -> bool:
    """Return whether a marked text is the list of all options and nothing else: the question again, and no choice."""
    if len(labels) < 2 or _LIST.fullmatch(words) is None:
        return False
    marks = [ord(sign) - FIRST_MARK for sign in words if "\ue000" <= sign <= "\ue8ff"]
    return sorted(marks) == list(range(len(labels))) and sorted(_LABELS.findall(words)) == sorted(labels)


def _without_glosses(words: str, labels: Sequence[str]) -> str:
    """Return a marked text in which a letter and the words of the same option next to it are one mention.

    `A. violin` at the beginning of a line stays: it can be an item of a list of all options.
    """

    def remove_gloss(match: re.Match[str]) -> str:
        mark = match[2] or match[3]
        index = ord(mark) - FIRST_MARK
        agrees = index < len(labels) and labels[index] == match[1]
        line = words[words.rfind("\n", 0, match.start()) + 1 : match.start()]
        return f" {mark} " if agrees and (match[2] or _BEGUN.search(line)) else match[0]

    return _GLOSSED.sub(remove_gloss, words) if names_any(words) else words


def _contradicts_text(words: str, labels: Sequence[str], chosen: int) -> bool:
    """Return whether lines put the chosen letter next to the words of another option, or the other way round.

    A model that numbers the options differently means one of the two, and nobody can say which.
    """
    if not names_any(words):
        return False
    pairs = {
        (labels.index(match[1] or match[4]), ord(match[2] or match[3]) - FIRST_MARK)
        for match in _LABELLED.finditer(words)
        if (match[1] or match[4]) in labels
    }
    return any(a != b and chosen in (a, b) for a, b in pairs) and (chosen, chosen) not in pairs


def option(reply: str, options: Sequence[str]) -> int | None:
    """Return the index of the only option that the reply chooses by its text.

    Example:
        >>> option("It is a black dog.", ["a dog", "a black dog"])
        1
    """
    answer = _answer_of(reply)
    index = _whole_option(answer, options)
    if index is None:
        words = marked(strip_markup(answer), options)
        if names_any(words):
            index = concluded(signs(words, ()), 0, min_rank=_min_firmness(answer))
    return None if index is None or index in _ambiguous(options) else index


def _whole_option(answer: str, options: Sequence[str]) -> int | None:
    """Return the index of the option that is the whole answer, as most models answer; None if it has to be read."""
    stripped = answer.strip()
    for index, option in enumerate(options):
        if is_whole(stripped, option):
            return None if declines(answer) else index
    return None


def options_chosen(reply: str, options: Sequence[str]) -> tuple[int, ...] | None:
    """Return the indices of all options that the reply chooses by their texts, in ascending order.

    Example:
        >>> options_chosen("A cat; a dog", ["a dog", "a bird", "a cat"])
        (0, 2)
    """
    words = marked(strip_markup(_answer_of(reply)), options)
    indices = all_concluded(signs(words, ())) if names_any(words) else None
    return None if indices is None or not _ambiguous(options).isdisjoint(indices) else indices


def _answer_of(reply: str) -> str:
    """Return the part of a reply that is read: the answer in JSON, or the end of what was said after the reasoning."""
    text = split_thinking(reply)[0]
    if (stated := json_answer(text)) is not None:
        return stated[-MAX_ANSWER_LENGTH:]
    if begun := _THOUGHT.match(text):
        text = text[begun.end() :].strip().rpartition("\n\n")[2]
    return _BLANKS.sub(_shortened, text)[-MAX_ANSWER_LENGTH:]


def _shortened(blanks: re.Match[str]) -> str:
    return "\n\n" if "\n" in blanks[0] else " "


def _min_firmness(reply: str) -> int:
    """Return how firmly an option must be chosen: more than mentioned if the reply declines to answer."""
    return THOUGHT if declines(reply) else MENTIONED


def _ambiguous(options: Sequence[str]) -> set[int]:
    """Return the indices of the options that have the same words as another: nobody can say which of them is meant."""
    words = [tokens(option) for option in options]
    return {index for index, option_words in enumerate(words) if words.count(option_words) > 1}
