"""Log mel energies: figures of Kaldi (its `compute-fbank-feats` without dither), lengths, silence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from triptych.media.sound.fbank import log_mel


def tones() -> Any:
    at = np.arange(8000) / 16_000
    return np.round(8000 * np.sin(2 * np.pi * 440 * at) + 2000 * np.sin(2 * np.pi * 3000 * at)).astype(np.float32)


def test_it_gives_the_figures_of_kaldi() -> None:
    found = log_mel(tones())
    assert found.shape == (48, 80)
    assert found[10, ::10] == pytest.approx([7.804, 14.786, 12.026, 4.935, 3.85, 13.461, 6.247, 5.101], abs=2e-3)


def test_a_tone_is_in_the_band_of_its_frequency() -> None:
    """Bands are equally wide on the mel scale, 1127 ln(1 + f / 700), from 20 Hz to 8 kHz."""
    low, high, tone = (1127 * np.log(1 + hertz / 700) for hertz in (20, 8000, 3000))
    energies = log_mel(8000 * np.sin(2 * np.pi * 3000 * np.arange(8000) / 16_000), 40)
    assert set(energies.argmax(axis=1)) == {round((tone - low) / (high - low) * 41) - 1}


def test_less_than_a_frame_gives_none_and_silence_is_finite() -> None:
    assert log_mel(np.zeros(399)).shape == (0, 80)
    assert np.isfinite(log_mel(np.zeros(400))).all()
