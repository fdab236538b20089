"""The language of a text, guessed from its script and its most common words.

This is enough to notice a reply in the wrong language without a model: a German reply contains German articles. The
language of short texts and of names can't be determined.
"""

from __future__ import annotations

import re

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]+")
# Words that most sentences of a language contain and that the other languages here don't have.
_COMMON = {
    "en": "the of and to is that it for was with as this are be by not have from they which their you we an or has",
    "de": "der die das und ist nicht ein eine zu den mit dem auf für sich als auch wird werden sind von wie bei aus "
    "nach einer einem dass durch wir",
    "it": "il di che è per della sono gli nel con una le dei alla del delle più anche questo questa dal nella viene "
    "essere ci lo",
    "fr": "le les des est dans qui pour une pas sur au avec ce il sont aux du cette mais nous vous et",
    "es": "el los las que es una por con para del se lo como más pero sus al está son y esta",
}
COMMON = {code: frozenset(words.split()) for code, words in _COMMON.items()}
MIN_WORDS, MIN_HAN = 4, 2


def guess_language(text: str) -> str | None:
    """Return the language of a text: `zh`, `ja`, `ko`, `en`, `de`, `it`, `fr` or `es`.

    A text is Chinese if at least a third of its letters are ideographs; an ideograph counts as three letters of an
    alphabet. A text in an alphabet needs at least four words. At least a tenth of them must be common words of the
    language, and at least 1.5 times as many as common words of any other language.

    Returns:
        A language code; None if the language can't be determined.

    Example:
        >>> guess_language("Der Vortrag ist nicht von mir.")
        'de'
        >>> guess_language("Triptych") is None
        True
    """
    han, kana = len(_HAN.findall(text)), len(_KANA.findall(text))
    latin = sum(map(len, _LATIN.findall(text)))
    if len(_HANGUL.findall(text)) * 3 > latin + han and not kana:
        return "ko"
    if (han + kana) * 3 >= max(1, latin) * 0.5 and han + kana >= MIN_HAN:
        return "ja" if kana > han / 4 else "zh"
    words = [word.casefold() for word in _WORD.findall(text)]
    if len(words) < MIN_WORDS:
        return None
    hits = sorted(((sum(word in common for word in words), code) for code, common in COMMON.items()), reverse=True)
    (top, code), (next_most, _) = hits[0], hits[1]
    return code if top >= max(2, len(words) / 10) and top >= 1.5 * next_most else None
