"""Head-related transfer functions (HRTFs): what a sound from a direction becomes at both ears."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from triptych.errors import MediaError
from triptych.media.spatial.ambisonics import decoder
from triptych.media.spatial.angles import directions, unit_vectors, wrapped
from triptych.media.spatial.panning import triangles, vbap
from triptych.records.packages import need

# Loudspeakers by which ambisonics is heard: the corners of a cube.
_LEAD = 64  # samples of silence before a response that is resampled
_CUBE = tuple((a, e) for e in (35.2644, -35.2644) for a in (45.0, 135.0, -135.0, -45.0))


@dataclass(frozen=True)
class Hrtf:
    """Impulse responses of both ears, by direction.

    responses  shape (directions, 2, taps): left ear, right ear
    delays     seconds to add to each response, shape (directions, 2)
    places     (azimuth, elevation) of each direction in degrees, shape (directions, 2)
    rate       sampling rate in Hz
    """

    responses: Any
    delays: Any
    places: Any
    rate: int

    @cached_property
    def vectors(self) -> Any:
        """Unit vectors of the directions."""
        return unit_vectors(self.places[:, 0], self.places[:, 1])

    @cached_property
    def onsets(self) -> Any:
        """Samples until each response begins, shape (directions, 2): where it first exceeds 10% of its peak."""
        import numpy as np

        size = np.abs(self.responses).astype(np.float64)
        size = np.concatenate([np.zeros((*size.shape[:2], 1)), size], axis=-1)
        limit = 0.1 * np.maximum(size.max(axis=-1, keepdims=True), 1e-12)
        first = np.argmax(size >= limit, axis=-1)[..., None]
        above, below = (np.take_along_axis(size, np.maximum(at, 0), -1) for at in (first, first - 1))
        return (first - 1 - (above - limit) / np.maximum(above - below, 1e-12))[..., 0]

    @cached_property
    def _faces(self) -> Any:
        """Triangles of neighbouring directions; None if all are in one plane."""
        try:
            return triangles(self.vectors)
        except MediaError:
            return None

    def resample(self, rate: int) -> Hrtf:
        """Return the responses at another sampling rate; all begin slightly later, so that none is cut."""
        import numpy as np
        import soxr

        if rate == self.rate:
            return self
        count, ears, taps = self.responses.shape
        flat = np.pad(self.responses.reshape(count * ears, taps).T.astype(np.float64), ((_LEAD, 0), (0, 0)))
        columns = range(0, flat.shape[1], 512)
        made = np.concatenate([soxr.resample(flat[:, n : n + 512], self.rate, rate) for n in columns], axis=1)
        scaled = made.T.reshape(count, ears, -1) * (self.rate / rate)  # the gain of the filter stays
        return Hrtf(scaled.astype(np.float32), self.delays, self.places, rate)

    def nearest_direction(self, azimuth: float, elevation: float = 0.0) -> int:
        """Return the number of the direction that is nearest."""
        import numpy as np

        return int(np.argmax(self.vectors @ unit_vectors(azimuth, elevation)))

    def weights(self, azimuth: float, elevation: float = 0.0) -> list[tuple[int, float]]:
        """Return up to three measured directions around a direction, with weights that sum to 1.

        If all are in the horizontal plane, two neighbours are used and the elevation doesn't count. A direction outside
        all triangles, such as one below the lowest measurement, is the nearest one.
        """
        import numpy as np

        if self._faces is None:
            if len(self.places) < 2:
                return [(0, 1.0)]
            gains = vbap(azimuth, tuple(self.places[:, 0]))
            triangle = [(int(n), float(gains[n])) for n in np.nonzero(gains > 1e-6)[0]]
        else:
            triangle = self._in_triangle(unit_vectors(azimuth, elevation))
        triangle = triangle or [(self.nearest_direction(azimuth, elevation), 1.0)]
        total = sum(weight for _, weight in triangle)
        return [(number, weight / total) for number, weight in triangle]

    def _in_triangle(self, direction: Any) -> list[tuple[int, float]]:
        import numpy as np

        near = set(np.argsort(-(self.vectors @ direction))[:12].tolist())
        for face in self._faces[np.isin(self._faces, list(near)).any(axis=1)]:
            gains = direction @ np.linalg.inv(self.vectors[face])
            if gains.min() >= -1e-6:
                return [(int(n), float(max(w, 0.0))) for n, w in zip(face, gains, strict=True) if w > 1e-6]
        return []

    def filters(self, azimuth: float, elevation: float = 0.0, *, interpolate: bool = True) -> Any:
        """Return the filters of both ears for a direction, shape (taps, 2), with their delays.

        With `interpolate`, the three measured directions around it are averaged after removing their delays, and the
        delays are averaged by themselves; otherwise the nearest direction is taken.
        """
        import numpy as np

        chosen = (
            self.weights(azimuth, elevation) if interpolate else [(self.nearest_direction(azimuth, elevation), 1.0)]
        )
        taps = self.responses.shape[-1]
        longest = float(np.max(self.delays)) * self.rate
        size = 1 << int(np.ceil(np.log2(taps + longest + 16)))
        turn = -2j * np.pi * np.fft.rfftfreq(size)
        made = np.zeros((size, 2))
        for ear in (0, 1):
            late = {
                n: self.delays[n, ear] * self.rate + (self.onsets[n, ear] if len(chosen) > 1 else 0) for n, _ in chosen
            }
            aligned = sum(
                weight
                * np.fft.rfft(self.responses[n, ear], size)
                * np.exp(-turn * (self.onsets[n, ear] if len(chosen) > 1 else 0))
                for n, weight in chosen
            )
            delay = sum(weight * late[n] for n, weight in chosen)
            made[:, ear] = np.fft.irfft(aligned * np.exp(turn * delay), size)
        return made.astype(np.float32)


def binaural(
    mono: Any, rate: int, hrtf: Hrtf, azimuth: float, elevation: float = 0.0, *, interpolate: bool = True
) -> Any:
    """Return a mono signal as heard from a direction, shape (frames, 2): left ear, right ear.

    The length stays the same: the end of the last response is left out. See `Hrtf.filters` for the arguments.
    """
    import numpy as np

    oaconvolve = need("scipy.signal", "binaural sound", "build").oaconvolve

    samples = np.asarray(mono, dtype=np.float32)
    filters = hrtf.resample(rate).filters(azimuth, elevation, interpolate=interpolate)
    return oaconvolve(samples[:, None], filters, axes=0)[: len(samples)].astype(np.float32)


def foa_to_binaural(foa: Any, rate: int, hrtf: Hrtf) -> Any:
    """Return first-order ambisonics (ACN, SN3D) as heard through headphones, shape (frames, 2).

    Eight virtual loudspeakers at the corners of a cube are heard through the HRTF.
    """
    import numpy as np

    oaconvolve = need("scipy.signal", "binaural sound", "build").oaconvolve

    all_filters = hrtf.resample(rate)
    matrix = decoder([a for a, _ in _CUBE], [e for _, e in _CUBE], "max-re")
    filters = np.stack([all_filters.filters(a, e) for a, e in _CUBE])  # (8, taps, 2)
    by_channel = np.einsum("ltc,lk->ktc", filters, matrix)  # (4, taps, 2)
    samples = np.asarray(foa, dtype=np.float32)
    made = sum(oaconvolve(samples[:, k, None], by_channel[k], axes=0)[: len(samples)] for k in range(4))
    return np.asarray(made, dtype=np.float32)


def time_difference(filters: Any, rate: int) -> float:
    """Return the inter-aural time difference of filters, shape (taps, 2), in seconds; positive if left is earlier.

    It is the lag of the greatest correlation between both ears, below 1.5 kHz, to a tenth of a sample.
    """
    import numpy as np

    signal = need("scipy.signal", "measuring time differences", "build")

    fine = 10
    low = signal.sosfiltfilt(
        signal.butter(4, 1500, fs=rate, output="sos"), np.pad(filters, ((len(filters), len(filters)), (0, 0))), axis=0
    )
    size = 2 * len(low)
    spectrum = np.fft.rfft(low[:, 1], size) * np.conj(np.fft.rfft(low[:, 0], size))
    lags = np.fft.irfft(spectrum, size * fine)
    max_lag = round(0.0015 * rate * fine)
    around = np.concatenate([lags[-max_lag:], lags[: max_lag + 1]])
    return float((int(np.argmax(around)) - max_lag) / fine / rate)


def from_positions(responses: Any, delays: Any, positions: Any, rate: int) -> Hrtf:
    """Return an Hrtf from Cartesian positions of the sources, shape (directions, 3)."""
    import numpy as np

    azimuth, elevation = directions(positions)
    return Hrtf(responses, delays, np.stack([wrapped(azimuth), elevation], axis=1), rate)
