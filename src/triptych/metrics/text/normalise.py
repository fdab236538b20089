"""Text normalisation before errors are counted: Whisper's two normalisers, and one for Chinese transcripts."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from importlib.resources import files

from triptych.metrics.text.chinese import half_width, to_simplified
from triptych.metrics.text.english_numbers import numbers_in_digits


def basic(text: str) -> str:
    """Return the text normalised by Whisper's rules for any language.

    The text becomes lower case, text in (), [] or <> is removed, Unicode is composed (NFKC), every character of the
    categories M (mark), S (symbol) and P (punctuation) becomes a space, and runs of whitespace become one space. A
    space at either end is kept.

    References:
        Radford et al. (2022), Robust Speech Recognition via Large-Scale Weak Supervision, appendix C. Equal to
        whisper-normalizer's BasicTextNormalizer.

    Example:
        >>> basic("Hello, [laughs] World!")
        'hello world '
    """
    text = unicodedata.normalize("NFKC", _without_brackets(text.lower()))
    return _SPACE.sub(" ", "".join(map(_symbol_to_blank, text)).lower())


def english(text: str) -> str:
    """Return the text normalised by Whisper's rules for English.

    In this order: lower case; bracketed text and hesitations are removed; contractions and titles are expanded; symbols
    and diacritics are removed; numbers are written in digits (`numbers_in_digits`); British spellings become American;
    remaining symbols are removed; runs of whitespace become one space. A space can remain at either end.

    References:
        Radford et al. (2022), Robust Speech Recognition via Large-Scale Weak Supervision, appendix C. Equal to
        whisper-normalizer 0.0.10; later releases also expand "cause", "kinda", "sorta" and "dunno".

    Example:
        >>> english("Mr. Smith's colour won't cost twenty-five dollars, uh")
        'mister smith is color will not cost $25'
    """
    text = _HESITATION.sub("", _without_brackets(text.lower()))
    text = re.sub(r"(?<!\s)\s++'", "'", text)
    for pattern, replacement in _contractions():
        text = pattern.sub(replacement, text)
    text = re.sub(r"(\d),(\d)", r"\1\2", text)
    text = re.sub(r"\.([^0-9]|$)", r" \1", text)
    text = "".join(map(_plain_letter, unicodedata.normalize("NFKD", text)))
    table = _spelling()
    text = " ".join(table.get(word, word) for word in numbers_in_digits(text).split())
    text = re.sub(r"[.$¢€£]([^0-9])", r" \1", text)
    text = re.sub(r"([^0-9])%", r"\1 ", text)
    return _SPACE.sub(" ", text)


def chinese_transcript(text: str) -> str:
    """Return a Chinese transcript in simplified, half-width characters, normalised by `basic`, without whitespace.

    Raises SpecError if OpenCC is not installed.

    Example:
        >>> chinese_transcript("漢字，ＡＢ 12。")
        '汉字ab12'
    """
    return _SPACE.sub("", basic(half_width(to_simplified(text))))


_SPACE = re.compile(r"\s+")
_HESITATION = re.compile(r"\b(?:hmm|mm|mhm|mmm|uh|um)\b")
_NUMBER_SIGNS = frozenset(".%$¢€£")  # can be part of a number
_LETTERS = {
    "œ": "oe",
    "Œ": "OE",
    "ø": "o",
    "Ø": "O",
    "æ": "ae",
    "Æ": "AE",
    "ß": "ss",
    "ẞ": "SS",
    "đ": "d",
    "Đ": "D",
    "ð": "d",
    "Ð": "D",
    "þ": "th",
    "Þ": "th",
    "ł": "l",
    "Ł": "L",
}
_WHOLE_WORDS = {
    "won't": "will not",
    "can't": "can not",
    "let's": "let us",
    "ain't": "aint",
    "y'all": "you all",
    "wanna": "want to",
    "gotta": "got to",
    "gonna": "going to",
    "i'ma": "i am going to",
    "imma": "i am going to",
    "woulda": "would have",
    "coulda": "could have",
    "shoulda": "should have",
    "ma'am": "madam",
}
_TITLES = {
    "mr": "mister",
    "mrs": "missus",
    "st": "saint",
    "dr": "doctor",
    "prof": "professor",
    "capt": "captain",
    "gov": "governor",
    "ald": "alderman",
    "gen": "general",
    "sen": "senator",
    "rep": "representative",
    "pres": "president",
    "rev": "reverend",
    "hon": "honorable",
    "asst": "assistant",
    "assoc": "associate",
    "lt": "lieutenant",
    "col": "colonel",
    "jr": "junior",
    "sr": "senior",
    "esq": "esquire",
}
_ENDINGS = {  # the perfect tenses come before the general endings
    "'d been": "had been",
    "'s been": "has been",
    "'d gone": "had gone",
    "'s gone": "has gone",
    "'d done": "had done",
    "'s got": "has got",
    "n't": "not",
    "'re": "are",
    "'s": "is",
    "'d": "would",
    "'ll": "will",
    "'t": "not",
    "'ve": "have",
    "'m": "am",
}


@lru_cache(maxsize=1)
def _contractions() -> list[tuple[re.Pattern[str], str]]:
    return [
        *((re.compile(rf"\b{short}\b"), long) for short, long in _WHOLE_WORDS.items()),
        *((re.compile(rf"\b{short}\b"), f"{long} ") for short, long in _TITLES.items()),
        *((re.compile(rf"{short}\b"), f" {long}") for short, long in _ENDINGS.items()),
    ]


def _without_brackets(text: str) -> str:
    """Return the text without bracketed text.

    The search ends at the last closing bracket: otherwise a reply of 100,000 opening ones would be searched to its end
    for each of them.
    """
    last = max(text.rfind(">"), text.rfind("]")) + 1
    text = re.sub(r"[<\[][^>\]]*[>\]]", "", text[:last]) + text[last:]
    last = text.rfind(")") + 1
    return re.sub(r"\(([^)]+?)\)", "", text[:last]) + text[last:]


@lru_cache(maxsize=65536)
def _symbol_to_blank(character: str) -> str:
    return " " if unicodedata.category(character)[0] in "MSP" else character


@lru_cache(maxsize=65536)
def _plain_letter(character: str) -> str:
    """Return a letter without its diacritics, an empty text for a diacritic, and a space for a symbol."""
    if character in _NUMBER_SIGNS:
        return character
    if character in _LETTERS:
        return _LETTERS[character]
    return "" if unicodedata.category(character) == "Mn" else _symbol_to_blank(character)


def us_spelling(word: str) -> str | None:
    """Return the American spelling of a British word in lower case; None for any other word.

    >>> us_spelling("colour"), us_spelling("color")
    ('color', None)
    """
    return _spelling().get(word)


@lru_cache(maxsize=1)
def _spelling() -> dict[str, str]:
    """Return British -> American spellings: 1,739 words from openai-whisper (MIT licence; see data/README.md)."""
    table: dict[str, str] = json.loads(
        files("triptych.metrics").joinpath("data/english_spelling.json").read_text("utf-8")
    )
    return table
