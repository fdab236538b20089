"""Tests of `construction/text_checks/options/duration_words.py`: durations in words of ten languages."""

from __future__ import annotations

import pytest

from triptych.construction.text_checks.options.duration_words import with_numbers_of_units
from triptych.construction.text_checks.options.quantities import with_plain_quantities

HOUR = 3600
SAME = (  # English, German, French, Spanish, Italian, Portuguese, Chinese, Japanese, Korean
    (
        HOUR,
        "1 hour|an hour|60 minutes|1 stunde|eine stunde|einer stunde|1 heure|une heure|1 hora|una hora|1 ora|un'ora"
        "|un’ora|uma hora|一小时|1小时|1時間|1时间|一时间|1시간|한 시간",
    ),
    (
        2.5 * HOUR,
        "2 hours and a half|two and a half hours|2½ hours|2,5 stunden|zweieinhalb stunden|2 stunden und 30 minuten"
        "|2 heures et demie|deux heures et demie|2 heures 30 minutes|2 horas y media|dos horas y media|2 ore e mezza"
        "|2 ore e mezzo|due ore e mezza|2 ore e 30 minuti|2 horas e meia|duas horas e meia|两个半小时|两小时半"
        "|2小时30分|2時間半|2時間30分|2시간 반|2시간 30분|두 시간 반|2 hours, 30 minutes",
    ),
    (
        HOUR / 2,
        "half an hour|½ hour|30 minuten|eine halbe stunde|une demi-heure|media hora|mezz'ora|meia hora|半小时|30分間"
        "|30분",
    ),
    (HOUR / 4, "viertelstunde|un quart d'heure|un cuarto de hora|un quarto d'ora|um quarto de hora|一刻钟|15분간"),
    (0.75 * HOUR, "three quarters of an hour|eine dreiviertelstunde|trois quarts d'heure|tre quarti d'ora|45 minutos"),
    (
        1.5 * HOUR,
        "an hour and a half|anderthalb stunden|eineinhalb stunden|une heure et demie|un'ora e mezza"
        "|hora y media|hora e meia",
    ),
    (6 * HOUR, "sechs stunden|six heures|seis horas|sei ore|여섯 시간"),
    (8 * HOUR, "acht stunden|huit heures|ocho horas|otto ore|oito horas|여덟 시간"),
    (10, "10 seconds|10 secs|zehn sekunden|dix secondes|diez segundos|dieci secondi|dez segundos|10秒|10秒間|10초"),
    (48 * HOUR, "2 days|zwei tage|deux jours|dos días|due giorni|dois dias|两天|2日間|2일간"),
    (168 * HOUR, "a week|eine woche|une semaine|una semana|una settimana|uma semana|一周|1週間|1주일|7 days"),
    (1500 * HOUR, "1,500 hours|1500 ore"),
)
MONTHS = (
    (2, "2 months|zwei monate|deux mois|dos meses|due mesi|dois meses|两个月|2か月|2ヶ月|2개월"),
    (18, "1.5 years|anderthalb jahre|un an et demi|año y medio|un anno e mezzo|ano e meio|一年半|1년 반|18 months"),
    (12, "a year|ein jahr|un an|un año|un anno|um ano|一年|1년"),
)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        *((text, f"{length:.0f}秒") for length, texts in SAME for text in texts.split("|")),
        *((text, f"{length}months") for length, texts in MONTHS for text in texts.split("|")),
    ],
)
def test_a_duration_has_one_form_in_all_languages(text: str, plain: str) -> None:
    assert with_plain_quantities(text) == plain


def test_half_a_price_is_no_half_hour() -> None:
    assert with_numbers_of_units("2小时半价") == "2小时半价"


@pytest.mark.parametrize(
    "text",
    [
        "i am an ant",
        "die drei",
        "zwei hunde",
        "une fleur",
        "3分之1",
        "2019년",
        "5日",
        "sei tu",
        "now or a",
        "ora",
        "pensei horas",
        "유한 시간",
        "2 주택",
    ],
)
def test_words_without_a_unit_stay(text: str) -> None:
    assert with_numbers_of_units(text) == with_plain_quantities(text) == text
