"""Measures of recordings: silence, noise, hum, pitch. Clipping and gaps are in `triptych.media.sound.faults`."""

from __future__ import annotations

from typing import Any

import numpy as np

LOW, HIGH = 140.0, 200.0  # Hz: a man's pitch is hardly ever above HIGH, a woman's hardly ever below LOW
_FRAME = 0.03  # seconds


def is_noisy(mono: Any, rate: int) -> bool:
    """Return whether the quietest parts are nearly as loud as the loudest, with a spectrum as flat as noise has."""
    parts = _frames(mono, rate)
    if len(parts) < 20:
        return False
    level = 10 * np.log10(np.mean(np.square(parts), axis=1) + 1e-12)
    if np.percentile(level, 90) - np.percentile(level, 10) > 10:
        return False
    quiet = parts[np.argsort(level)[: max(5, len(parts) // 5)]]
    power = np.mean(np.abs(np.fft.rfft(quiet * np.hanning(quiet.shape[1]), axis=1)) ** 2, axis=0)[2:] + 1e-15
    return bool(np.exp(np.mean(np.log(power))) / np.mean(power) > 0.2)


def pitch(mono: Any, rate: int) -> float | None:
    """Return the median pitch of the voiced parts in Hz, by autocorrelation; None if hardly any part is voiced."""
    pitches = []
    for part in _frames(mono, rate, 0.06)[:400]:
        if np.std(part) < 0.3 * np.std(mono):
            continue
        spectrum = np.fft.rfft(part - np.mean(part), 2 * len(part))
        path = np.fft.irfft(np.abs(spectrum) ** 2)[: len(part)]
        path = path / (path[0] + 1e-12) * len(part) / (len(part) - np.arange(len(part)))
        first, last = int(rate / 1000), int(rate / 60)
        peaks = [n for n in range(first + 1, min(last, len(path) - 2)) if path[n - 1] < path[n] >= path[n + 1]]
        best = max((path[n] for n in peaks), default=0.0)
        if best > 0.6:
            pitches.append(rate / next(n for n in peaks if path[n] > 0.9 * best))
    middle = float(np.median(pitches)) if len(pitches) >= 5 else 0.0
    return middle if 60 <= middle <= 350 else None


def is_unusual_pitch(gender: str | None, pitch: float | None) -> bool:
    """Return whether the pitch isn't usual for the gender."""
    return pitch is not None and ((gender == "man" and pitch > HIGH) or (gender == "woman" and pitch < LOW))


def two_voices(mono: Any, rate: int) -> bool:
    """Return whether the first half of a recording has a man's pitch and the second a woman's, or the reverse."""
    middle = len(mono) // 2
    first, second = pitch(mono[:middle], rate), pitch(mono[middle:], rate)
    if first is None or second is None:
        return False
    return min(first, second) < _BETWEEN <= max(first, second) and max(first, second) > _APART * min(first, second)


_BETWEEN, _APART = 165.0, 1.45  # Hz between a man's and a woman's pitch; how much one voice hardly changes


def silences(mono: Any, rate: int) -> tuple[float, float, float]:
    """Return the seconds of silence before, after and, at most, between what is heard; clicks aren't.

    Silence is what is 30 dB quieter than the loudest parts. Without anything to hear, all of it comes before.
    """
    step = 0.05
    parts = _frames(mono, rate, step)
    if not len(parts):
        return 0.0, 0.0, 0.0
    level = 20 * np.log10(np.std(parts, axis=1) + 1e-9)
    audible = level > max(float(np.percentile(level, 99)) - 30, -70.0)
    audible &= np.convolve(audible, np.ones(5), "same") >= 3
    where = np.flatnonzero(audible)
    if not len(where):
        return len(parts) * step, 0.0, 0.0
    between = max((int(n) - 1 for n in np.diff(where)), default=0)
    return int(where[0]) * step, (len(parts) - 1 - int(where[-1])) * step, between * step


def shifted(mono: Any, rate: int) -> float:
    """Return the constant part (DC) of most of a recording's seconds, as a share of full scale, whatever its sign: one
    that changes, so that the mean of the whole is zero, counts too.

    The rumble of wind has a mean in each second as well, but those of its tenths vary; they are nearly the same if the
    signal is off zero.
    """
    parts = _frames(mono, rate, 1.0)
    if len(parts) <= 3:
        return 0.0
    size = parts.shape[1] // _TENTHS
    tenths = parts[:, : size * _TENTHS].reshape(len(parts), _TENTHS, size).mean(axis=2)
    error = tenths.std(axis=1) / np.sqrt(_TENTHS)
    means = np.abs(parts.mean(axis=1))
    return float(np.median(np.where(means > 2 * error, means, 0.0)))


_TENTHS = 10  # of a second


def is_even(mono: Any, rate: int) -> bool:
    """Return whether nothing happens in a recording: one noise or tone from its beginning to its end."""
    parts = _frames(mono, rate, 0.25)
    if len(parts) < 8:
        return False
    power = np.abs(np.fft.rfft(parts * np.hanning(parts.shape[1]), axis=1)) ** 2
    edges = np.unique(np.geomspace(5, power.shape[1], 17).astype(int))  # from 20 Hz
    bands = 10 * np.log10(np.add.reduceat(power, edges[:-1], axis=1) + 1e-12)
    total = 10 * np.log10(power[:, edges[0] :].sum(axis=1) + 1e-12)
    strong = bands[:, np.median(bands, axis=0) > np.median(total) - 30]
    spread = np.median(_range(strong)) if strong.size else 0.0
    if _range(total) < 6 and spread < 7:
        return True
    # the same noise throughout, which swells: each band is as much of the whole at any time
    audible = total > total.max() - _SWELL
    shares = (bands - total[:, None])[audible]
    is_loud = np.median(shares, axis=0) > -30
    if audible.mean() <= 0.9 or is_loud.sum() <= 5 or np.median(_range(shares[:, is_loud])) >= _EVEN_SHARES:
        return False
    widths = np.diff(np.append(edges[:-1], power.shape[1]))
    logs = np.add.reduceat(np.log(power + 1e-15), edges[:-1], axis=1) / widths
    flat = np.exp(logs) / (10 ** (bands / 10) / widths + 1e-15)  # of noise half, of tones nearly nothing
    return bool(np.median(flat[audible][:, is_loud & (widths > 4)]) > _FLAT)


_FLAT = 0.4  # geometric mean of the power of noise within a band, as a share of its mean
_SWELL, _EVEN_SHARES = 30, 5  # dB by which noise may swell; by which the share of a band in it may vary


def _range(levels: Any) -> Any:
    return np.percentile(levels, 95, axis=0) - np.percentile(levels, 5, axis=0)


def has_hum(mono: Any, rate: int) -> bool:
    """Return whether a steady tone (hum of the mains, a whistle) is nearly as loud as the voice: in its pauses, most of
    the power is in one narrow band."""
    parts = _frames(mono, rate, 0.06)
    if len(parts) < 20:
        return False
    level = 10 * np.log10(np.mean(np.square(parts), axis=1) + 1e-12)
    if np.percentile(level, 90) - np.percentile(level, 10) > 18 or np.percentile(level, 10) < -55:
        return False
    quiet = parts[np.argsort(level)[: max(5, len(parts) // 8)]]
    power = np.abs(np.fft.rfft(quiet * np.hanning(quiet.shape[1]), axis=1)) ** 2
    power /= power.sum(axis=1, keepdims=True) + 1e-15
    mean = power.mean(axis=0)
    peak = int(np.argmax(mean))
    return bool(mean[max(0, peak - 3) : peak + 4].sum() > 0.6)


def _frames(mono: Any, rate: int, seconds: float = _FRAME) -> Any:
    size = int(seconds * rate)
    number = len(mono) // size
    return np.asarray(mono[: number * size], np.float64).reshape(number, size)
