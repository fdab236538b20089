"""The words of `words.toml` as tables of phrases: first token -> (further tokens, sign)."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from triptych.metrics.replies.lazy_pattern import lazy_pattern

# Kind -> its sign. A phrase of several kinds has the first one's; corrections are looked up where a sentence begins.
SIGNS = {
    "retraction": "K",
    "final": "F",
    "answer": "N",
    "notbut": "D",
    "unlike": "R",
    "not": "X",
    "wrong": "W",
    "believed": "U",
    "chosen": "Q",
    "choose": "P",
    "right": "G",
    "believe": "T",
    "others": "h",
    "if": "i",
    "option": "O",
    "too": "n",
    "so": "z",
    "or": "|",
    "but": "b",
    "and": "&",
    "because": "r",
    "is": "=",
    "instead": "S",
    "article": "e",
    "filler": "v",
    "question": "q",
    "confirm": "y",
    "that": "u",
}
CORRECTION = "k"
_RANK = {sign: number for number, sign in enumerate(SIGNS.values())}

# Scripts without spaces between words: each character is a token.
DENSE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\u0e00-\u0e7f々"
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u0652\u0900-\u0963\u0e31-\u0e4e"
WORD_PATTERN = rf"[^\W_{DENSE}][^\W_{DENSE}{_MARKS}]*(?:[{_MARKS}]+[^\W_{DENSE}]*)*"
_TOKEN = lazy_pattern(rf"[{DENSE}]|{WORD_PATTERN}(?:['\-\u200c]{WORD_PATTERN})*'?|[^\s]")

Phrase = tuple[str, ...]
Phrases = Mapping[str, tuple[tuple[Phrase, str], ...]]
PhrasesByNext = Mapping[str, tuple[str | None, Phrases]]


def split(phrase: str) -> Phrase:
    """Return the tokens of a phrase.

    Example:
        >>> split("The Answer")
        ('the', 'answer')
    """
    return tuple(_TOKEN.findall(unicodedata.normalize("NFKC", phrase).casefold()))


@cache
def phrases() -> Phrases:
    """Return all phrases except corrections, the longest of each first token first.

    Example:
        >>> bool(phrases())
        True
    """
    phrases_by_words: dict[Phrase, str] = {}
    for kind, sign in SIGNS.items():
        for phrase in _phrases_of(kind):
            if phrase not in phrases_by_words or _RANK[sign] < _RANK[phrases_by_words[phrase]]:
                phrases_by_words[phrase] = sign
    return _table(phrases_by_words)


@cache
def corrections() -> Phrases:
    """Return the phrases that correct what was said before, if they begin a sentence.

    Example:
        >>> bool(corrections())
        True
    """
    return _table(dict.fromkeys(_phrases_of("correction"), CORRECTION))


@cache
def by_next_word(table: Callable[[], Phrases]) -> PhrasesByNext:
    """Return a table as first token -> (the sign that it has alone, second token -> (further tokens, sign)).

    Example:
        >>> alone, longer = by_next_word(phrases)["the"]
        >>> alone, "final" in longer
        ('e', True)
    """
    entries: dict[str, tuple[str | None, Phrases]] = {}
    for first, phrases_of_first in table().items():
        longer: dict[str, tuple[tuple[Phrase, str], ...]] = {}
        for rest, sign in phrases_of_first:
            if rest:
                longer[rest[0]] = (*longer.get(rest[0], ()), (rest, sign))
        entries[first] = dict(phrases_of_first).get(()), longer
    return entries


@cache
def _words() -> Mapping[str, Mapping[str, list[str]]]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


def _phrases_of(kind: str) -> list[Phrase]:
    return [split(phrase) for language in _words().values() for phrase in language.get(kind, ())]


def _table(phrases_by_words: Mapping[Phrase, str]) -> Phrases:
    table: dict[str, list[tuple[Phrase, str]]] = {}
    for phrase, sign in phrases_by_words.items():
        table.setdefault(phrase[0], []).append((phrase[1:], sign))
    return {first: tuple(sorted(rest, key=lambda one: -len(one[0]))) for first, rest in table.items()}
