"""A reply without markup, and ordinals as the labels that they mean."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from triptych.metrics.replies.circled import has_numbers, without_circles
from triptych.metrics.replies.lazy_pattern import lazy_pattern

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
_OPEN = r"(\[{<\"'“‘„«「『【《〈〔*_`$"
_CLOSE = r")\]}>\"'”’“»」』】》〉〕*_`$"
_DROPPED = lazy_pattern(r"[*`$\"“”„«»「」『』《》〈〉{}\\]|_{2,}|(?<!\w)_|_(?!\w)")
_CORNER = lazy_pattern(r"[【〔]([^】〕\n]{1,12})[】〕]:?")
_ORDINALS = lazy_pattern(
    r"第\s*([一二三四五六七八1-8])\s*(?:个|個)?\s*(?:选项|選項|选择|项|項|个|個|張图|张图|段|句|種|种|幅)"
    r"|第\s*([1-8])\s*(?:選択肢|の選択肢)"
    r"|\b(?:(first|second|third|fourth|fifth|sixth|1st|2nd|3rd|4th|5th)\s+(?:option|choice|answer|one|alternative|item"
    r"|statement|clip|audio clip|recording|image|picture|photo|video|sound|sentence|text))\b"
    r"|\bthe\s+(first|second|third|fourth|fifth)(?=\s*[.!]?\s*$)"
    r"|\b(?:(erste|zweite|dritte|vierte|fünfte)[nr]?\s+(?:option|antwort|möglichkeit))\b"
    r"|\b(?:(première|deuxième|troisième|quatrième)\s+(?:option|réponse|proposition))\b"
    r"|\b(?:(primera|segunda|tercera|cuarta)\s+(?:opción|alternativa|respuesta))\b"
    r"|\b(?:(prima|seconda|terza|quarta)\s+(?:opzione|risposta|alternativa))\b"
    r"|\b(?:(primeira|segunda|terceira|quarta)\s+(?:opção|alternativa|resposta))\b"
    r"|([1-4一二三四])番目の選択肢|(첫|두|세|네)\s?번째\s*(?:선택지|보기|옵션|항목)",
    re.I,
)
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
_STRUCK = lazy_pattern(r"~~[^~\n]{1,200}~~")
_FINAL = lazy_pattern(r"^([ #>*_\-]*final)(?=[*_ ]*[:=])", re.M | re.I)  # a heading of one word
_QUOTE = lazy_pattern(r"^>.*$", re.M)
_LOOKALIKE, _LATIN = lazy_pattern(r"(?<!\w)[АСЕ](?=\s*(?:[.,;)!]|$))"), {"А": "A", "С": "C", "Е": "E"}  # Cyrillic
_PRIVATE = lazy_pattern("[\ue000-\ue9ff]")  # what the marks are; a reply has none of its own
_BLANKS = lazy_pattern(r"[^\S\n]+")


def plain(reply: str, labels: Sequence[str] = (), texts: Sequence[str] = ()) -> str:
    """Return a reply without markup: boxes and tags become one mark; an enclosed label gets a mark behind it.

    Example:
        >>> "boxed" in plain("\\\\boxed{C}", "ABCD")
        False
    """
    text = _PRIVATE.sub("", reply)
    if labels:
        text = without_circles(text, labels, texts, ENCLOSED)
    text = unicodedata.normalize("NFKC", text)
    if not labels and text.isalnum():  # one word, or a Chinese sentence without punctuation
        return text
    text = _unquoted(_STRUCK.sub("", text))
    text = _FINAL.sub(r"\1 answer", text)
    text = _BOX_ENDS.sub("\n", _BOX.sub(f" {ANSWER} ", text))
    text = _NOISE.sub("", text)
    if labels:
        text = _LOOKALIKE.sub(lambda hit: _LATIN[hit[0]], text)
        either = "|".join(re.escape(form) for label in labels for form in dict.fromkeys((label, label.lower())))
        text = re.sub(rf"([{_OPEN}]{{1,4}})\s?({either}){ENCLOSED}?\s?[{_CLOSE}]{{1,4}}", _enclosed, text)
        wording = " ".join(texts).casefold()
        if not has_numbers(labels):
            text = _NUMBERED.sub(lambda groups_found: _numbered(groups_found, labels, wording), text)
        text = _ORDINALS.sub(lambda matched: _ordinal(matched, labels, wording), text)
    text = _CORNER.sub(r"\n\1: ", text)
    return _BLANKS.sub(" ", _DROPPED.sub("", text))


def _unquoted(text: str) -> str:
    """Return a text without the lines that quote another, unless there are no others."""
    without = _QUOTE.sub("", text) if text.startswith(">") else text
    return without if without.strip() else text


def _enclosed(match: re.Match[str]) -> str:
    return f" {match[2]}{BOLD if '**' in match[1] else ENCLOSED} "


def _ordinal(match: re.Match[str], labels: Sequence[str], texts: str) -> str:
    index = _PLACES.get(next(filter(None, match.groups())).lower(), len(labels))
    return match[0] if index >= len(labels) or match[0].casefold() in texts else f" {labels[index]}{ENCLOSED} "


def _numbered(match: re.Match[str], labels: Sequence[str], texts: str) -> str:
    """Return the label that "option 3" or "the last option" means; unchanged if options are about numbers."""
    digit = match[1] or match[2]
    index = len(labels) - 1 if digit is None else _PLACES[digit.lower()]
    if index >= len(labels) or (digit and digit.lower() in texts) or match[0].casefold() in texts:
        return match[0]
    return f" {labels[index]}{ENCLOSED} "
