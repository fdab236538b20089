"""Times of the clock in a sentence and its translation: `a quarter past seven`, `Viertel nach sieben`, `七点一刻`."""

from __future__ import annotations

import re

from triptych.construction.text_checks.numerals import CHINESE_NUMBER, chinese_number
from triptych.construction.text_checks.scripts import primary
from triptych.construction.text_checks.shortened import reads_shortened

_HOURS = {
    "en": "one two three four five six seven eight nine ten eleven twelve",
    "de": "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "it": "una due tre quattro cinque sei sette otto nove dieci undici dodici",
}
_MINUTES = {
    "en": {"five": 5, "ten": 10, "twenty": 20, "twenty-five": 25, "twenty five": 25, "a quarter": 15, "quarter": 15},
    "de": {"fünf": 5, "zehn": 10, "zwanzig": 20, "fünfundzwanzig": 25, "viertel": 15},
    "it": {"cinque": 5, "dieci": 10, "venti": 20, "venticinque": 25, "un quarto": 15},
}
_DIGITAL = re.compile(
    r"(?<![\d:.])(\d{1,2})(?:[:：](\d{2})(?![\d:%]|\.\d)|\.(\d{2})(?=\s*(?:[ap]\.?m\b|uhr)))", re.IGNORECASE
)
_CHINESE = re.compile(
    r"(\d{1,2}|[一二三四五六七八九十两]{1,3})点(?:钟|整)?(?:(半)|([一三])刻|(\d{1,2}|[一二三四五六七八九十]{1,3}|[零〇][一二三四五六七八九](?=分))分?)?(?![一二三四五六七八九十\d])"
)
_HALF_DAY = 720


@reads_shortened
def clock_times(text: str, language: str, *, ranges: bool = False) -> set[int]:
    """Return the times of the clock in a text, in minutes after twelve; without hours alone.

    ranges: whether `ten to five` counts, too, which may also be a range.

    >>> clock_times("at quarter past seven", "en") == clock_times("um Viertel nach sieben", "de")
    True
    >>> clock_times("七点三刻", "zh"), clock_times("alle sette e mezza", "it"), clock_times("um halb acht", "de")
    ({465}, {450}, {450})
    """
    language = primary(language)
    low = text.casefold().replace("’", "'")
    times = {
        (int(hour) * 60 + int(minute or more)) % _HALF_DAY
        for hour, minute, more in _DIGITAL.findall(low)
        if int(hour) <= 24 and int(minute or more) < 60
    }
    if language == "zh":
        return times | set(_chinese(text))
    if language in _HOURS:
        times |= set(_worded(low, language, ranges))
    return times


@reads_shortened
def clock_fault(line: str, original: str, language: str) -> str:
    """Return how a translation of an English line has another time of the clock; empty if it hasn't.

    >>> clock_fault("火车七点三刻出发。", "The train leaves at quarter past seven.", "zh")
    '7:15 in the source, 7:45 here'
    """
    there, here = clock_times(original, "en"), clock_times(line, language)
    if not there or not here or there & here:
        return ""
    one, other = (f"{(t := min(each)) // 60}:{t % 60:02}" for each in (there, here))
    return f"{one} in the source, {other} here"


def _chinese(text: str) -> list[int]:
    times = []
    for hour, half, quarter, minute in _CHINESE.findall(text):
        if not (half or quarter or minute):
            continue
        first = int(hour) if hour.isdigit() else chinese_number(hour)
        more = 30 if half else 15 * (1 if quarter == "一" else 3) if quarter else _number(minute)
        if first <= 24 and more < 60:
            times.append((first * 60 + more) % _HALF_DAY)
    before = re.findall(
        r"差(一刻|\d{1,2}分|[一二三四五六七八九十]{1,3}分)(?:钟)?(?:到)?(\d{1,2}|[一二三四五六七八九十两]{1,3})点", text
    )
    times += [
        (_number(hour) * 60 - (15 if less == "一刻" else _number(less[:-1]))) % _HALF_DAY for less, hour in before
    ]
    return times


def _number(text: str) -> int:
    if text.isdigit():
        return int(text)
    return chinese_number(text) if CHINESE_NUMBER.fullmatch(text) else 99


def _worded(low: str, language: str, ranges: bool) -> list[int]:
    hours = {word: number for number, word in enumerate(_HOURS[language].split(), 1)}
    hours |= {str(number): number for number in range(1, 13)}
    hours |= {"ein": 1} if language == "de" else {}
    hour, minute = "|".join(hours), "|".join(sorted([*_MINUTES[language], r"\d{1,2}"], key=len, reverse=True))
    times = []

    def added(base: str, less: str, sign: int) -> None:
        value = int(less) if less.isdigit() else _MINUTES[language][less]
        times.append((hours[base] * 60 + sign * value) % _HALF_DAY)

    if language == "en":
        for less, side, base in re.findall(
            rf"\b({minute})(?: minutes?)? (past|after|to|before|of|till) ({hour})\b(?! (?:of|out|per|people|times))",
            low,
        ):
            if ranges or side not in ("of", "to") or "quarter" in less:
                added(base, less, 1 if side in ("past", "after") else -1)
        times += [hours[base] * 60 % _HALF_DAY + 30 for base in re.findall(rf"\bhalf past ({hour})\b", low)]
        times += [
            (hours[base] * 60 + {"fifteen": 15, "thirty": 30, "forty-five": 45, "forty five": 45}[more]) % _HALF_DAY
            for base, more in re.findall(rf"\bat ({hour}) (fifteen|thirty|forty[- ]five)\b", low)
        ]
    elif language == "de":
        for less, side, base in re.findall(
            rf"\b({minute})(?: minuten)? (nach|vor) ({hour})\b(?! (?:jahren|tagen|wochen|monaten|stunden|minuten))", low
        ):
            added(base, less, 1 if side == "nach" else -1)
        for less, side, base in re.findall(rf"\b({minute})(?: minuten)? (nach|vor) halb ({hour})\b", low):
            added(base, less, 1 if side == "nach" else -1)
            times[-1] = (times[-1] - 30) % _HALF_DAY
        plain = re.sub(rf"\b(?:{minute})(?: minuten)? (?:nach|vor) halb\b", " ", low)  # fünf vor halb acht is 7:25
        times += [(hours[base] * 60 - 30) % _HALF_DAY for base in re.findall(rf"\bhalb ({hour})\b", plain)]
        times += [(hours[base] * 60 - 15) % _HALF_DAY for base in re.findall(rf"\bdreiviertel ({hour})\b", low)]
        times += [(int(a) * 60 + int(b)) % _HALF_DAY for a, b in re.findall(r"\b(\d{1,2}) uhr (\d{2})\b", low)]
    else:
        for base, side, less in re.findall(
            rf"\b(?:le|alle|dalle|l'|all')\s?({hour}) (e|meno) ({minute}|tre quarti|mezz[ao])\b", low
        ):
            if less.startswith("mezz") or less == "tre quarti":
                times.append((hours[base] * 60 + (30 if less.startswith("mezz") else 45)) % _HALF_DAY)
            else:
                added(base, less, 1 if side == "e" else -1)
    return times
