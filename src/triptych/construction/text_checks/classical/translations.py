"""English translations of classical Chinese texts: retellings, several versions in one, other dates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from triptych.construction.text_checks.numerals import chinese_number
from triptych.construction.text_checks.shortened import reads_shortened
from triptych.construction.text_checks.wording import PINYIN_WORD, common_words
from triptych.metrics.text.english_numbers import SMALL, TENS

Fault = tuple[str, str]

_WORK = (
    r"(?:the|this|these|in (?:the|this)) "
    r"(?:(?:first|second|third|fourth|last|final|opening|closing|two|following|given|classical|chinese|ancient) ){0,2}"
    r"(?:passage|poem|poet|author|writer|text|stanza|verses?|lines?|excerpt|piece|essay|couplet|lyrics?|narrator"
    r"|speaker|story|work)"
)
_TELLS = (
    r"(?:opens?|begins?|starts?|ends?|concludes?|closes?|tells?|describes?|depicts?|portrays?|express(?:es)?|conveys?|"
    r"shows?|recounts?|narrates?|compares?|reflects?|evokes?|laments? (?:that|how)|uses?|employs?|presents?|"
    r"illustrates?|captures?|"
    r"explores?|contrasts?|emphasi[sz]es?|highlights?|mentions?|discusses|explains?|recalls? how|reveals?|suggests?|"
    r"symboli[sz]es?|represents?|means?|is about|talks? about|paints? a)"
)
# Deeds of people in a text: `The poet begins to drink`, `the author closes his eyes`
_NO_DEED = (
    r"(?!\s+to (?!tell|describe|express|lament|reflect|mourn|praise|sing of|convey|depict|show|explain)[a-z]+\b"
    r"|\s+(?:(?:the|a|his|her|their|its|my) )?(?:song|journey|cup|wine|days?|life|eyes?|door|gate|meal|zither|flute"
    r"|book|letters?|boat|horse|sword|hands?|way|walk|drinking|weeping|singing|dancing|rowing|reading|writing)\b)"
)
_RETELLS = re.compile(
    rf"\b{_WORK}\b(?:\s[\w'’-]+){{0,3}}?\s(?:then |also |here |thus |finally |first )?{_TELLS}\b{_NO_DEED}",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"(?:^|[\n.;!?|]\s*|[(\[*]\s*)[*_]{0,2}(?:literal(?:ly)?|poetic|free|prose|verse|rhymed|plain|modern|liberal"
    r"|close|fluent|"
    r"word[- ]for[- ]word|alternative(?:ly)?|paraphrase|version|translation|option|draft|rendering|final|revised)"
    r"(?:\s(?:translation|version|rendering|reading|paraphrase))?\s?(?:[1-3abAB]|one|two"
    r"|i{1,3})?[*_]{0,2}\s?[:：)\]](?=\s|$)",
    re.IGNORECASE,
)

_UNITS = {"年": "year", "岁": "year", "载": "year", "月": "month", "日": "day", "天": "day"}
_NUMERALS = "[零〇一二三四五六七八九十百千廿卅有又]"
_CLASSICAL = re.compile(f"([元正冬腊数]|(?<!{_NUMERALS}){_NUMERALS}+)个?([年岁载月日天])")
_NAMED = {"元": 1, "正": 1, "冬": 11, "腊": 12}
_WORDS = {word: n for n, word in enumerate(SMALL, 1)}
_DECADES = {word: 20 + 10 * n for n, word in enumerate(TENS)}
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12}
_ENGLISH = re.compile(
    r"(?<!hundred )(?<!hundred and )(?<!thousand )(?<!thousand and )\b"
    r"([a-z]+(?:-[a-z]+)?|\d{1,4}(?:st|nd|rd|th)?)[\s-](?:whole |full |long |more |lunar )?(year|month|day)s?\b"
)


@reads_shortened
def retelling(text: str) -> str:
    """Return where a text describes the original in place of translating it; empty if it doesn't.

    >>> retelling("The passage opens by telling us when the outing took place.")
    'The passage opens'
    >>> retelling("The poet drinks alone; the lamp burns low.")
    ''
    """
    matches = list(_RETELLS.finditer(text))
    if matches and (len(matches) > 1 or not text[: matches[0].start()].strip(" \n\"'“‘")):
        return matches[0][0]
    return ""


@reads_shortened
def versions(text: str) -> str:
    """Return the label of one of several versions, or of the only one; empty if there is none.

    >>> versions("Literal: The sky is like a tent. Poetic: The sky's a tent."), versions("He said: go.")
    ('Literal:', '')
    """
    label = _VERSION.search(text)
    return label[0].strip(" .;\n") if label else ""


@reads_shortened
def other_date(source: str, text: str) -> Fault | None:
    """Return the fault that a translation counts years, months or days that the source doesn't have; None if it has no
    such number, or if the source has none of this unit.

    >>> other_date("崇祯五年十二月，余住西湖。", "In the tenth month of the fifth year, I lived there.")
    ('numbers-differ', "'tenth month': the text has 12")
    >>> other_date("十有五年而志于学", "At fifteen years I set my heart on learning.")
    """
    stated: dict[str, set[int]] = {}
    for number, unit in _CLASSICAL.findall(source):
        stated.setdefault(_UNITS[unit], set()).update(_values(number))
    for number, unit in _ENGLISH.findall(unicodedata.normalize("NFKC", text).casefold()):
        value, numbers = _english(number), stated.get(unit, set())
        if value and numbers and 0 not in numbers and value not in numbers:
            return "numbers-differ", f"'{number} {unit}': the text has {', '.join(map(str, sorted(numbers)))}"
    return None


def pinyin_line(text: str) -> str:
    """Return a line, or a part between marks, of a translation that is pinyin; empty if there is none. Names may be.

    >>> pinyin_line("The moon before my bed; yi shi di shang shuang."), pinyin_line("Su Shi and Wang Wei")
    ('yi shi di shang shuang', '')
    """
    for part in re.split(r"[\n,.;:!?，。；：！？—]+", text):
        words = re.findall(r"[^\W\d_]+", _strip_accents(part))
        if len(words) >= MIN_PINYIN and all(PINYIN_WORD.fullmatch(word) for word in words):
            common = sum(word in common_words("en") for word in words)
            if 3 * common < len(words) and sum(word in _ALSO_ENGLISH for word in words) * 2 < len(words):
                return part.strip()
    return ""


MIN_PINYIN = 4  # words of a part that is pinyin: shorter ones may be names
_ALSO_ENGLISH = frozenset(
    [
        "long",
        "sing",
        "song",
        "man",
        "men",
        "fan",
        "ran",
        "he",
        "she",
        "me",
        "we",
        "a",
        "an",
        "in",
        "bed",
        "can",
        "sun",
        "ten",
        "ban",
        "pan",
        "pen",
        "den",
        "hen",
        "wan",
        "lie",
        "die",
        "tie",
        "pie",
        "mine",
        "you",
        "to",
        "go",
        "so",
        "no",
        "hang",
        "gang",
        "bang",
        "fang",
        "pang",
        "wing",
        "sang",
        "rang",
        "sue",
        "china",
        "bin",
        "pin",
        "din",
        "tang",
        "gong",
        "kong",
        "hung",
    ]
)


def _strip_accents(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(c))


def _values(number: str) -> Iterator[int]:
    """Yield what a classical number may mean; 0 for `several`, which any number translates."""
    if number == "数":
        yield 0
    elif number in _NAMED:
        yield _NAMED[number]
    else:
        plain = number.replace("廿", "二十").replace("卅", "三十").replace("有", "").replace("又", "")
        if plain:
            yield chinese_number(plain)
        if len(plain) == 2 and not set(plain) & set("十百千零〇"):  # 二三日: two or three days
            yield from map(chinese_number, plain)
            yield 0
        if plain in ("一", "百", "千", "三", "九", "十"):  # also `all` and `many`
            yield from ((0,) if plain in ("百", "千", "九") else ())


def _english(word: str) -> int:
    """Return the value of a number word or ordinal; 0 for another word."""
    if word[0].isdigit():
        return int(re.sub(r"\D", "", word))
    first, _, last = word.rpartition("-")
    if first:
        return _DECADES[first] + unit if first in _DECADES and (unit := _english(last)) else 0
    if word in _ORDINALS or word in _WORDS or word in _DECADES:
        return _ORDINALS.get(word) or _WORDS.get(word) or _DECADES[word]
    stem = word.removesuffix("ieth") + "y" if word.endswith("ieth") else word.removesuffix("th")
    return (_WORDS.get(stem) or _DECADES.get(stem) or 0) if word.endswith("th") else 0
