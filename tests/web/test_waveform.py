"""Tests of `web/waveform.py`: the waveform of a recording or of a video's sound, for a page to draw."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from triptych.errors import MediaError
from triptych.web.waveform import STRETCHES, waveform


def test_a_waveform_is_what_was_recorded(tmp_path: Path) -> None:
    """Left: silence, then half of full scale; right: full scale throughout."""
    left = np.concatenate([np.zeros(24000), np.full(24000, -0.5)])
    soundfile.write(tmp_path / "a.wav", np.stack([left, np.full(48000, 0.999)], axis=1), 16000)
    told = waveform(tmp_path / "a.wav")
    assert (told["seconds"], told["rate"], told["channels"]) == (3.0, 16000, 2)
    quiet, loud = told["peaks"][0][: STRETCHES // 2], told["peaks"][0][STRETCHES // 2 :]
    assert set(quiet) == {0}
    assert set(loud) == {50}
    assert set(told["peaks"][1]) == {100}
    assert len(told["peaks"][1]) == STRETCHES


def test_a_short_sound_and_one_that_is_none(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "short.wav", np.array([0.1, 0.9, 0.1]), 8000)
    assert waveform(tmp_path / "short.wav")["peaks"] == [[10, 90, 10]]
    (tmp_path / "none.wav").write_bytes(b"RIFF")
    with pytest.raises(MediaError, match="can't be decoded"):
        waveform(tmp_path / "none.wav")
