"""A spherical head: an HRTF by formula, for builds without measured ones."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from triptych.media.spatial.angles import angle_between, unit_vectors
from triptych.media.spatial.hrtf import Hrtf

RADIUS_M = 0.0875
SOUND_M_PER_S = 343.0
# The head's shadow: the least gain of high frequencies at the far side, and the angle in degrees where it is darkest
_MIN_HIGH, _DARKEST = 0.1, 150.0


def time_difference(azimuth: float, elevation: float = 0.0, radius: float = RADIUS_M) -> float:
    """Return the inter-aural time difference of a spherical head in seconds, positive if the left ear is earlier.

    radius / c (θ + sin θ), with the lateral angle θ.

    References:
        Woodworth (1938), Experimental Psychology; Larcher and Jot (1997) for other elevations.

    Example:
        >>> round(1e6 * time_difference(90.0))  # microseconds
        656
    """
    import numpy as np

    lateral = np.arcsin(np.clip(unit_vectors(azimuth, elevation)[..., 1], -1, 1))
    return float(radius / SOUND_M_PER_S * (lateral + np.sin(lateral)))


@lru_cache(maxsize=4)
def spherical_head(rate: int = 48_000, step: float = 5.0, taps: int = 128) -> Hrtf:
    """Return the HRTF of a rigid sphere with ears at ±90 degrees.

    Delays follow Woodworth's formula at every frequency; the head's shadow has the magnitude of the filter of Brown and
    Duda with one pole and one zero, and linear phase. Directions are `step` degrees apart in azimuth, and 15 in
    elevation. There are no pinnae: front and back differ only slightly, as do above and below.

    References:
        Brown and Duda (1998), A structural model for binaural sound synthesis.
    """
    import numpy as np

    azimuths, elevations = np.arange(-180.0, 180.0, step), np.arange(-75.0, 76.0, 15.0)
    places = np.array([(a, e) for e in elevations for a in azimuths] + [(0.0, 90.0), (0.0, -90.0)])
    vectors = unit_vectors(places[:, 0], places[:, 1])
    to_ears = np.stack([angle_between(vectors, unit_vectors(side)) for side in (90.0, -90.0)], axis=1)
    return Hrtf(_shadow(to_ears, rate, taps), _delays(to_ears), places, rate)


def _delays(to_ears: Any) -> Any:
    """Seconds until a wave is at an ear, by the angle between them; 0 for the earliest possible."""
    import numpy as np

    angle = np.radians(to_ears)
    return RADIUS_M / SOUND_M_PER_S * (1 + np.where(angle < np.pi / 2, -np.cos(angle), angle - np.pi / 2))


def _shadow(to_ears: Any, rate: int, taps: int) -> Any:
    import numpy as np

    high = 1 + _MIN_HIGH / 2 + (1 - _MIN_HIGH / 2) * np.cos(to_ears / _DARKEST * np.pi)
    bent = 1j * np.pi * np.fft.rfftfreq(2 * taps, 1 / rate) * RADIUS_M / SOUND_M_PER_S
    spectra = np.abs((1 + high[..., None] * bent) / (1 + bent))
    impulses = np.roll(np.fft.irfft(spectra, axis=-1), taps // 2, axis=-1)[..., :taps]
    return (impulses * np.hanning(taps + 1)[:taps]).astype(np.float32)
