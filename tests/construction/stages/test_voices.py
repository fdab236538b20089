"""Tests of `construction/stages/_voices.py`: measures of recordings."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import lfilter

from tests.construction.stages.test_recording import RATE, SCENES, speech, t
from triptych.construction.stages import _voices as voices
from triptych.construction.stages._voices import shifted


def test_an_offset_that_changes_is_found_and_wind_is_none() -> None:
    """Wind is noise that falls with frequency down to 2.5 Hz, below which recorders let nothing pass."""
    voice = speech(SCENES[0])[: 20 * RATE]
    switched = np.where(t(voice) % 4 < 2, 0.05, -0.05)
    assert shifted(voice + switched, RATE) == pytest.approx(0.05, abs=0.005)
    wind = lfilter([1], [1, -0.999], np.random.default_rng(3).standard_normal(len(voice)))
    assert shifted(voice + 0.4 * wind / np.abs(wind).max(), RATE) < 0.02


def test_an_offset_that_changes_its_sign_and_noise_that_swells() -> None:
    rate, draw = 16_000, np.random.default_rng(3)
    time = np.arange(12 * rate) / rate
    voice = 0.2 * np.sin(2 * np.pi * (180 + 60 * np.sin(3 * time)) * time) * (np.sin(2 * np.pi * 1.7 * time) > 0)
    assert voices.shifted(voice, rate) < 0.02 < voices.shifted(voice + np.where(time < 6, 0.2, -0.2), rate)
    noise = draw.normal(0, 0.1, len(time)) * (0.55 + 0.45 * np.sin(2 * np.pi * time / 3))
    assert voices.is_even(noise, rate) and not voices.is_even(voice + draw.normal(0, 0.003, len(time)), rate)
