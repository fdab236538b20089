"""Questions of one talk that ask the same in other words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from triptych.construction.text_checks.numerals import numbers_in
from triptych.construction.text_checks.scripts import primary
from triptych.construction.text_checks.shortened import reads_shortened
from triptych.construction.text_checks.wording import common_words

_WORD = re.compile(r"[^\W\d_]+")
_STEM = 4  # letters by which the forms of a word are compared
# Words that ask, and what is asked for in two ways: `how long`, `how much time`
_ASKING = {
    "en": "how many much long often far high big old what which who whom whose where when why did does done can could "
    "will would may time duration length number amount quantity total kind kinds type types sort name names called "
    "exactly please according talk speaker speakers presenter presentation mentioned mention say says said state "
    "stated",
    "de": "wie viel viele vieles lange lang oft weit hoch groß alt was welche welcher welches welchen welchem wer wem "
    "wen wessen wo wohin woher wann warum weshalb wieso zeit dauer länge zahl anzahl menge art arten sorte name namen "
    "heißt heißen genau laut vortrag sprecher sprecherin sagt gesagt genannt nennt wurde wurden wird haben hatte",
    "it": "come quanto quanta quanti quante che cosa quale quali chi dove quando perché tempo durata lunghezza numero "
    "quantità tipo tipi genere nome nomi chiama chiamano esattamente secondo presentazione relatore relatrice dice "
    "detto hanno ha stato stata stati state viene vengono",
}
_CHINESE_ASKING = re.compile(
    "什么|甚么|哪些|哪个|哪种|哪位|哪里|哪儿|哪|谁|怎么样|怎么|怎样|如何|为什么|为何|多少|多长|多久|多大|多高|多远|几|是否|请问|时间|数量|名字|种类|需要|根据|演讲|讲者"
    "|[的了吗呢吧啊是在有被把和与及个种位名只张条本这那它他她们]"
)
_INTERROGATIVES = (
    ("who", re.compile(r"\bwho(?:m|se)?\b", re.IGNORECASE)),
    ("when", re.compile(r"\bwhen\b|\b(?:what|which) (?:year|month|day|date)\b", re.IGNORECASE)),
    ("where", re.compile(r"\bwhere\b", re.IGNORECASE)),
    ("why", re.compile(r"\bwhy\b|\bfor what reason\b", re.IGNORECASE)),
    ("how many", re.compile(r"\bhow (?:many|much|long|often)\b|\b(?:number|amount) of\b", re.IGNORECASE)),
    ("how", re.compile(r"\bhow\b", re.IGNORECASE)),
    ("what", re.compile(r"\b(?:what|which)\b", re.IGNORECASE)),
)
_YES_OR_NO = re.compile(r"\W*(?:yes|no|ja|nein|sì|si|no|是的?|不是?|对)\W*", re.IGNORECASE)
MIN_SHARED = 0.6  # share of the words of both questions that they have in common
MIN_SHARED_UNANSWERED = 0.75  # the same of two questions without answers
MIN_UNANSWERED = 3  # words that two questions without answers share


def asks_the_same(question: Mapping[str, Any], other: Mapping[str, Any], *, placed: bool) -> bool:
    """Return whether two questions of one place in a talk ask the same: the same words except those that ask, and one
    answer, up to small words and the writing of numbers. Of questions that can't be answered, the words are compared.

    placed: whether both have a place in the talk, and the places overlap. `texts`: [question, answer] by language.

    >>> first = {"type": "A", "texts": {"en": ["How long do the helpers need?", "14 days."]}}
    >>> again = {"type": "A", "texts": {"en": ["How much time do the helpers need?", "They need fourteen days."]}}
    >>> asks_the_same(again, first, placed=True)
    True
    """
    texts, others = question["texts"], other["texts"]
    without = [str(each.get("type") or "").strip().upper() == "NA" for each in (question, other)]
    if any(without):
        a, b = (_content(str(each.get("en", [""])[0]), "en") for each in (texts, others))
        interrogatives = [_interrogative(str(each.get("en", [""])[0])) for each in (texts, others)]
        return (
            all(without)
            and interrogatives[0] == interrogatives[1]
            and len(a & b) >= MIN_UNANSWERED
            and _shared(a, b) >= MIN_SHARED_UNANSWERED
        )
    if not placed:
        return False
    for language in sorted(texts.keys() & others.keys()):
        (one, answer), (second, again) = texts[language][:2], others[language][:2]
        a, b = _content(one, language), _content(second, language)
        if a and b and _shared(a, b) >= MIN_SHARED and same_answer(answer, again, language):
            return True
    return False


@reads_shortened
def shared_words(one: str, other: str, language: str) -> float:
    """Return the share of the words of two questions that both have, without small words and words that ask."""
    return _shared(_content(one, language), _content(other, language))


@reads_shortened
def same_answer(answer: str, other: str, language: str) -> bool:
    """Return whether two answers say the same, one of them in more words; `yes` and `no` answer many questions.

    >>> same_answer("14 days.", "It takes fourteen days.", "en"), same_answer("14 days.", "12 days.", "en")
    (True, False)
    """
    if _YES_OR_NO.fullmatch(answer) or _YES_OR_NO.fullmatch(other):
        return False
    numbers, more = numbers_in(answer, language), numbers_in(other, language)
    a, b = (_answer_words(each, language) for each in (answer, other))
    if numbers != more or not (a or numbers):
        return False
    return a == b or ((a <= b or b <= a) and (bool(numbers) or min(len(a), len(b)) > 1))


def _answer_words(answer: str, language: str) -> frozenset[str]:
    return frozenset(word for word in _content(answer, language) if not numbers_in(word, language))


def _content(text: str, language: str) -> frozenset[str]:
    """Return the words of a text that aren't small ones or words that ask, by their first letters; of Chinese, its
    characters."""
    language = primary(language)
    if language == "zh":
        return frozenset(re.findall(r"[\u3400-\u9fff]|[A-Za-z]+|\d+", _CHINESE_ASKING.sub("", text)))
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    small = {_folded(word) for word in (*common_words(language), *_ASKING.get(language, "").split())}
    words = [word for word in _WORD.findall(plain) if word not in small and len(word) > 1]
    return frozenset([word[:_STEM] for word in words] + re.findall(r"\d+", plain))


def _folded(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(c))


def _shared(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b) if a | b else 0.0


def _interrogative(question: str) -> str:
    return next((name for name, pattern in _INTERROGATIVES if pattern.search(question)), "")


def places_overlap(one: Sequence[float | None], other: Sequence[float | None]) -> bool:
    """Return whether two spans are given and overlap.

    >>> places_overlap((1.0, 4.0), (3.0, 9.0)), places_overlap((1.0, None), (3.0, 9.0))
    (True, False)
    """
    begin, end = one
    second_begin, second_end = other
    if begin is None or end is None or second_begin is None or second_end is None:
        return False
    return max(begin, second_begin) < min(end, second_end)
