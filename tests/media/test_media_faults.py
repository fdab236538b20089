"""Clipping, dropouts, channels that cancel out or are equal, and films that are black, frozen or too short."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.voices import syllables
from triptych.media import stereo
from triptych.media.film_faults import film_fault
from triptych.media.sound_faults import clipped, dropouts, gaps, squared

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


def test_channels_in_opposite_phase_and_equal_ones() -> None:
    both = np.stack([VOICE, VOICE], axis=1)
    assert stereo.is_opposite(both * [1, -1]) and not stereo.is_opposite(both)
    assert stereo.is_equal(both) and stereo.is_equal(VOICE.reshape(-1, 1))
    one_side = both * [1, 0]
    assert not stereo.is_equal(one_side) and not stereo.is_opposite(one_side)
    assert not stereo.is_opposite(np.zeros((RATE, 2)))
    late = np.stack([VOICE, np.roll(VOICE, 8)], axis=1)  # equally loud, from the left by half a millisecond
    assert not stereo.is_equal(late) and stereo.movement(late, RATE) == ""


def test_the_way_of_a_sound_is_told_only_where_it_is_clear() -> None:
    noise = np.random.default_rng(1).normal(0, 0.1, 4 * RATE)
    place = np.linspace(0, 1, len(noise))
    away = np.stack([noise * np.cos(place * np.pi / 2), noise * np.sin(place * np.pi / 2)], axis=1)
    assert stereo.movement(away, RATE) == "left to right"
    assert stereo.movement(away[:, ::-1], RATE) == "right to left"
    assert stereo.movement(np.stack([noise, 0.8 * noise], axis=1), RATE) == stereo.movement(away[:, :1], RATE) == ""
    assert stereo.side(away[: RATE // 2]) > 6 > 0 > stereo.side(away[-RATE // 2 :])


def film(path: Path, pictures: Iterator[Any], sound_s: float = 0.0) -> Path:
    """A film of four pictures a second, with a voice of some length."""
    av = pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    with av.open(str(path), "w") as box:
        shown = box.add_stream("libx264", rate=4, options={"preset": "ultrafast"})
        shown.width, shown.height, shown.pix_fmt = 96, 64, "yuv420p"
        heard = box.add_stream("aac", rate=RATE, layout="mono") if sound_s else None
        for picture in pictures:
            box.mux(shown.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        box.mux(shown.encode(None))
        if heard is not None:
            frame = av.AudioFrame.from_ndarray(syllables(sound_s, 1).reshape(1, -1), format="flt", layout="mono")
            frame.sample_rate = RATE
            box.mux([*heard.encode(frame), *heard.encode(None)])
    return path


def moving(seconds: float, dark: float = 1.0) -> Iterator[Any]:
    """A bright square that moves over a dark, structured picture."""
    ground = np.add.outer(np.arange(64), np.arange(96)).astype(np.float64)
    for number in range(round(4 * seconds)):
        picture = np.repeat(ground[:, :, None], 3, axis=2)
        picture[8 + number % 40 :, (7 * number) % 80 :][:16, :16] = 250
        yield (picture * dark).astype(np.uint8)


def still(seconds: float, level: int | None = None, slide: int = 0) -> Iterator[Any]:
    last = list(moving(5))[slide] if level is None else np.full((64, 96, 3), level, np.uint8)
    yield from [last] * round(4 * seconds)


def test_films_that_are_black_frozen_or_too_short_are_found(tmp_path: Path) -> None:
    def fault(pictures: list[Any], sound_s: float = 0.0) -> str:
        result = film_fault(film(tmp_path / "f.mp4", iter(pictures), sound_s))
        return result[0] if result else ""

    assert fault([*moving(6), *still(34, 0)]) == "film-shows-nothing"
    assert fault([*still(40, 16)]) == "film-shows-nothing"
    assert fault([*moving(12), *still(28)]) == "film-frozen"
    assert fault([*moving(20)], 40) == "film-ends-early"
    # sound ones: a short black ending, a night, a slide that stays, slides that follow a speaker
    assert fault([*moving(34), *still(6, 0)], 40) == ""
    assert fault([*moving(40, dark=0.1)]) == ""
    assert fault([*still(40)]) == ""
    assert fault([*moving(12), *still(14), *still(14, slide=9)]) == ""
