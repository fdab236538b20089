"""Numbers, measure words and durations of short texts in one form, so that options in other words can be compared."""

from __future__ import annotations

import re
from functools import partial

from triptych.construction.text_checks.numerals import MAX_DIGITS, chinese_in_digits
from triptych.construction.text_checks.options.duration_words import UNITS, with_numbers_of_units
from triptych.metrics.text.english_numbers import SMALL, TENS

_ONES = ["zero", *SMALL]
_ENGLISH = {word: n for n, word in enumerate(_ONES)} | {word: 20 + 10 * n for n, word in enumerate(TENS)}
_ENGLISH_NUMBER = re.compile(
    rf"\b(?:({'|'.join(TENS)})[\s-]({'|'.join(_ONES[1:10])})|("
    rf"{'|'.join(sorted(_ENGLISH, key=len, reverse=True))}))\b"
)
# Measure words of single persons and things: 一名, 一位 and 一个 say the same, 一对 and 一群 don't
_MEASURE = re.compile(r"(?<=\d)[个名位只条头匹棵株朵把张座艘辆件本支枝根颗粒幅首所尊枚](?=[\u3400-\u9fff])")
_PERSONS = re.compile(r"(?<=\d)[名位]$")

_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_NUMBER = r"(?<![\d.])(\d+(?:\.\d+)?)"
_LENGTHS = (  # seconds, or months, of each unit
    (re.compile(rf"{_NUMBER}个?(半)?(?:个)?(?:{UNITS['hours']})"), _HOUR),
    (re.compile(rf"{_NUMBER}(半)?(?:{UNITS['minutes']})"), _MINUTE),
    (re.compile(rf"{_NUMBER}()(?:{UNITS['seconds']})"), 1),
    (re.compile(rf"{_NUMBER}()刻钟"), 15 * _MINUTE),
    (re.compile(rf"{_NUMBER}(半)?(?:{UNITS['days']})"), _DAY),
    (re.compile(rf"{_NUMBER}个?(半)?(?:{UNITS['weeks']})"), 7 * _DAY),
)
_MONTHS = (
    (re.compile(rf"{_NUMBER}个(半)?月|{_NUMBER}()(?:{UNITS['months']}|[か个箇ヶヵカケ]月[间間]?|개월간?)"), 1),
    (re.compile(rf"(?<![\d.])(\d{{1,2}}(?:\.\d+)?)(半)?(?:年|{UNITS['years']})"), 12),
)
# Halves and other amounts in words, before numbers are read
_IN_WORDS = (
    (re.compile(r"(?<![个\d零一二两三四五六七八九十])半(?=个?(?:小时|钟头|星期|月|年|天))"), "0.5"),
    (re.compile(r"0\.5(?=月)"), "0.5个"),
    (re.compile(r"\ban hour and a half\b|\bone and a half hours\b"), "1.5 hours"),
    (re.compile(r"\bhalf (?:an |a |of an )?hour\b|\b(?:a )?half-hour\b"), "0.5 hours"),
    (re.compile(r"\ban? (?:quarter of an|quarter) hour\b"), "15 minutes"),
    (re.compile(r"\bhalf a dozen\b"), "6"),
    (re.compile(r"\b(?:a|one) dozen\b"), "12"),
    (re.compile(r"\b(?:a|one) fortnight\b"), "2 weeks"),
)


def with_plain_quantities(text: str) -> str:
    """Return a text in lower case and simplified characters with numbers as digits, durations in seconds or months, and
    without measure words of single persons and things.

    >>> {with_plain_quantities(text) for text in ("半个小时", "三十分钟", "30分钟", "0.5小时")}
    {'1800秒'}
    >>> with_plain_quantities("一名医生"), with_plain_quantities("a dozen eggs"), with_plain_quantities("half an hour")
    ('1医生', '12 eggs', '1800秒')
    """
    for pattern, words in _IN_WORDS:
        text = pattern.sub(words, text)
    text = chinese_in_digits(text)
    text = with_digits(text)
    text = with_numbers_of_units(text)
    text = re.sub(r"(?<!\d)(\d+)(小时|钟头|[时時][间間])(\d+)分(?![钟间間])", r"\1\2\3分钟", text)
    text = re.sub(r"(?<![点时\d])(\d+)分(?:钟)?(?=\d+秒)", r"\1分钟", text)
    for patterns, sign in ((_LENGTHS, "秒"), (_MONTHS, "months")):
        for pattern, length in patterns:
            text = pattern.sub(partial(_amount, length=length, sign=sign), text)
        text = re.sub(
            rf"(?<!\d)(\d+)\0{sign}(?:(?:,? (?:(?:and|und|et|y|e) )?|零|又|和)?(\d+)\0{sign})+", _summed, text
        )
    return _PERSONS.sub("个", _MEASURE.sub("", text.replace("\0", "")))


def with_digits(text: str) -> str:
    """Return a text in lower case with English number words up to 99 as digits.

    >>> with_digits("twenty-one geese and three swans")
    '21 geese and 3 swans'
    """
    return _ENGLISH_NUMBER.sub(
        lambda match: str(_ENGLISH[match[3]] if match[3] else _ENGLISH[match[1]] + _ENGLISH[match[2]]), text
    )


def _amount(match: re.Match[str], length: int, sign: str) -> str:
    number, half = next((n, h) for n, h in zip(match.groups()[::2], match.groups()[1::2], strict=True) if n)
    return f"{round((float(number[:MAX_DIGITS]) + (0.5 if half else 0)) * length)}\0{sign}"


def _summed(match: re.Match[str]) -> str:
    sign = match[0].rpartition("\0")[2]
    return str(sum(map(int, re.findall("([0-9]+)\0", match[0])))) + f"\0{sign}"
