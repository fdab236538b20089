"""Numbers in texts of several languages, as values that can be compared: digits, and words from 2 to 999,999."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from triptych.construction.text_checks.scripts import primary
from triptych.construction.text_checks.shortened import reads_shortened
from triptych.metrics.text.english_numbers import SMALL, TENS

_UNITS = {
    "en": " ".join(("zero", *SMALL)),
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
    "siebzehn achtzehn neunzehn",
    "it": "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici "
    "diciassette diciotto diciannove",
}
_TENS = {
    "en": " ".join(TENS),
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "it": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
}
_HUNDRED = {"en": "hundred", "de": "hundert", "it": "cento"}
_THOUSAND = {"en": ("thousand",), "de": ("tausend",), "it": ("mila", "mille")}
_DIGITS = re.compile(r"\d+(?:[.,'’\u00a0\u202f]\d{3})*(?:[.,]\d+)?")
_TRAILING_ZEROS = re.compile(r"(?<=^0[.,][0-9])0+$|(?<=^0[.,][0-9]{2})0+$")  # 0.90 is 0.9
_TENTHS = re.compile("([一二三四五六七八九])成(?![为功本立员果人就绩分不长熟语])")  # 九成 is 90 percent
CHINESE_NUMBER = re.compile("[零〇一二两三四五六七八九十百千万亿]+")
_CHINESE_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_CHINESE_UNITS = {"十": 10, "百": 100, "千": 1000}
_CHINESE_LARGE = {"万": 10**4, "亿": 10**8}
# Words with a numeral that count nothing
_CHINESE_IDIOMS = re.compile(
    # at the beginning of a number: 十一个 and 三十分钟 are numbers
    "(?<![零〇一二两三四五六七八九十百千万亿])(?:一[些个下样直般起切定旦种方边次点]|十分(?![钟之])|万一|四周|三角|百度|千万(?!个))"
    "|第[一二三四五六七八九十]+|唯一|统一|同一|之一|星期[一二三四五六]|[一二三四五六七八九十]月"
    "|不一|进一步|另一|某一|每一|这一|那一|任一|单一|二元|二进|三元"
)


MAX_DIGITS = 250  # of a number that are read: `int` refuses more than 4,300, `float` more than 308
MAX_CHARACTERS = 30  # of a Chinese number with units that are read: 亿亿亿 grows by eight digits each


@reads_shortened
def numbers_in(text: str, language: str) -> set[int]:
    """Return the numbers of a text: digits without their separators, and number words from 2 on.

    `1,5` and `1.5` are 15, as languages separate differently.

    >>> numbers_in("Zweiunddreißig von 1.000", "de") == numbers_in("thirty-two of 1,000", "en")
    True
    """
    text = unicodedata.normalize("NFKC", text)
    numbers = {int(re.sub(r"\D", "", _TRAILING_ZEROS.sub("", each))[:MAX_DIGITS]) for each in _DIGITS.findall(text)}
    short = primary(language)
    words = _chinese(text) if short == "zh" else _worded(text, short) if short in _UNITS else set()
    return numbers | {number for number in words if number > 1}


def reads_number_words(language: str) -> bool:
    """Return whether `numbers_in` reads the number words of a language, and not digits alone.

    >>> reads_number_words("zh-CN"), reads_number_words("fr")
    (True, False)
    """
    return primary(language) in ("zh", *_UNITS)


def chinese_number(text: str) -> int:
    """Return the value of a Chinese number.

    >>> [chinese_number(text) for text in ("三十", "一百零五", "一百二", "两千", "二〇二三", "十")]
    [30, 105, 120, 2000, 2023, 10]
    """
    if not any(c in _CHINESE_UNITS or c in _CHINESE_LARGE for c in text):
        return int("".join(str(_CHINESE_DIGITS[c]) for c in text[:MAX_DIGITS]))
    total = section = 0
    digit: int | None = None
    last = 1
    for c in text[:MAX_CHARACTERS]:
        if c in _CHINESE_DIGITS:
            digit = _CHINESE_DIGITS[c] if digit in (None, 0) else digit * 10 + _CHINESE_DIGITS[c]
            last = 1 if c in "零〇" else last
        elif c in _CHINESE_UNITS:
            section += (1 if digit is None else digit) * _CHINESE_UNITS[c]
            last, digit = _CHINESE_UNITS[c], None
        else:
            total = (total + section + (digit or 0) or 1) * _CHINESE_LARGE[c]
            section, digit, last = 0, None, _CHINESE_LARGE[c]
    tail = (digit or 0) * (last // 10 if last > 10 else 1)  # 一百二 is 120, 一百零二 is 102
    return total + section + tail


# Two digits that follow each other leave it open which one it is: 七八个, 三五天, 十七八岁, 两三百
_APPROXIMATE = re.compile(
    "((?:[一二三四五六七八九两]?[十百千万亿])*零?)(一[二两]|[二两]三|三[两四五]|四五|五六|六七|七八|八九)([十百千万亿]*)"
)


def approximate(number: str) -> tuple[int, int] | None:
    """Return the two numbers between which a Chinese number leaves it open; None if it is one number.

    >>> approximate("七八"), approximate("两三百"), approximate("十七八"), approximate("一百二")
    ((7, 8), (200, 300), (17, 18), None)
    """
    if not (match := _APPROXIMATE.fullmatch(number[:MAX_CHARACTERS])) or len(number) > MAX_CHARACTERS:
        return None
    before, digits, unit = match.groups()
    less, more = sorted(chinese_number(f"{before}{digit}{unit}") for digit in digits)
    return less, more


def chinese_in_digits(text: str) -> str:
    """Return a text with its Chinese numbers as digits; an approximate one as a range.

    >>> chinese_in_digits("三十天"), chinese_in_digits("七八天")
    ('30天', '7到8天')
    """
    return CHINESE_NUMBER.sub(
        lambda match: "到".join(map(str, approximate(match[0]) or (chinese_number(match[0]),))), text
    )


def _chinese(text: str) -> set[int]:
    plain = text.replace("百分之", " ")
    numbers = {10 * chinese_number(each) for each in _TENTHS.findall(plain)}
    plain = _CHINESE_IDIOMS.sub(" ", plain)
    for match in CHINESE_NUMBER.finditer(plain):
        if pair := approximate(match[0]):
            numbers |= {*pair}
        if not pair or plain[match.end() : match.end() + 1] == "年":  # 八九年 is also 1989
            numbers.add(chinese_number(match[0]))
    return numbers


def _worded(text: str, language: str) -> set[int]:
    """Return the values of number words; several that follow each other (`two hundred`, `twenty two`) are one."""
    values, numbers, run = _words_of(language), set[int](), list[int]()
    plain = re.sub(r"\bper (?:cent|cento|mille)\b", "%", text.casefold())
    for word in [*re.findall(r"[^\W_]+|[^\w\s]", plain), "."]:
        if word in values:
            run.append(values[word])
        elif word == "one" and run and 20 <= run[-1] < 100:
            run.append(1)
        elif run and (word == "and" or (word == "-" and language == "en")):
            continue
        elif run:
            numbers |= _joined(run)
            run = []
    return numbers


def _joined(run: list[int]) -> set[int]:
    """Return the numbers of number words one after the other."""
    total, part, numbers = 0, 0, set[int]()
    before = 0
    for value in run:
        if value == 100 and 0 < part < 100:
            part *= 100
        elif value == 1000 and part:
            total, part = total + part * 1000, 0
        elif before and not (before % 10 == 0 and before > value):
            numbers.add(total + part)
            total, part = 0, value
        else:
            part += value
        before = value
    return numbers | {total + part}


@cache
def _words_of(language: str) -> dict[str, int]:
    """Return the number words of a language that are written as one."""
    units, tens = _UNITS[language].split(), _TENS[language].split()
    words = {word: number for number, word in enumerate(units)}
    for index, word in enumerate(tens, 2):
        words[word] = index * 10
        for number in range(1, 10):
            if language == "de":
                words[("ein" if number == 1 else units[number]) + "und" + word] = index * 10 + number
            elif language == "it":
                stem = word[:-1] if number in (1, 8) else word
                words[stem + ("tré" if number == 3 else units[number])] = index * 10 + number
                words[stem + units[number]] = index * 10 + number
    hundred = _HUNDRED[language]
    words[hundred] = 100
    if language != "en":
        small = dict(words)
        for number in range(2, 10):
            words[units[number] + hundred] = number * 100
            words |= {
                units[number] + hundred + rest: number * 100 + value for rest, value in small.items() if 0 < value < 100
            }
        words |= {
            ("ein" if language == "de" else "") + hundred + rest: 100 + value
            for rest, value in small.items()
            if 0 < value < 100
        }
        under = dict(words)
        for each in _THOUSAND[language]:
            words[each] = 1000
            words |= {rest + each: value * 1000 for rest, value in under.items() if 1 < value < 1000}
    else:
        words["thousand"] = 1000
    for ambiguous in ("sei", "uno", "eins", "one"):  # "you are"; articles and pronouns
        words.pop(ambiguous, None)
    return {word.casefold(): number for word, number in words.items()}  # dreissig
