"""Moving sources: paths, distance gain, Doppler shift, and smooth directions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from triptych.errors import MediaError
from triptych.media.spatial.ambisonics import encode
from triptych.media.spatial.angles import directions, unit_vectors
from triptych.media.spatial.hrtf import Hrtf
from triptych.media.spatial.panning import STEREO, pan
from triptych.records.packages import need

SOUND_M_PER_S = 343.0
NEAREST_M = 0.3  # a source that is nearer isn't louder
_TAPS = 32  # of the interpolator between samples
_BETA = 9.0  # of its Kaiser window: below -90 dB up to 0.8 of the Nyquist frequency
_PIECE = 1 << 15
_BLOCK_S = 0.02  # a new pair of HRTF filters this often


@dataclass(frozen=True)
class Trajectory:
    """Where a source is: positions in metres (x front, y left, z up), shape (points, 3), at times in seconds.

    Between the points, positions follow a monotone cubic curve (`smooth`) or straight lines. Before the first and
    after the last point the source rests.
    """

    times: Any
    positions: Any
    smooth: bool = True

    def at(self, times: Any) -> Any:
        """Return positions, shape (…, 3)."""
        import numpy as np

        smooth = need("scipy.interpolate", "a smooth path", "build").PchipInterpolator

        own, places = np.asarray(self.times, dtype=np.float64), np.asarray(self.positions, dtype=np.float64)
        when = np.clip(times, own[0], own[-1])
        if self.smooth and len(own) > 2:
            return smooth(own, places, axis=0)(when)
        return np.stack([np.interp(when, own, column) for column in places.T], axis=-1)


def path(times: Sequence[float], positions: Sequence[Sequence[float]], *, smooth: bool = True) -> Trajectory:
    """Return a path through positions. Raises MediaError unless times increase, and there is a position for each."""
    import numpy as np

    own, places = np.asarray(times, dtype=np.float64), np.asarray(positions, dtype=np.float64)
    if own.ndim != 1 or len(own) < 2 or not (np.diff(own) > 0).all() or not np.isfinite(own).all():
        raise MediaError("the times of a path must increase", expected=">= 2 times", got=list(times)[:8])
    if places.shape != (len(own), 3) or not np.isfinite(places).all():
        raise MediaError("a path requires a position for each time", expected=(len(own), 3), got=places.shape)
    return Trajectory(own, places, smooth)


def straight(begin: Sequence[float], end: Sequence[float], seconds: float) -> Trajectory:
    """Return a straight path at constant speed, from one position to another."""
    return path([0.0, seconds], [begin, end])


def arc(first: float, last: float, seconds: float, *, distance: float = 2.0, elevation: float = 0.0) -> Trajectory:
    """Return a path around the listener from azimuth `first` to `last` (degrees) at constant distance and speed.

    The azimuth changes steadily from one to the other: from 170 to -170 the source passes the front; to pass behind,
    write 170 to 190.
    """
    import numpy as np

    steps = max(3, 1 + round(abs(last - first)))
    places = distance * unit_vectors(np.linspace(first, last, steps), elevation)
    return path(np.linspace(0.0, seconds, steps).tolist(), places.tolist())


@dataclass(frozen=True)
class ListenerSignal:
    """A moving source at the listener: mono samples with distance gain and Doppler shift, and the direction of each."""

    samples: Any
    azimuth: Any
    elevation: Any
    rate: int


def heard(
    mono: Any, rate: int, way: Trajectory, *, reference: float = 1.0, nearest: float = NEAREST_M
) -> ListenerSignal:
    """Return what arrives at the listener from a source that plays `mono` while it moves.

    The gain is reference / distance, and the delay is distance / 343 m/s, from which the Doppler shift follows. The
    delay at the beginning is left out, and the length stays the same. Values between samples are interpolated by a
    windowed sinc of 32 taps.

    Args:
        mono: Shape (frames,).
        rate: Sampling rate in Hz.
        way: Positions from the listener, by the time at the source.
        reference: Distance in metres at which the gain is 1.
        nearest: Smaller distances have the gain of this one.

    Raises:
        MediaError: The source moves as fast as sound.
    """
    import numpy as np

    source = np.asarray(mono, dtype=np.float64)
    if not len(source):
        return ListenerSignal(np.zeros(0, np.float32), np.zeros(0), np.zeros(0), rate)
    emitted = np.arange(len(source)) / rate
    distance = np.linalg.norm(way.at(emitted), axis=-1)
    arrival = emitted + (distance - distance[0]) / SOUND_M_PER_S
    if not (np.diff(arrival) > 0).all():
        raise MediaError("the source moves as fast as sound", expected=f"< {SOUND_M_PER_S:g} m/s")
    times = np.interp(emitted, arrival, emitted)  # when that which arrives now was emitted
    times = np.where(emitted > arrival[-1], emitted - (arrival[-1] - emitted[-1]), times)
    places = way.at(times)
    gain = reference / np.maximum(np.linalg.norm(places, axis=-1), nearest)
    azimuth, elevation = directions(places)
    return ListenerSignal((between(source, times * rate) * gain).astype(np.float32), azimuth, elevation, rate)


def between(samples: Any, positions: Any) -> Any:
    """Return the values of a signal at fractional positions (in samples), by a windowed sinc; 0 outside the signal.

    For signals without content near the Nyquist frequency, the error is below -80 dB.
    """
    import numpy as np

    half = _TAPS // 2
    padded = np.pad(np.asarray(samples, dtype=np.float64), half + 1)
    taps = np.arange(1 - half, half + 1)
    made = np.zeros(len(positions))
    for begin in range(0, len(positions), _PIECE):
        wanted = np.asarray(positions[begin : begin + _PIECE], dtype=np.float64)
        inside = (wanted > -1) & (wanted < len(samples))
        whole = np.floor(np.where(inside, wanted, 0.0)).astype(np.int64)
        offset = taps - (np.where(inside, wanted, 0.0) - whole)[:, None]
        window = np.i0(_BETA * np.sqrt(np.maximum(0.0, 1 - (offset / half) ** 2))) / np.i0(_BETA)
        values = padded[whole[:, None] + taps + half + 1] * np.sinc(offset) * window
        made[begin : begin + len(wanted)] = np.where(inside, values.sum(axis=1), 0.0)
    return made


def to_foa(source: ListenerSignal) -> Any:
    """Return a moving source as first-order ambisonics (ACN, SN3D), shape (frames, 4)."""
    return encode(source.samples, source.azimuth, source.elevation)


def to_speakers(source: ListenerSignal, speakers: Sequence[float] = STEREO) -> Any:
    """Return a moving source panned to loudspeakers, shape (frames, loudspeakers); elevation doesn't count."""
    return pan(source.samples, source.azimuth, speakers)


def to_binaural(source: ListenerSignal, hrtf: Hrtf) -> Any:
    """Return a moving source as heard through headphones, shape (frames, 2).

    The filters change every 10 ms; the signal is cross-faded between them.
    """
    import numpy as np

    fftconvolve = need("scipy.signal", "binaural sound", "build").fftconvolve

    own, rate = hrtf.at(source.rate), source.rate
    hop = max(1, round(_BLOCK_S * rate / 2))
    fade = np.hanning(2 * hop + 1)[: 2 * hop, None]
    padded = np.pad(source.samples, (hop, 2 * hop)).astype(np.float64)
    made: Any = None
    for begin in range(0, len(source.samples) + hop, hop):
        middle = min(begin, len(source.samples) - 1)
        filters = own.filters(float(source.azimuth[middle]), float(source.elevation[middle]))
        if made is None:
            made = np.zeros((len(padded) + len(filters), 2))
        block = padded[begin : begin + 2 * hop, None] * fade[: len(padded) - begin]
        part = fftconvolve(block, filters, axes=0)
        made[begin : begin + len(part)] += part
    return made[hop : hop + len(source.samples)].astype(np.float32)
