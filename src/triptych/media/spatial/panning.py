"""Vector-base amplitude panning (VBAP) between two loudspeakers and around a ring; triangles of directions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from triptych.errors import MediaError
from triptych.media.spatial.angles import unit_vectors
from triptych.records.packages import need

STEREO = (30.0, -30.0)  # left, right
_ROUNDING = 1e-9


def ring(count: int, first: float = 0.0) -> tuple[float, ...]:
    """Return the azimuths of `count` loudspeakers at equal distances around the listener, from `first` to the left.

    Example:
        >>> ring(4, first=45.0)
        (45.0, 135.0, 225.0, 315.0)
    """
    return tuple(first + 360.0 * n / count for n in range(count))


def vbap(azimuth: Any, speakers: Sequence[float] = STEREO) -> Any:
    """Return the gains of loudspeakers in the horizontal plane for sources at `azimuth`.

    The two loudspeakers next to a source get the gains with which their vectors add up to its direction, scaled to a
    power of 1. For a pair at ±φ this is the tangent law: (left - right) / (left + right) = tan(azimuth) / tan(φ). A
    source that is in no arc between two loudspeakers less than 180 degrees apart comes from the nearest one.

    Args:
        azimuth: Degrees, positive to the left; a number or an array.
        speakers: Azimuths of at least two loudspeakers, in the order of the channels.

    Returns:
        Gains of 0 or more, shape (…, loudspeakers); their squares sum to 1.

    Raises:
        MediaError: There are fewer than two loudspeakers, or two in the same direction.

    References:
        Pulkki (1997), Virtual sound source positioning using vector base amplitude panning.

    Example:
        >>> vbap(0.0).round(4).tolist()
        [0.7071, 0.7071]
        >>> vbap(30.0).round(4).tolist()
        [1.0, 0.0]
    """
    import numpy as np

    vectors = unit_vectors(np.asarray(speakers, dtype=np.float64))[:, :2]
    _check(vectors, 2)
    order = np.argsort(np.mod(speakers, 360.0))
    around = zip(order, np.roll(order, -1), strict=True)
    pairs = [(a, b) for a, b in around if _cross(vectors[a], vectors[b]) > _ROUNDING]
    return _gains(unit_vectors(np.asarray(azimuth, dtype=np.float64))[..., :2], vectors, np.array(pairs))


def triangles(vectors: Any) -> Any:
    """Return the triangles of neighbouring directions: indices, shape (triangles, 3). Raises MediaError if all are in a
    plane.
    """
    import numpy as np

    spatial = need("scipy.spatial", "panning within triangles", "build")

    try:
        faces = spatial.ConvexHull(vectors).simplices
    except (spatial.QhullError, ValueError):
        raise MediaError("the directions are in one plane", expected="directions above or below it, too") from None
    volumes = np.abs(np.linalg.det(vectors[faces]))
    return faces[volumes > 1e-6]  # a face through the listener, or one without area, gives no direction


def pan(mono: Any, azimuth: Any, speakers: Sequence[float] = STEREO) -> Any:
    """Return a mono signal panned to loudspeakers, shape (frames, loudspeakers); for the arguments see `vbap`.

    `azimuth` may be an array with a value for each frame.
    """
    import numpy as np

    return (np.asarray(mono)[:, None] * vbap(azimuth, speakers)).astype(np.float32)


def arrangement(sources: Sequence[Any], azimuths: Sequence[float], speakers: Sequence[float] = STEREO) -> Any:
    """Return mono sources at different azimuths in one recording, shape (frames of the longest, loudspeakers).

    The sum is attenuated if it would exceed full scale. Raises MediaError if the numbers of sources and azimuths
    differ, or if there are none.
    """
    import numpy as np

    if not sources or len(sources) != len(azimuths):
        raise MediaError(
            "each source requires one azimuth", expected=f"{len(sources)} azimuths, at least one", got=len(azimuths)
        )
    mixed = np.zeros((max(map(len, sources)), len(speakers)), dtype=np.float32)
    for source, azimuth in zip(sources, azimuths, strict=True):
        mixed[: len(source)] += pan(source, azimuth, speakers)
    return mixed / max(1.0, float(np.abs(mixed).max(initial=0.0)))


def spread(count: int, widest: float = 30.0) -> tuple[float, ...]:
    """Return azimuths of `count` sources from left (`widest`) to right (-`widest`), evenly spaced; one is in the
    middle.

    Example:
        >>> spread(3)
        (30.0, 0.0, -30.0)
    """
    return tuple(widest - 2 * widest * n / (count - 1) for n in range(count)) if count > 1 else (0.0,) * count


def _gains(sources: Any, vectors: Any, groups: Any) -> Any:
    """Gains of all loudspeakers, for sources of shape (…, d), in the group of d loudspeakers around each of them."""
    import numpy as np

    flat = np.atleast_2d(sources).reshape(-1, vectors.shape[1])
    gains = np.zeros((len(flat), len(vectors)))
    best = np.full(len(flat), -np.inf)
    for group in groups:
        all_gains = flat @ np.linalg.inv(vectors[group])
        better = all_gains.min(axis=1) > best
        best[better] = all_gains.min(axis=1)[better]
        gains[better] = 0.0
        gains[np.ix_(better, group)] = all_gains[better]
    outside = best < -1e-6
    gains[outside] = np.eye(len(vectors))[np.argmax(flat[outside] @ vectors.T, axis=1)]
    gains = np.maximum(gains, 0.0)
    gains /= np.linalg.norm(gains, axis=1, keepdims=True)
    return gains.reshape(*np.shape(sources)[:-1], len(vectors))


def _cross(a: Any, b: Any) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def _check(vectors: Any, minimum: int) -> None:
    import numpy as np

    if len(vectors) < minimum:
        raise MediaError("too few loudspeakers", expected=f">= {minimum}", got=len(vectors))
    near = vectors @ vectors.T - 2 * np.eye(len(vectors))
    if near.max() > 1 - 1e-9:
        raise MediaError("two loudspeakers are in the same direction")
