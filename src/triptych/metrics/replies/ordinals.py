"""Ordinals and numbers ("the second option", "第三项", "option 4") as the labels that they mean."""

from __future__ import annotations

import re
from collections.abc import Sequence

from triptych.metrics.replies.circled import has_numbers
from triptych.metrics.replies.lazy_pattern import lazy_pattern

_ORDINALS_CHINESE = lazy_pattern(
    r"第\s*([一二三四五六七八1-8])\s*(?:个|個)?\s*(?:选项|選項|选择|项|項|个|個|張图|张图|段|句|種|种|幅)"
    r"|第\s*([1-8])\s*(?:選択肢|の選択肢)"
)
_ORDINALS = lazy_pattern(
    r"\b(?:(first|second|third|fourth|fifth|sixth|1st|2nd|3rd|4th|5th)\s+(?:option|choice|answer|one|alternative|item"
    r"|statement|clip|audio clip|recording|image|picture|photo|video|sound|sentence|text))\b"
    r"|\bthe\s+(first|second|third|fourth|fifth)(?=\s*[.!]?\s*$)"
    r"|\b(?:(erste|zweite|dritte|vierte|fünfte)[nr]?\s+(?:option|antwort|möglichkeit))\b"
    r"|\b(?:(première|deuxième|troisième|quatrième)\s+(?:option|réponse|proposition))\b"
    r"|\b(?:(primera|segunda|tercera|cuarta)\s+(?:opción|alternativa|respuesta))\b"
    r"|\b(?:(prima|seconda|terza|quarta)\s+(?:opzione|risposta|alternativa))\b"
    r"|\b(?:(primeira|segunda|terceira|quarta)\s+(?:opção|alternativa|resposta))\b",
    re.I,
)
_ORDINALS_BEHIND = lazy_pattern(r"([1-4一二三四])番目の選択肢|(첫|두|세|네)\s?번째\s*(?:선택지|보기|옵션|항목)")
_NUMBERED = lazy_pattern(
    r"\b(?:option|choice|answer choice|alternative|clip|image|picture|video|recording)\s+"
    r"(?:#|no\.\s*|number\s+)?([1-8]|one|two|three|four)\b(?![.,]?\d)|[选選][项項]\s*([1-8一二三四])(?![\d.])"
    r"|\b(?:the\s+)?last\s+(?:option|choice|one|answer)\b|最后一(?:个选项|项|个)",
    re.I,
)
_ORDER = (
    "一 1 one first 1st erste première primera prima primeira 첫",
    "二 2 two second 2nd zweite deuxième segunda seconda 두",
    "三 3 three third 3rd dritte troisième tercera terza terceira 세",
    "四 4 four fourth 4th vierte quatrième cuarta quarta 네",
    "五 5 fifth 5th fünfte",
    "六 6 sixth",
    "七 7",
    "八 8",
)
_PLACES = {word: n for n, words in enumerate(_ORDER) for word in words.split()}
# Found in a text without case if one of the patterns above can match. They try each place of a text, so a long
# reply takes far longer to search with them than with these.
_MAY_NUMBER = lazy_pattern(
    r"(?:option|choice|alternative|clip|image|picture|video|recording)\s+(?:#|no\.|number\s|[1-8]|one|two|three|four)"
)
_MAY_LAST = lazy_pattern(r"last\s+(?:option|choice|one|answer)")
_MAY_NUMBER_DENSE = lazy_pattern(r"[选選][项項]\s*[1-8一二三四]")
_MAY_ORDER = lazy_pattern(
    r"(?:first|second|third|fourth|fifth|sixth|1st|2nd|3rd|4th|5th|erste|zweite|dritte|vierte|fünfte|première|deuxième"
    r"|troisième|quatrième|primera|segunda|tercera|cuarta|prima|seconda|terza|quarta|primeira|terceira)[nr]?\s+"
    r"(?:option|choice|answer|one|alternative|item|statement|clip|audio|recording|image|picture|photo|video|sound"
    r"|sentence|text|antwort|möglichkeit|réponse|proposition|opción|respuesta|opzione|risposta|alternativa|opção"
    r"|resposta)"
)
_LAST_WORD = ("first", "second", "third", "fourth", "fifth")


def with_labels(text: str, labels: Sequence[str], texts: Sequence[str], end: str) -> str:
    """Return a text in NFKC with labels, and `end` behind each, in place of the ordinals and numbers that mean them.

    Example:
        >>> with_labels("The second option.", "ABCD", (), "!"), with_labels("Option 3", "ABCD", (), "!")
        ('The  B! .', ' C! ')
    """
    wording = " ".join(texts).casefold()
    if not has_numbers(labels) and _may_number(without_case(text)):
        text = _NUMBERED.sub(lambda matched: _numbered(matched, labels, wording, end), text)
    patterns: list[re.Pattern[str]] = []
    if _may_order(without_case(text)):
        patterns.append(_ORDINALS)
    if "第" in text:
        patterns.append(_ORDINALS_CHINESE)
    if "番目" in text or "번째" in text:
        patterns.append(_ORDINALS_BEHIND)
    for pattern in patterns:
        text = pattern.sub(lambda matched: _ordinal(matched, labels, wording, end), text)
    return text


def without_case(text: str) -> str:
    """Return a text in NFKC such that whatever `re.I` lets match an ASCII word has this word in lower case in it.

    Example:
        >>> without_case("FINAL fınal Fİnal")
        'final final final'
    """
    folded = text.casefold()
    return folded if folded.isascii() else folded.replace("i\u0307", "i").replace("ı", "i")


def _may_number(folded: str) -> bool:
    return (
        "最后一" in folded
        or _MAY_LAST.search(folded) is not None
        or _MAY_NUMBER.search(folded) is not None
        or _MAY_NUMBER_DENSE.search(folded) is not None
    )


def _may_order(folded: str) -> bool:
    last = folded.rstrip().removesuffix(".").removesuffix("!").rstrip()
    return last.endswith(_LAST_WORD) or _MAY_ORDER.search(folded) is not None


def _ordinal(match: re.Match[str], labels: Sequence[str], wording: str, end: str) -> str:
    index = _PLACES.get(next(filter(None, match.groups())).lower(), len(labels))
    return match[0] if index >= len(labels) or match[0].casefold() in wording else f" {labels[index]}{end} "


def _numbered(match: re.Match[str], labels: Sequence[str], wording: str, end: str) -> str:
    """Return the label that "option 3" or "the last option" means; unchanged if options are about numbers."""
    digit = match[1] or match[2]
    index = len(labels) - 1 if digit is None else _PLACES[digit.lower()]
    if index >= len(labels) or (digit and digit.lower() in wording) or match[0].casefold() in wording:
        return match[0]
    return f" {labels[index]}{end} "
