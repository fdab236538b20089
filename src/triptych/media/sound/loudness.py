"""Loudness after ITU-R BS.1770-4 and EBU R 128, and silence at both ends of a recording."""

from __future__ import annotations

import math
from typing import Any

from triptych.records.packages import need

BLOCK_S = 0.4  # gating blocks of 400 ms, which overlap by 75%


def loudness(samples: Any, rate: int) -> float:
    """Return the integrated loudness of a recording in LUFS, as pyloudnorm measures it.

    L = -0.691 + 10 log10(sum over channels of the mean square of the K-weighted signal), over the blocks of 400 ms that
    pass both gates: above -70 LUFS, and above the mean of those minus 10 LU. The filters are those of BS.1770 at every
    rate (pyloudnorm's `DeMan`).

    Args:
        samples: Array (frames, channels) or (frames,), full scale at 1. Up to five channels: left, right, centre and
            the surround channels, which count 1.41 times.
        rate: Sampling rate in Hz.

    Returns:
        LUFS; -inf if no block passes the gates, as for silence. A recording shorter than one block counts as one block.

    Raises:
        SpecError: If pyloudnorm, which the extra `build` installs, is missing.

    References:
        ITU-R BS.1770-4 (2015), Algorithms to measure audio programme loudness and true-peak audio level.

    Example:
        >>> import numpy as np
        >>> round(loudness(np.sin(2 * np.pi * 997 * np.arange(48_000) / 48_000), 48_000), 2)
        -3.01
    """
    import numpy as np

    meter = need("pyloudnorm", "measuring loudness", "build")
    samples = np.asarray(samples, dtype=np.float64)
    if not len(samples):
        return -math.inf
    block = min(BLOCK_S, math.nextafter(len(samples) / rate, 0.0))
    return float(meter.Meter(rate, "DeMan", block).integrated_loudness(samples))


def at_loudness(samples: Any, rate: int, target: float, *, highest_peak: float = 0.891) -> tuple[Any, float]:
    """Return a recording at the loudness `target` (LUFS), and the gain in dB.

    The gain is smaller if a sample would exceed `highest_peak` (-1 dB of full scale): nothing is clipped or compressed.
    Silence stays as it is, with a gain of 0 dB.
    """
    import numpy as np

    now, peak = loudness(samples, rate), float(np.max(np.abs(samples), initial=0.0))
    if not np.isfinite(now) or not peak:
        return samples, 0.0
    gain = min(10 ** ((target - now) / 20), highest_peak / peak)
    return np.asarray(samples * gain, dtype=np.float32), float(20 * np.log10(gain))


def sounding_range(samples: Any, rate: int, *, below_db: float = 40.0, margin_s: float = 0.2) -> tuple[int, int]:
    """Return the first and last frame (exclusive) of a recording without the silence at its ends.

    Frames of 10 ms are silent if their level is more than `below_db` below the loudest one; `margin_s` seconds of what
    surrounds the sound are kept. A recording that is silent throughout gives (0, 0).

    Args:
        samples: Array (frames, channels) or (frames,).
        rate: Sampling rate in Hz.
    """
    import numpy as np

    step = max(1, rate // 100)
    if not samples.size:
        return 0, 0
    mono = np.asarray(samples, dtype=np.float64).reshape(len(samples), -1).mean(axis=1)
    padded = np.pad(mono, (0, -len(mono) % step))
    power = np.mean(np.square(padded.reshape(-1, step)), axis=1)
    if power.max() <= 1e-10:  # -100 dB: digital silence with dither
        return 0, 0
    (places,) = np.nonzero(power >= power.max() * 10 ** (-below_db / 10))
    margin = round(margin_s * rate)
    return max(0, int(places[0]) * step - margin), min(len(mono), (int(places[-1]) + 1) * step + margin)
