"""Language tags, the scripts in which languages are written, and the marks that end their sentences."""

from __future__ import annotations

import re

_CYRILLIC, _ARABIC, _DEVANAGARI = (
    r"\u0400-\u052f",
    r"\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff",
    r"\u0900-\u097f",
)
_HAN, _LATIN = r"\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff", r"A-Za-z\u00c0-\u024f\u1e00-\u1eff"
# Languages that aren't here are written with Latin letters
_SCRIPTS = {
    "zh": _HAN,
    "ja": r"\u3040-\u30ff\u3400-\u9fff",
    "ko": r"\uac00-\ud7af\u1100-\u11ff",
    **dict.fromkeys(("ru", "uk", "bg", "be", "mk", "ky", "tg", "tt", "ba", "cv"), _CYRILLIC),
    **dict.fromkeys(("sr", "kk", "uz", "mn", "az", "tk", "sh", "bs", "me"), _CYRILLIC + _LATIN),
    **dict.fromkeys(("ar", "fa", "ur", "ps", "ug", "ckb", "sd"), _ARABIC),
    "ku": _ARABIC + _LATIN,
    **dict.fromkeys(("hi", "mr", "ne", "sa"), _DEVANAGARI),
    **dict.fromkeys(("he", "yi"), r"\u0590-\u05ff"),
    "el": r"\u0370-\u03ff\u1f00-\u1fff",
    "hy": r"\u0530-\u058f",
    "ka": r"\u10a0-\u10ff\u1c90-\u1cbf",
    **dict.fromkeys(("bn", "as"), r"\u0980-\u09ff"),
    "pa": r"\u0a00-\u0a7f" + _ARABIC,
    "gu": r"\u0a80-\u0aff",
    "or": r"\u0b00-\u0b7f",
    "ta": r"\u0b80-\u0bff",
    "te": r"\u0c00-\u0c7f",
    "kn": r"\u0c80-\u0cff",
    "ml": r"\u0d00-\u0d7f",
    "si": r"\u0d80-\u0dff",
    "th": r"\u0e00-\u0e7f",
    "lo": r"\u0e80-\u0eff",
    "bo": r"\u0f00-\u0fff",
    "my": r"\u1000-\u109f",
    **dict.fromkeys(("am", "ti"), r"\u1200-\u139f"),
    "km": r"\u1780-\u17ff",
}
_PATTERNS = {language: re.compile(f"[{letters}]") for language, letters in _SCRIPTS.items()}
_LATIN_LETTER = re.compile(f"[{_LATIN}]")
_CLOSING = "\"'”’»“）)\\]】」』"
# With the marks of Arabic, Armenian, Ethiopic, Hindi, Urdu and Tibetan
# Closing marks may come after a space: French writes `« Où est-il ? »`
_ENDS = re.compile(rf"[?？؟.!…。！।॥۔։።፧།][{_CLOSING}\s]*$")
_ASKS = re.compile(rf"(?:[?？؟፧\u037e]|(?<=[\u0370-\u03ff\u1f00-\u1fff]);)[{_CLOSING}\s]*$")
# Thai, Lao, Tibetan, Burmese and Khmer sentences end in a space; Japanese and Armenian questions have other marks
_UNMARKED = re.compile(r"[\u0e00-\u0eff\u0f00-\u109f\u1780-\u17ff]")
_NO_QUESTION_MARK = re.compile(r"[\u3040-\u30ff\u0530-\u058f]")


def primary(language: str) -> str:
    """Return the language of a tag, without its script, region and case.

    >>> primary("zh-Hans-CN"), primary("pt_BR"), primary("DE"), primary("")
    ('zh', 'pt', 'de', '')
    """
    return language.replace("_", "-").partition("-")[0].strip().casefold()


def letters_of(language: str) -> re.Pattern[str]:
    """Return a pattern of the letters in which a language is written."""
    return _PATTERNS.get(primary(language), _LATIN_LETTER)


def in_latin(text: str) -> bool:
    """Return whether at least half of a text's letters are Latin ones; an ideograph counts as two.

    >>> in_latin("Wir nutzen BERT."), in_latin("Мы используем BERT."), in_latin("我们使用BERT")
    (True, False, False)
    """
    letters = [c for c in text if c.isalpha()]
    latin = sum(bool(_LATIN_LETTER.match(c)) for c in letters)
    others = sum(2 if _PATTERNS["zh"].match(c) else 1 for c in letters) - latin
    return latin >= others


def is_ended(text: str) -> bool:
    """Return whether a text ends in a mark that ends sentences, or is in a script whose sentences have none.

    >>> is_ended("Es regnet."), is_ended("वर्षा हो रही है।"), is_ended("ฝนกำลังตก"), is_ended("Es regnet")
    (True, True, True, False)
    """
    return bool(_ENDS.search(text) or _ASKS.search(text) or _UNMARKED.search(text))


def is_question(text: str) -> bool | None:
    """Return whether a text ends in a question mark; None if it is in a script whose questions may have none.

    >>> is_question("Regnet es?"), is_question("Βρέχει;"), is_question("Es regnet;"), is_question("雨ですか。")
    (True, True, False, None)
    """
    if _ASKS.search(text):
        return True
    return None if _UNMARKED.search(text) or _NO_QUESTION_MARK.search(text) else False
