"""Tests of `construction/text_checks/translation/clock.py`: times of the clock in a sentence and its translation."""

from __future__ import annotations

import pytest

from triptych.construction.text_checks.translation.clock import clock_fault, clock_times


@pytest.mark.parametrize(
    ("text", "language", "clock"),
    [
        ("The bus leaves at a quarter to nine.", "en", "8:45"),
        ("We met at twenty past three.", "en", "3:20"),
        ("It closes at half past twelve.", "en", "0:30"),
        ("The talk starts at 3.30 p.m.", "en", "3:30"),
        ("At 15:05 sharp.", "en", "3:05"),
        ("Der Bus fährt um Viertel vor neun.", "de", "8:45"),
        ("Wir trafen uns um zwanzig nach drei.", "de", "3:20"),
        ("Es schließt um halb eins.", "de", "0:30"),
        ("Um dreiviertel acht.", "de", "7:45"),
        ("Der Vortrag beginnt um 15 Uhr 30.", "de", "3:30"),
        ("Um fünf vor halb acht ging er.", "de", "7:25"),
        ("Um zehn nach halb acht ging er.", "de", "7:40"),
        ("L'autobus parte alle nove meno un quarto.", "it", "8:45"),
        ("Ci siamo visti alle tre e venti.", "it", "3:20"),
        ("Chiude all'una e mezza.", "it", "1:30"),
        ("公共汽车八点三刻出发。", "zh", "8:45"),
        ("我们三点二十分见面。", "zh", "3:20"),
        ("差五分八点", "zh", "7:55"),
        ("下午15:05开始", "zh", "3:05"),
        ("火车七点零五分到。", "zh", "7:05"),
    ],
)
def test_one_time_by_hand(text: str, language: str, clock: str) -> None:
    hour, minute = clock.split(":")
    assert clock_times(text, language) == {int(hour) * 60 + int(minute)}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The score was 3:2 after 90 minutes.", "en"),
        ("Nine out of ten people agree.", "en"),
        ("Vor acht Jahren zog er um.", "de"),
        ("Zehn vor acht Jahren gebaute Häuser", "de"),
        ("这一点很重要，有三点原因。", "zh"),
        ("", "it"),
    ],
)
def test_what_is_no_time(text: str, language: str) -> None:
    assert clock_times(text, language) == set()


@pytest.mark.parametrize(
    ("source", "line", "language"),
    [
        ("He left at twenty-five past seven.", "Er ging um fünf vor halb acht.", "de"),
        ("He left at twenty to eight.", "Er ging um zehn nach halb acht.", "de"),
        ("It starts at half past six.", "Es beginnt um halb sieben.", "de"),
        ("It starts at 6:30.", "六点半开始。", "zh"),
        ("The train leaves at five past seven.", "火车七点零五分出发。", "zh"),
        ("It starts soon.", "Es beginnt um halb sieben.", "de"),
    ],
)
def test_a_sound_translation_has_the_same_time(source: str, line: str, language: str) -> None:
    assert clock_fault(line, source, language) == ""


def test_half_an_hour_is_lost_where_halb_is_read_as_half_past() -> None:
    assert (
        clock_fault("Es beginnt um halb sechs.", "It starts at half past six.", "de") == "6:30 in the source, 5:30 here"
    )


def test_a_time_at_the_end_of_a_sentence_is_read() -> None:
    assert clock_times("We met at 7:25.", "en") == {445}
    assert clock_fault("Wir trafen uns um fünf nach halb acht.", "We met at 7:25.", "de")
    assert not clock_fault("Wir trafen uns um fünf nach halb acht.", "We met at 7:35.", "de")
    assert clock_times("7:25.3, 7:25:30 and 1.7:25", "en") == set()
