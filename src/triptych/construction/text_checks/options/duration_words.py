"""Durations in words of Chinese, English and eight other languages, as a number and a unit of one form.

Texts are in lower case; Chinese and Japanese ones in simplified characters where the converter is installed.
"""

from __future__ import annotations

import re

# Singular and plural forms of each unit, in German, French, Spanish, Italian, Portuguese, Japanese and Korean
_HOURS = "hours?|hrs?|stunden?|heures?|ora|ore|horas?"
UNITS = {
    "hours": rf"(?:{_HOURS})\b|h\b|小时|钟头|[时時][间間]|시간",
    "minutes": r"(?:minut(?:es?|en?|i|os?)|mins?)\b|分钟|分[间間]|분간?",
    "seconds": r"(?:seconds?|secs?|sekunden?|secondes?|second[io]|segundos?)\b|秒[钟间間]?|초간?",
    "days": r"(?:days?|tage?n?|jours?|giorn[io]|d[ií]as?)\b|天|日[间間]|일간",
    "weeks": r"(?:weeks?|wochen?|semaines?|semanas?|settiman[ae])\b|周|星期|礼拜|[週周][间間]|주일?간?(?![가-힣])",
    "months": r"(?:months?|monate?n?|mois|mes|mes[ei]s?|m[eê]s|meses)\b",
    "years": r"(?:years?|jahre?n?|ans|années?|a[nñ]os?|ann[oi])\b|년간?(?![가-힣])",
}
_ANY_UNIT = "|".join(UNITS.values())
_BEFORE_UNIT = re.compile(rf"(?<=\d)[\s-](?=(?:{_ANY_UNIT}))")
_NUMBERS = (
    "",
    "",
    "zwei deux dos due dois duas 두",
    "drei trois tres tre três 세",
    "vier quatre cuatro quattro quatro 네",
    "fünf cinq cinco cinque 다섯",
    "sechs six seis sei 여섯",
    "sieben sept siete sette sete 일곱",
    "acht huit ocho otto oito 여덟",
    "neun neuf nueve nove 아홉",
    "zehn dix diez dieci dez 열",
    "elf onze once undici",
    "zwölf douze doce dodici doze",
)
_VALUES = {word: number for number, words in enumerate(_NUMBERS) for word in words.split()}
_WORDS = re.compile(rf"(?<![^\W\d_])({'|'.join(sorted(_VALUES, key=len, reverse=True))}) ?(?=(?:{_ANY_UNIT}))")
_ONE = re.compile(
    r"\bun['’] ?(?=(?:ora|h)\b)|\b(?:an?|eine?[nmr]?|une?|un[oa]|uma?) (?=(?:hour|minute|second|day|week|month|year"
    r"|stunde|minute|sekunde|tag|woche|monat|jahr|heure|seconde|jour|semaine|mois|année|hora|minuto|segundo|d[ií]a"
    r"|semana|mes|mês|a[nñ]o|ora|secondo|giorno|settimana|mese|anno)\b)|(?<![가-힣])한 ?(?=시간)"
)
_GERMAN_HALF = re.compile(r"\b(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)einhalb(?= )")
_HALVES = (
    (re.compile(r"(?<=\d) ?½"), ".5"),
    (re.compile(r"½"), "0.5"),
    (re.compile(r"\banderthalb(?= )"), "1.5"),
    (
        re.compile(
            rf"(\d+) ?({_HOURS}|days?|weeks?|months?|years?|jours?|giorn[io]|d[ií]as?|ans?|ann[oi]|a[nñ]os?"
            r"|m[eê]s(?:es)?|mes[ei]|semanas?|settiman[ae]|semaines?|minut(?:es?|i|os?))"
            r" (?:and a half|e mezz[ao]|et demie?|y medi[ao]|e mei[ao])\b"
        ),
        r"\1.5 \2",
    ),
    (re.compile(r"(\d+) and a half(?= )"), r"\1.5"),
    (re.compile(r"(\d+) ?([时時][间間]|小时|시간|年|년) ?(?:半|반)(?![价天夜载])"), r"\1.5\2"),
)
_FIXED = (
    (re.compile(r"\b(?:eine )?dreiviertelstunde\b|\btrois quarts d['’]heure\b"), "45 minutes"),
    (
        re.compile(r"\b(?:(?:three|3) quarters of an hour|tre quarti d['’]ora|tr[eê]s [cq]uartos de hora)\b"),
        "45 minutes",
    ),
    (re.compile(r"\b(?:eine )?viertelstunde\b|\b(?:un )?quart d['’]heure\b|\b(?:un )?quarto d['’]ora\b"), "15 minutes"),
    (re.compile(r"\b(?:um? )?[cq]uarto de hora\b|\bun cuarto de hora\b"), "15 minutes"),
    (re.compile(r"\b(?:eine )?halbe stunde\b|\b(?:une )?demi-heure\b|\b(?:una )?mezz['’]ora\b"), "0.5 hours"),
    (re.compile(r"\bun an et demi\b|\b(?:un )?año y medio\b|\b(?:um )?ano e meio\b"), "1.5 years"),
    (re.compile(r"\bun an\b"), "1 years"),
    (re.compile(r"\b(?:una )?hora y media\b|\b(?:uma )?hora e meia\b"), "1.5 hours"),
    (re.compile(r"\bmedia hora\b|\bmeia hora\b"), "0.5 hours"),
)
_THOUSANDS = re.compile(rf"(?<![\d.,])(\d{{1,3}}),(\d{{3}})(?= ?(?:{_ANY_UNIT}))")
_DECIMAL = re.compile(rf"(?<![\d.,])(\d+),(\d{{1,2}})(?= ?(?:{_ANY_UNIT}))")


def with_numbers_of_units(text: str) -> str:
    """Return a text whose durations have digits right before their units: articles, halves and words are numbers.

    Example:
        >>> with_numbers_of_units("un'ora"), with_numbers_of_units("2 ore e mezza"), with_numbers_of_units("zwei tage")
        ('1ora', '2.5ore', '2tage')
    """
    for pattern, words in _FIXED:
        text = pattern.sub(words, text)
    text = _GERMAN_HALF.sub(lambda match: f"{_VALUES.get(match[1], 1)}.5", text)
    text = _WORDS.sub(lambda match: f"{_VALUES[match[1]]} ", _ONE.sub("1 ", text))
    for pattern, words in _HALVES:
        text = pattern.sub(words, text)
    return _BEFORE_UNIT.sub("", _DECIMAL.sub(r"\1.\2", _THOUSANDS.sub(r"\1\2", text)))
