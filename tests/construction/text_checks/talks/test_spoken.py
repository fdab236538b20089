"""Tests of `construction/text_checks/talks/spoken.py`: faults of the transcript of a talk."""

from __future__ import annotations

import pytest

from tests.construction.test_construction_translations_and_transcripts import lines
from triptych.construction.text_checks.talks.spoken import rate_fault, spoken_fault, written_fault


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Hello everyone.\nWe mask 15% of the tokens with [MASK], as BERT does.", None),
        ("The ratio is 3:1.\nAt 10:30 we stopped.", None),
        ("Our model: it has two parts.\nThe data: it comes from news.", None),
        ("Please see [Smith et al.] for the <mask> token.", None),
        ("[00:01:05] Hello everyone.", "time-stamps"),
        ("1\n00:00:01,000 --> 00:00:04,000\nHello everyone.", "time-stamps"),
        ("WEBVTT\n\nHello everyone.", "time-stamps"),
        ("0:01 Hello.\n0:04 We count birds.\n0:09 They call.\n0:12 Thanks.", "time-stamps"),
        ("Speaker 1: Hello.\nSpeaker 2: Hi.", "speaker-labels"),
        ("SPEAKER_00: Hello everyone.", "speaker-labels"),
        ("Anna Keller: Hello.\nAnna Keller: We count.\nHost: Thanks.", "speaker-labels"),
        ("Thank you. [Applause]", "sound-described"),
        ("This is [inaudible] method.", "sound-described"),
        ("♪ Hello ♪", "sound-described"),
        ("[BLANK_AUDIO]", "sound-described"),
        ("We <i>count</i> them.", "markup"),
        ("- We count birds.\n- They call.\n- Thanks.", "markup"),
        ("We count them.[1]", "note-number"),
        ("We co\ufffdnt them.", "damaged-characters"),
        ("We count\u200b them.", "invisible-characters"),
    ],
)
def test_a_transcript_has_the_words_that_were_spoken_alone(text: str, reason: str | None) -> None:
    fault = spoken_fault(text)
    assert (fault and fault[0]) == reason


def test_the_words_of_a_talk_fit_its_length() -> None:
    words = " ".join(lines("t1", "en"))  # 35 s
    assert (
        rate_fault(words, 35.0) is None and rate_fault(words, 12.0) is not None and rate_fault(words, 180.0) is not None
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("WE COUNT MOTHS UNDER LAMPS AND WE COUNT THEM EVERY NIGHT", "in-capitals"),
        ("we count moths under lamps and " * 8, "no-punctuation"),
        ("We repla- we replaced the bulbs.", "false-starts"),
        ("We replaced the the bulbs.", "repeats-itself"),
        ("Thank you.\nSubtitles by the Amara.org community", "not-heard"),
        ("Thank you for listening.", None),
        ("Short- and long-term plans that that person had had.", None),
    ],
)
def test_how_a_transcript_is_written(text: str, reason: str | None) -> None:
    fault = written_fault(text)
    assert (fault and fault[0]) == reason
