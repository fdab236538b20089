"""Four microphones in a tetrahedron (A-format) to first-order ambisonics and back.

The default array is that of STARSS23's MIC recordings: four omnidirectional capsules on a rigid sphere with a radius of
4.2 cm.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from triptych.errors import MediaError
from triptych.media.spatial.ambisonics import checked, harmonics
from triptych.records.packages import need

# (azimuth, elevation): front left up, front right down, back left down, back right up; STARSS23's channels in order.
TETRAHEDRON = ((45.0, 35.0), (-45.0, -35.0), (135.0, -35.0), (-135.0, 35.0))
RADIUS_M = 0.042
SOUND_M_PER_S = 343.0
MODELS = ("cardioid", "rigid-sphere")
MAX_GAIN_DB = 30.0  # of the filters that restore the low frequencies of X, Y and Z


def to_foa(
    samples: Any,
    rate: int,
    microphones: Sequence[tuple[float, float]] = TETRAHEDRON,
    *,
    model: str = "rigid-sphere",
    radius: float = RADIUS_M,
    most_gain_db: float = MAX_GAIN_DB,
) -> Any:
    """Return the recording of a tetrahedral array as FOA (ACN, SN3D), shape (frames, 4).

    Args:
        samples: Shape (frames, 4), in the order of `microphones`.
        rate: Sampling rate in Hz.
        microphones: (azimuth, elevation) of each microphone, in degrees.
        model: `cardioid`: coincident cardioids, which need no filters. `rigid-sphere`: omnidirectional microphones on a
            sphere, whose response is inverted by frequency. The directions are exact up to about 4 kHz for 4.2 cm;
            above, four microphones are too few.
        radius: Of the sphere, in metres.
        most_gain_db: Limit of the inverse filters, against noise at low frequencies.

    Raises:
        MediaError: The model is unknown, or there are not four channels.
    """
    import numpy as np

    matrix = np.linalg.inv(_modes(samples, microphones))
    spread = checked(samples).astype(np.float64) @ matrix.T
    if _model(model) == "cardioid":
        return (spread * [2.0, 2.0, 2.0, 2.0]).astype(np.float32)
    # Inverses of the response of W and of X, Y, Z, limited smoothly at about `most_gain_db`.
    floor = 0.5 * 10 ** (-most_gain_db / 20)
    return _filtered(spread, rate, radius, lambda b: np.conj(b) / (np.abs(b) ** 2 + floor**2))


def from_foa(
    foa: Any,
    rate: int,
    microphones: Sequence[tuple[float, float]] = TETRAHEDRON,
    *,
    model: str = "rigid-sphere",
    radius: float = RADIUS_M,
) -> Any:
    """Return FOA as a tetrahedral array would record it, shape (frames, 4); for the arguments see `to_foa`."""
    import numpy as np

    matrix = _modes(foa, microphones)
    if _model(model) == "cardioid":
        return (0.5 * checked(foa) @ matrix.T).astype(np.float32)
    shaped = _filtered(checked(foa).astype(np.float64), rate, radius, lambda b: b)
    return (shaped @ matrix.T).astype(np.float32)


def sphere_response(frequencies: Any, degree: int, radius: float = RADIUS_M) -> Any:
    """Return the response of microphones on a rigid sphere to the harmonics of one degree, complex, by frequency in Hz.

    (2n + 1) i^(n-1) / ((kR)² h_n'(kR)), with the derivative of the spherical Hankel function of the second kind; 1 for
    degree 0 at low frequencies.

    References:
        Shimada et al. (2023), STARSS23: the description of the MIC format.
    """
    import numpy as np

    special = need("scipy.special", "microphones on a sphere", "build")

    kr = np.maximum(2 * np.pi * np.asarray(frequencies, dtype=np.float64) * radius / SOUND_M_PER_S, 1e-6)
    slope = special.spherical_jn(degree, kr, derivative=True) - 1j * special.spherical_yn(degree, kr, derivative=True)
    return (2 * degree + 1) * 1j ** (degree - 1) / (kr**2 * slope)


def _filtered(samples: Any, rate: int, radius: float, shape: Any) -> Any:
    """Each channel through a function of its degree's response, by blocks in the frequency domain."""
    import numpy as np

    oaconvolve = need("scipy.signal", "microphones on a sphere", "build").oaconvolve

    taps = 2 * round(0.02 * rate)
    frequencies = np.fft.rfftfreq(taps, 1 / rate)
    made = np.empty_like(samples)
    for degree, channels in ((0, [0]), (1, [1, 2, 3])):
        response = shape(sphere_response(frequencies, degree, radius))
        impulse = np.roll(np.fft.irfft(response, taps), taps // 2) * np.hanning(taps + 1)[:taps]
        filtered = oaconvolve(samples[:, channels], impulse[:, None], axes=0)
        made[:, channels] = filtered[taps // 2 : taps // 2 + len(samples)]
    return made.astype(np.float32)


def _modes(samples: Any, microphones: Sequence[tuple[float, float]]) -> Any:
    import numpy as np

    places = np.asarray(microphones, dtype=np.float64)
    if places.shape != (4, 2) or checked(samples).shape[1] != 4:
        raise MediaError("the array must have four microphones", got=places.shape)
    modes = harmonics(places[:, 0], places[:, 1])
    if abs(np.linalg.det(modes)) < 1e-6:
        raise MediaError("the microphones are in one plane", expected="a tetrahedron")
    return modes


def _model(name: str) -> str:
    if name not in MODELS:
        raise MediaError("unknown model of the microphones", got=name, expected=", ".join(MODELS))
    return name
