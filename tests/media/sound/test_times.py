"""Tests of `media/sound/times.py`: sound at the times at which its file presents it."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("av", reason="av is not installed")


@pytest.mark.parametrize(("gap", "silence"), [(2.0, 2.0), (100.0, 100.0), (90_000.0, 30.0)])
def test_a_gap_is_one_silence_whatever_its_length(monkeypatch: pytest.MonkeyPatch, gap: float, silence: float) -> None:
    """Sound of level 1 for a second, then a gap, then two more frames. Gaps longer than any sound come from damage."""
    import av

    from triptych.media.sound import times as sound_times

    def sounding(*_: object) -> object:
        for at in (0.0, 0.5, 1.0 + gap, 1.5 + gap):
            frame = av.AudioFrame.from_ndarray(np.ones((1, 4000), np.float32), format="flt", layout="mono")
            frame.sample_rate, frame.pts, frame.time_base = 8000, round(at * 8000), Fraction(1, 8000)
            yield frame

    monkeypatch.setattr(sound_times, "frames", sounding)
    container = SimpleNamespace(streams=SimpleNamespace(video=[], audio=[None]))
    loud = np.concatenate(list(sound_times.timed_sound(container, "x", 8000)))[:, 0] > 0.5
    assert loud[:8000].all() and not loud[8000:-8000].any() and loud[-8000:].all()
    assert len(loud) / 8000 == pytest.approx(2 + silence, abs=0.01)
