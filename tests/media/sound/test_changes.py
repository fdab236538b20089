"""Tests of `media/sound/changes.py`: noise, silence and levels of recordings."""

from __future__ import annotations

import numpy as np
import pytest

from triptych.errors import MediaError
from triptych.media.sound.changes import add_noise, level, noise, opus, silence
from triptych.media.sound.coding import Sound

RATE = 16_000


def sine(amplitude: float, seconds: float = 1.0, hz: float = 440.0) -> Sound:
    time = np.arange(int(RATE * seconds)) / RATE
    wave = amplitude * np.sin(2 * np.pi * hz * time)
    return Sound(np.stack([wave, wave / 2], axis=1).astype(np.float32), RATE)


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def test_the_level_of_a_sine_is_its_amplitude_over_the_root_of_two() -> None:
    assert level(sine(0.8).samples) == pytest.approx([0.8 / np.sqrt(2), 0.4 / np.sqrt(2)], rel=1e-3)


@pytest.mark.parametrize("amplitude", [0.01, 0.3, 0.9])
def test_noise_has_the_level_and_length_of_each_channel(amplitude: float) -> None:
    sound = sine(amplitude)
    made = noise(sound, rng())
    assert made.samples.shape == sound.samples.shape and made.samples.dtype == np.float32
    assert level(made.samples) == pytest.approx(level(sound.samples), rel=2e-3)
    assert np.abs(made.samples).max() <= 1
    assert abs(np.corrcoef(made.samples.T)[0, 1]) < 0.05


@pytest.mark.parametrize("db", [-10.0, 0.0, 20.0])
def test_noise_is_added_at_the_ratio(db: float) -> None:
    sound = sine(0.2)
    mixed = add_noise(sound, db, rng()).samples.astype(np.float64)
    scale = np.vdot(mixed, sound.samples) / np.vdot(sound.samples, sound.samples)  # attenuated near full scale
    rest = mixed / scale - sound.samples
    ratio = 10 * np.log10(np.mean(np.square(sound.samples, dtype=np.float64)) / np.mean(rest**2))
    assert ratio == pytest.approx(db, abs=0.3)
    assert np.abs(mixed).max() <= 1


def test_a_short_noise_is_repeated_the_same_in_every_channel() -> None:
    sound = sine(0.2)
    added = add_noise(sound, 10, rng(), sine(0.5, 0.1, 1000.0)).samples - sound.samples
    assert added[:, 0] == pytest.approx(added[:, 1], abs=1e-6)
    assert added[1600:3200] == pytest.approx(added[:1600], abs=1e-5)


def test_what_is_silent_has_no_ratio() -> None:
    quiet = silence(sine(0.5))
    assert quiet.samples.shape == (RATE, 2) and not quiet.samples.any()
    with pytest.raises(MediaError, match="silent recording"):
        add_noise(quiet, 10, rng())
    with pytest.raises(MediaError, match="noise is silent"):
        add_noise(sine(0.5), 10, rng(), quiet)
    assert not noise(quiet, rng()).samples.any()


def test_more_than_two_channels_are_refused_before_encoding() -> None:
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    with pytest.raises(MediaError, match="one or two channels"):
        opus(Sound(np.zeros((480, 4), np.float32), 48_000), 64)
