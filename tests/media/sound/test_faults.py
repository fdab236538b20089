"""Tests of `media/sound/faults.py`: faults of recordings that machines make."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.voices import syllables
from triptych.media.sound.faults import clipped, dropouts, gaps, squared

RATE = 16_000
VOICE = syllables(12.0, 3)
T = np.arange(3 * 24_000) / 24_000


def without(samples: Any, length: float, every: float) -> Any:
    """The samples with silence of some length at an interval, both in seconds."""
    made = samples.copy()
    for begin in range(RATE // 2, len(made), round(every * RATE)):
        made[begin : begin + round(length * RATE)] = 0.0
    return made


def many_tones(seed: int) -> Any:
    draw = np.random.default_rng(seed)
    tones = sum(np.sin(2 * np.pi * f * T + draw.uniform(0, 6)) for f in draw.uniform(100, 4000, 7))
    return tones * (0.25 + 0.75 * np.abs(np.sin(2 * np.pi * 1.3 * T))) / 7


@pytest.mark.parametrize("seed", range(4))
def test_clipping_is_found_at_any_level_and_natural_peaks_are_not(seed: int) -> None:
    sound = many_tones(seed)
    assert clipped(np.clip(100 * sound, -1, 1), 24_000) > 0.9
    assert clipped(0.05 * np.clip(100 * sound, -1, 1), 24_000) > 0.9
    assert squared(np.clip(100 * sound, -1, 1), 24_000) > 0.9
    for gain in (0.01, 1.0, 1.5):  # the last reaches full scale for a few samples
        assert clipped(np.clip(gain * sound / np.abs(sound).max(), -1, 1), 24_000) < 0.02
        assert squared(np.clip(gain * sound / np.abs(sound).max(), -1, 1), 24_000) < 0.02


def test_the_square_wave_of_a_buzzer_is_no_clipping() -> None:
    buzzer = 0.4 * np.sign(np.sin(2 * np.pi * 440 * T + 0.1))
    assert clipped(buzzer, 24_000) == squared(buzzer, 24_000) == 0.0
    assert clipped(np.sin(2 * np.pi * 440 * T), 24_000) == 0.0
    assert clipped(np.zeros(1_000), 24_000) == squared(np.zeros(1_000), 24_000) == clipped(np.zeros(0), 24_000) == 0.0


@pytest.mark.parametrize("seed", range(3))
def test_deep_rumble_as_of_wind_and_thunder_is_no_clipping(seed: int) -> None:
    rumble = np.cumsum(np.random.default_rng(seed).normal(0, 1, len(T)))  # brown noise
    rumble = 0.8 * rumble / np.abs(rumble).max()
    assert clipped(rumble, 24_000) == squared(rumble, 24_000) == 0.0


def test_gaps_in_loud_sound_are_counted_and_pauses_are_not() -> None:
    broken = gaps(without(VOICE, 0.12, 0.37), RATE)
    assert broken.number >= 4 and broken.share > 0.03
    assert gaps(VOICE, RATE).number == gaps(np.zeros(RATE), RATE).number == gaps(np.zeros(0), RATE).number == 0


def test_consonants_and_pauses_of_synthetic_voices_are_no_gaps() -> None:
    """They are exact zeros between loud vowels, of which the last 6 ms fade."""
    t = np.arange(RATE) / RATE
    vowel = 0.3 * sum(np.sin(2 * np.pi * 120 * n * t[: RATE // 5]) / n for n in range(1, 12))
    vowel[-96:] *= np.linspace(1, 0, 96) ** 2
    words = [part for length in (0.04, 0.05, 0.15, 0.7) * 4 for part in (vowel, np.zeros(int(length * RATE)))]
    assert gaps(np.concatenate([*words, vowel]), RATE).number == 0
    cut = np.concatenate([vowel[:-96], np.zeros(RATE // 8)] * 10 + [vowel])
    assert gaps(cut, RATE).number == 10


TONE = 0.3 * np.sin(2 * np.pi * 900 * np.arange(RATE // 2) / RATE)


def ending(*levels: float) -> Any:
    """The tone with these levels in its last parts of 2 ms."""
    made, size = TONE.copy(), RATE // 500
    for number, level in enumerate(levels):
        begin = len(made) - (len(levels) - number) * size
        made[begin : begin + size] *= level
    return made


def test_phrases_of_a_synthetic_voice_end_within_8_ms_and_are_no_gaps() -> None:
    """So they end in Mandarin of espeak-ng, whose next phrase begins at once."""
    pause = np.zeros(35 * RATE // 100)
    phrase = ending(1.0, 0.95, 0.5, 0.25)
    assert gaps(np.concatenate([*[phrase, pause] * 6, phrase]), RATE).number == 0
    assert gaps(np.concatenate([*[TONE, pause] * 6, TONE]), RATE).number == 6


@pytest.mark.parametrize("rate", [RATE, 22_050])
def test_zeros_in_consonants_of_a_synthetic_voice_are_no_dropouts(rate: int) -> None:
    """So are the closures of p, t and k in German of espeak-ng: exact zeros for 40 ms with a soft side."""
    closure = np.zeros(rate // 25)
    cut = TONE[5:-5]  # the sine isn't near 0 there
    soft = cut.copy()
    soft[-2:] = 0.02 * 0.3
    voice = [soft, closure] * 6
    assert dropouts(np.concatenate([*voice, cut]), rate) == dropouts(np.concatenate([*voice, cut])[::-1], rate) == 0
    assert dropouts(np.concatenate([*[cut, closure] * 6, cut]), rate) == 6
    assert dropouts(np.zeros(0), rate) == dropouts(np.zeros(RATE), rate) == 0
