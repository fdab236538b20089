"""Tests of `media/sound/stereo.py`: the two channels of a recording."""

from __future__ import annotations

import numpy as np

from tests.media.sound.test_faults import RATE, VOICE
from triptych.media.sound import stereo


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


def test_speakers_who_take_turns_in_their_channels_are_no_interpreter() -> None:
    draw, rate = np.random.default_rng(6), 16_000
    voice = draw.normal(0, 0.1, (12 * rate, 2)) * np.repeat(draw.random((240, 2)) ** 2, rate // 20, axis=0)
    turns = np.repeat(np.arange(24) // 3 % 2, rate // 2)[:, None]
    faint = draw.normal(0, 1e-4, voice.shape)  # each microphone also hears the other speaker, by 30 dB less
    spoken = voice * np.hstack([turns, 1 - turns])
    assert not stereo.are_unlike(spoken + 0.03 * spoken[:, ::-1] + faint, rate)
    assert stereo.are_unlike(voice, rate), "an interpreter speaks at the same time"
