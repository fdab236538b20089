"""Sounds that change as a voice does, for recordings of which a test needs many different ones."""

from __future__ import annotations

from typing import Any

import numpy as np


def syllables(seconds: float, seed: int = 0, rate: int = 16_000, loud: float = 0.2) -> Any:
    """Return buzzes of a fifth of a second with pauses, at pitches that men and women have; shape (frames,)."""
    draw, size = np.random.default_rng(seed), rate // 5
    t = np.arange(size, dtype=np.float32) / rate
    swell = np.hanning(size).astype(np.float32)
    made = []
    for number in range(round(seconds * 5)):
        pitch, formant = draw.uniform(145, 195), draw.uniform(400, 2500)
        level = loud * draw.uniform(0.2, 1.0) * (number == 0 or draw.random() > 0.2)
        made.append(level * swell * (np.sin(2 * np.pi * pitch * t) + 0.5 * np.sin(2 * np.pi * formant * t)) / 1.5)
    return np.concatenate(made).astype(np.float32)
