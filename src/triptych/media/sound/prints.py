"""Prints of recordings: the same recording is known at another level, in another format, and after other silence.

Peaks of the spectrogram are joined in pairs (two frequencies and the time between them); a print is a sample of these
pairs, each with its time. Two recordings are the same if enough of these pairs are in both, all by the same time
earlier or later: sounds that are made of the same notes have pairs in common too, but at other times.
"""

from __future__ import annotations

import base64
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

RATE = 8_000
_WINDOW, _HOP = 1_024, 128
_DEEP = 50.0  # dB below the loudest peak that a peak may be
_REACH = (6, 12)  # frames and bins around a peak in which it is the greatest
_LATER = (6, 60)  # frames by which the second peak of a pair is later
_FAR = 96  # bins between the frequencies of a pair
_FAN = 6  # pairs of each peak
SKETCH = 96  # pairs that are kept
SHARED = 0.08  # share of the pairs from which two recordings are the same
MIN_PAIRS = 8  # pairs that two recordings must share
_STEP = 4  # frames: the precision of times


def sound_print(mono: Any, rate: int) -> str:
    """Return a short text that tells a recording; empty if it has nothing to tell it by.

    `mono`: samples of one channel at `rate` Hz.
    """
    import numpy as np

    pairs = _pairs(_peaks(mono, rate))
    if len(pairs) < MIN_PAIRS:
        return ""
    keys = _mixed(np.array(sorted(pairs), np.uint64)).astype(np.uint32)
    times = np.array([pairs[each] for each in sorted(pairs)], np.uint32)
    first = np.argsort(keys, kind="stable")[:SKETCH]
    rows = np.column_stack([keys[first].astype("<u4").view("<u2").reshape(-1, 2), times[first].astype("<u2")])
    return base64.b85encode(rows.astype("<u2").tobytes()).decode()


def shared(a: str, b: str) -> float:
    """Return the share of the pairs of two recordings that are in both at the same distance in time.

    A fraction from 0 to 1, estimated by prints.
    """
    times, number = _common(_timed(a), _timed(b))
    return len(times) / number if len(times) >= MIN_PAIRS else 0.0


def spread(a: str, b: str) -> float:
    """Return the share of the shorter recording over which the pairs are spread that are in both (`shared`).

    About 0.8 for copies (a tenth of the pairs at each end is left out), and little if a jingle alone is in both.
    """
    import numpy as np

    first, second = _timed(a), _timed(b)
    times, _ = _common(first, second)
    if len(times) < MIN_PAIRS:
        return 0.0
    begin, end = np.percentile(times, [10, 90])
    length = min(max(each.values()) - min(each.values()) for each in (first, second))
    return float(end - begin) / max(length, 1)


def _common(first: Mapping[int, int], second: Mapping[int, int]) -> tuple[list[int], int]:
    """Return the times of the pairs that are in both prints at one distance in time, and the number of pairs compared.

    The times are those in the first; the distance is the one of most pairs.
    """
    both = sorted(first.keys() | second.keys())[: max(len(first), len(second))]
    apart = Counter(first[key] - second[key] for key in both if key in first and key in second)
    usual = max(apart, key=lambda n: apart[n] + apart[n + 1] + apart[n - 1], default=0)
    near = (key for key in both if key in first and key in second and abs(first[key] - second[key] - usual) <= 1)
    return [first[key] for key in near], len(both)


def twins(prints: Sequence[str], min_share: float = SHARED) -> list[tuple[int, int]]:
    """Return the pairs of recordings that are the same, by their positions; empty prints are like none."""
    of: dict[int, list[int]] = defaultdict(list)
    for number, each in enumerate(prints):
        for key in _timed(each):
            of[key].append(number)
    counts: Counter[tuple[int, int]] = Counter()
    for numbers in of.values():
        if len(numbers) <= 50:  # what many recordings have tells none of them
            counts.update(combinations(numbers, 2))
    near = (pair for pair, count in counts.items() if count >= MIN_PAIRS)
    return sorted(pair for pair in near if shared(prints[pair[0]], prints[pair[1]]) >= min_share)


def _timed(text: str) -> dict[int, int]:
    """The pairs of a print, each with its time."""
    import numpy as np

    if not text:
        return {}
    rows = np.frombuffer(base64.b85decode(text), "<u2").reshape(-1, 3).astype(np.int64)
    return dict(zip((rows[:, 0] + (rows[:, 1] << 16)).tolist(), rows[:, 2].tolist(), strict=True))


def _peaks(mono: Any, rate: int) -> list[tuple[int, int]]:
    """Return the frame and the bin of each peak, in order."""
    import numpy as np
    import soxr

    samples = np.asarray(mono, np.float32)
    if rate != RATE:
        samples = np.asarray(soxr.resample(samples, rate, RATE), np.float32)
    if len(samples) < 2 * _WINDOW or float(np.ptp(samples)) < 1e-4:
        return []
    frames = np.lib.stride_tricks.sliding_window_view(samples, _WINDOW)[::_HOP]
    levels = 20 * np.log10(np.abs(np.fft.rfft(frames * np.hanning(_WINDOW).astype(np.float32), axis=1)) + 1e-9)
    around = _window_maxima(_window_maxima(levels, _REACH[0], 0), _REACH[1], 1)
    places = np.argwhere((levels >= around) & (levels > levels.max() - _DEEP))
    return [(int(t), int(f)) for t, f in places if 6 < f < 460]


def _window_maxima(values: Any, reach: int, axis: int) -> Any:
    """The greatest value within `reach` of each, along an axis."""
    import numpy as np

    padded = np.pad(values, [(reach, reach) if n == axis else (0, 0) for n in range(2)], constant_values=-999.0)
    return np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, axis=axis).max(axis=-1)


def _pairs(peaks: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Return the pairs of peaks that are in a recording once, as numbers, each with its time."""
    times: dict[int, int] = {}
    again = set[int]()
    for number, (time, frequency) in enumerate(peaks):
        joined = 0
        for later, other in peaks[number + 1 :]:
            if later - time > _LATER[1] or joined == _FAN:
                break
            if later - time >= _LATER[0] and abs(other - frequency) <= _FAR:
                key = (frequency + 1) // 3 << 17 | (other + 1) // 3 << 7 | (later - time + 2) // 4
                if key in times and abs(times[key] - time // _STEP) > 1:
                    again.add(key)
                times.setdefault(key, time // _STEP)
                joined += 1
    return {key: time for key, time in times.items() if key not in again}


def _mixed(values: Any) -> Any:
    """The values in an order that has nothing to do with their content (a multiplicative hash)."""
    import numpy as np

    mixed = values * np.uint64(0x9E3779B97F4A7C15)
    return (mixed ^ mixed >> np.uint64(29)) * np.uint64(0xBF58476D1CE4E5B9) >> np.uint64(32)
