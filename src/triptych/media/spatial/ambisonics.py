"""First-order ambisonics (FOA): encoding, rotation, virtual microphones, loudspeakers.

Channels are W, Y, Z, X (ACN) with the normalisation SN3D: a plane wave s from direction d has W = s and
(X, Y, Z) = s d. This is what STARSS23 calls FOA, and what AmbiX files contain.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

from triptych.errors import MediaError
from triptych.media.spatial.angles import unit_vectors

CHANNELS = ("W", "Y", "Z", "X")
# Weight of the first degree against W in a decoder, for loudspeakers in a plane and around the listener.
MAX_RE = {"plane": sqrt(0.5), "sphere": sqrt(1 / 3)}
DECODERS = ("basic", "max-re", "in-phase")
_IN_PHASE = {"plane": 0.5, "sphere": 1 / 3}


def harmonics(azimuth: Any, elevation: Any = 0.0) -> Any:
    """Return the gains of W, Y, Z and X for a plane wave from a direction, shape (…, 4).

    Example:
        >>> harmonics(90.0).round(6).tolist()  # from the left: W and Y
        [1.0, 1.0, 0.0, 0.0]
    """
    import numpy as np

    vectors = unit_vectors(azimuth, elevation)
    return np.concatenate([np.ones((*vectors.shape[:-1], 1)), vectors[..., [1, 2, 0]]], axis=-1)


def encode(mono: Any, azimuth: Any, elevation: Any = 0.0) -> Any:
    """Return a mono signal from a direction as FOA, shape (frames, 4).

    `azimuth` and `elevation` are in degrees, each a number or an array with a value for each frame.
    """
    import numpy as np

    return (np.asarray(mono)[:, None] * harmonics(azimuth, elevation)).astype(np.float32)


def rotate(foa: Any, yaw: float) -> Any:
    """Return the sound field turned by `yaw` degrees about the vertical axis: every source moves to the left by `yaw`.

    W and Z stay as they are, and the energy of X and Y together is kept. To turn the listener to the left by `yaw`,
    rotate by -`yaw`. Raises MediaError if there are not four channels.
    """
    import numpy as np

    samples = checked(foa)
    cosine, sine = np.cos(np.radians(yaw)), np.sin(np.radians(yaw))
    if float(yaw) % 90 == 0:  # exact: samples are only swapped and negated
        cosine, sine = np.rint(cosine), np.rint(sine)
    w, y, z, x = samples.T
    return np.stack([w, x * sine + y * cosine, z, x * cosine - y * sine], axis=1).astype(samples.dtype, copy=False)


def virtual_microphones(foa: Any, azimuths: Sequence[float], elevations: Any = 0.0, pattern: float = 0.5) -> Any:
    """Return what directional microphones at one point record, shape (frames, microphones).

    The gain towards an angle γ from a microphone's axis is pattern + (1 - pattern) cos γ: 1 is an omnidirectional
    microphone, 0.5 a cardioid, 0 a figure of eight.
    """
    import numpy as np

    gains = harmonics(np.asarray(azimuths, dtype=np.float64), elevations) * [pattern, *[1 - pattern] * 3]
    return (checked(foa) @ gains.T).astype(np.float32)


def to_stereo(foa: Any, opening: float = 90.0) -> Any:
    """Return (left, right), shape (frames, 2): two cardioid microphones `opening` degrees to both sides of the front.

    With 90 degrees, a source at azimuth a has the gains (1 ± sin a) / 2.
    """
    return virtual_microphones(foa, (opening, -opening))


def decoder(azimuths: Sequence[float], elevations: Sequence[float] | None = None, kind: str = "basic") -> Any:
    """Return the decoding matrix for loudspeakers, shape (loudspeakers, 4), by mode matching.

    Args:
        azimuths: Degrees, at least three loudspeakers.
        elevations: Degrees; None if all are in the horizontal plane.
        kind: `basic` reproduces pressure and velocity in the centre; `max-re` concentrates the energy towards the
            source; `in-phase` has no loudspeaker in opposite phase.

    Raises:
        MediaError: The kind is unknown, or there are too few loudspeakers to reproduce the components.
    """
    import numpy as np

    if kind not in DECODERS:
        raise MediaError("unknown kind of decoder", got=kind, expected=", ".join(DECODERS))
    plane = elevations is None or not np.any(elevations)
    modes = harmonics(np.asarray(azimuths, dtype=np.float64), 0.0 if elevations is None else elevations)
    used = [0, 1, 3] if plane else [0, 1, 2, 3]
    if np.linalg.matrix_rank(modes[:, used], tol=1e-6) < len(used):
        layout = ">= 3 directions around the listener" if plane else ">= 4 directions, not in one plane"
        raise MediaError("the loudspeakers can't reproduce a sound field of first order", expected=layout)
    weight = {
        "basic": 1.0,
        "max-re": MAX_RE["plane" if plane else "sphere"],
        "in-phase": _IN_PHASE["plane" if plane else "sphere"],
    }[kind]
    return np.linalg.pinv(modes.T) * [1.0, weight, weight, weight]


def decode(foa: Any, azimuths: Sequence[float], elevations: Sequence[float] | None = None, kind: str = "basic") -> Any:
    """Return the signals of loudspeakers, shape (frames, loudspeakers); for the arguments see `decoder`."""
    import numpy as np

    return (checked(foa) @ decoder(azimuths, elevations, kind).T).astype(np.float32)


def checked(foa: Any) -> Any:
    """Return the samples as floating-point numbers. Raises MediaError if their shape is not (frames, 4)."""
    import numpy as np

    samples = np.asarray(foa)
    if samples.ndim != 2 or samples.shape[1] != 4:
        raise MediaError("not first-order ambisonics", expected="samples of shape (frames, 4)", got=samples.shape)
    return samples if samples.dtype.kind == "f" else samples.astype(np.float32)
