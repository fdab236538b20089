"""Tests of `media/scenes/checking.py`: counts and orders, found again in a finished signal."""

from __future__ import annotations

import numpy as np
import pytest

from tests.media.scenes.material import RATE
from triptych.media.scenes.checking import onsets

pytest.importorskip("av", reason="PyAV comes with the extra [local]")
pytest.importorskip("scipy", reason="SciPy comes with the extra [build]")


def test_silence_and_noise_have_no_onsets() -> None:
    assert onsets(np.zeros(RATE), RATE) == [] and onsets(np.zeros(0), RATE) == []
    steady = np.random.default_rng(0).standard_normal(RATE) * 0.1
    assert len(onsets(steady, RATE)) <= 1  # its beginning alone
