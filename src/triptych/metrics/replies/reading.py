"""Which options a reply chooses. `triptych.metrics.choice` imports this module when there is a reply to read.

Its patterns take some 50 ms to compile, which a command that scores nothing doesn't need.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from triptych.metrics.replies.circled import has_numbers, without_own_signs
from triptych.metrics.replies.conclusion import all_concluded, concluded
from triptych.metrics.replies.counted import counted
from triptych.metrics.replies.dense_labels import latin
from triptych.metrics.replies.failing import declines
from triptych.metrics.replies.lazy_pattern import lazy_pattern
from triptych.metrics.replies.markup import BOLD, ENCLOSED, FIRST_MARK, strip_markup
from triptych.metrics.replies.numerals import equal_number, is_number, with_digits
from triptych.metrics.replies.options import is_whole, marked, names_any, tokens
from triptych.metrics.replies.patterns import MARKED, MENTIONED, THOUGHT
from triptych.metrics.replies.shares import shares
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
_GLOSSED_SOURCE = (
    "([A-Z])(?<![^\\W_].)[ \\t]*(?:[(（][ \\t]*([\ue000-\ue8ff])[ \\t]*[)）]|[.):：、][ \\t]*([\ue000-\ue8ff]))"
)
_GLOSSED = lazy_pattern(_GLOSSED_SOURCE)
_JOINED = lazy_pattern(  # "B. a whistle or C. a flute"
    r"[ \t]*(?:[,/&、]|(?:,[ \t]*)?\b(?:or|and|or maybe|oder|und|ou|et|o|y|e)\b|[或和])[ \t]*" + _GLOSSED_SOURCE
)
# Labels, words of options and punctuation alone; a sign such as ✅ chooses
_LIST = lazy_pattern("(?:[\\s.,;:()\\[\\]*|/、，。：（）-]|[A-Z]|[\ue000-\ue8ff\ue901\ue902])+")
_LAST = 240  # characters of an answer in which the last sentence is looked for
_UNDECIDED = lazy_pattern(
    r"(?<![^\s.!?;,])(?:(?:I|we)\s+(?:really\s+)?(?:can(?:no|['’])t|can\s+not|could(?:\s+not|n['’]t))"
    r"|it(?:\s+is|['’]s)\s+(?:impossible|not\s+possible)\s+to)\s+(?:say|tell|determine|decide|know|identify)\s+"
    r"(?:which|what|whether|if|who)\b[^.!?\n]*[.!]?\s*$",
    re.I,
)
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
    upper_labels, all_texts, letters, numbers = _prepared(labels, texts)
    answer, upper = latin(_answer_of(reply), upper_labels)
    if all(label.isascii() or not label.isdecimal() for label in upper_labels):
        answer = with_digits(answer)
    if numbers and ((index := _by_number(answer, all_texts)) is not None or is_number(answer)):
        return None if index is None else labels[index].upper()
    if not numbers and not has_numbers(upper_labels) and (option_shares := shares(answer, upper)):
        largest = max(option_shares)
        return labels[option_shares.index(largest)].upper() if option_shares.count(largest) == 1 else None
    words = _without_question(marked(strip_markup(answer, upper, letters), letters, upper), upper)
    if _lists_all(words, upper):
        return None
    letter = concluded(signs(_without_glosses(words, upper), upper), len(labels), min_rank=_min_firmness(answer))
    return None if letter is None or _contradicts_text(words, upper, letter) else labels[letter].upper()


@lru_cache(maxsize=256)
def _prepared(
    labels: tuple[str, ...], texts: tuple[str | None, ...]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], bool]:
    """Return labels in upper case, the options' texts, these without ambiguous ones, and whether letters are numbers'.

    The last is True if all options are numbers and their labels are not.
    """
    upper = tuple(label.upper() for label in labels)
    bare = tuple(with_digits(one) for one in without_own_signs([one or "" for one in texts], upper))
    ambiguous = _ambiguous(bare)
    letters = tuple("" if n in ambiguous else one for n, one in enumerate(bare))
    return upper, bare, letters, bool(bare) and not has_numbers(upper) and all(map(is_number, bare))


def _by_number(answer: str, options: Sequence[str]) -> int | None:
    """Return the option whose number an answer is, or states with what it counts; None for options of another kind."""
    if not all(map(is_number, options)):
        return None
    return equal_number(answer, options) if is_number(answer) else counted(answer, options)


def _without_question(words: str, labels: Sequence[str]) -> str:
    """Return a marked text without the list of all options, in order, that it begins with, if something follows it."""
    first, _, rest = words.lstrip().partition("\n\n") if "\n\n" in words else (words, "", "")
    if not rest.strip() or not _lists_all(first, labels):
        return words
    pieces = [sign for sign in first if sign in labels or "\ue000" <= sign <= "\ue8ff"]
    pairs = [piece for n, label in enumerate(labels) for piece in (label, chr(FIRST_MARK + n))]
    return rest if pieces == pairs else words


def _lists_all(words: str, labels: Sequence[str]) -> bool:
    """Return whether a marked text is the list of all options and nothing else: the question again, and no choice."""
    if len(labels) < 2 or _LIST.fullmatch(words) is None:
        return False
    if any(words.count(end) not in (0, len(labels)) for end in (ENCLOSED, BOLD)):
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
        joined = _JOINED.match(words, match.end())
        return f" {mark} " if agrees and (match[2] or _BEGUN.search(line) or joined) else match[0]

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
    answer, options = with_digits(_answer_of(reply)), [with_digits(one) for one in options]
    if all(map(is_number, options)) and ((index := _by_number(answer, options)) is not None or is_number(answer)):
        return index
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
    """Return how firmly an option must be chosen: more than mentioned if the reply declines, or ends undecided."""
    if _UNDECIDED.search(reply, max(0, len(reply) - _LAST)):
        return MARKED
    return THOUGHT if declines(reply) else MENTIONED


def _ambiguous(options: Sequence[str]) -> set[int]:
    """Return the indices of the options that have the same words as another: nobody can say which of them is meant."""
    words = [tokens(option) for option in options]
    return {index for index, option_words in enumerate(words) if words.count(option_words) > 1}
