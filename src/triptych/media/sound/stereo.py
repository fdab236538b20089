"""The two channels of a recording: opposite in phase, equal, and on which side the sound is over time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from triptych.media.opening import opened_container
from triptych.media.sound.times import timed_sound

_LISTENED_S = 60.0  # seconds at the beginning of a file by which its channels are compared
_CANCELS_DB = 15.0  # by which the difference of the channels is above their sum if they cancel out
_EQUAL_DB = 40.0  # by which the sum is above the difference if there is nothing to hear in space
_PART_S = 0.1
_FAINT = 0.01  # of the greatest power: fainter parts have no side
_SIDE_DB = 4.0  # level of a channel above the other from which the sound is on its side
_TREND = 0.7  # correlation of the side with the time if the sound moves


def _levels(samples: Any) -> tuple[float, float]:
    """The power of the sum and of the difference of two channels in dB."""
    import numpy as np

    left, right = (np.asarray(samples[:, n], np.float64) for n in (0, 1))
    both, apart = (float(np.mean(np.square(each))) + 1e-15 for each in (left + right, left - right))
    return 10 * float(np.log10(both)), 10 * float(np.log10(apart))


def is_opposite(samples: Any) -> bool:
    """Return whether two channels, shape (frames, 2), are in opposite phase: mixed down, they cancel out."""
    if not len(samples) or samples.shape[1] != 2:
        return False
    both, apart = _levels(samples)
    return apart - both > _CANCELS_DB and apart > -80


def is_equal(samples: Any) -> bool:
    """Return whether there is nothing to hear in space: one channel, or several that hold the same.

    A difference 40 dB below the sum, as codecs make it, counts as none.
    """
    import numpy as np

    if not len(samples) or samples.shape[1] == 1:
        return True
    if samples.shape[1] > 2:
        return bool(np.abs(samples - samples[:, :1]).max() < 1e-3)
    both, apart = _levels(samples)
    return both - apart > _EQUAL_DB


def side_over_time(samples: Any, rate: int) -> tuple[Any, Any]:
    """Return the level of the left channel above the right in dB for each tenth of a second, and the parts' power.

    samples: shape (frames, 2). A part that is fainter than a hundredth of the loudest has no power here.
    """
    import numpy as np

    size = max(1, int(_PART_S * rate))
    count = len(samples) // size
    parts = np.asarray(samples[: count * size], np.float64).reshape(count, size, 2)
    power = np.square(parts).mean(axis=1) + 1e-12
    total = power.sum(axis=1)
    total = np.where(total < _FAINT * total.max(initial=0.0), 0.0, total)
    return 10 * np.log10(power[:, 0] / power[:, 1]), total


def movement(samples: Any, rate: int) -> str:
    """Return `left to right` or `right to left` if the level of the channels says so clearly; otherwise nothing.

    The sound has to be on one side (4 dB) in the first third of what is heard, on the other in the last, and to wander
    from one to the other. Sounds that pass in streets do; those of rooms are nearly equal in both channels.
    """
    import numpy as np

    if not len(samples) or samples.shape[1] != 2:
        return ""
    side, power = side_over_time(samples, rate)
    sounding = np.flatnonzero(power)
    if len(sounding) < 6:
        return ""
    side, power = side[sounding[0] : sounding[-1] + 1], power[sounding[0] : sounding[-1] + 1]
    third = len(side) // 3
    side = np.clip(side, -30, 30)
    used = power > 0
    first, last = (_mean(side[part], power[part]) for part in (slice(0, third), slice(-third, None)))
    trend = float(np.corrcoef(np.flatnonzero(used), side[used])[0, 1]) if np.ptp(side[used]) > 1e-6 else 0.0
    if first >= _SIDE_DB and last <= -_SIDE_DB and trend <= -_TREND:
        return "left to right"
    return "right to left" if first <= -_SIDE_DB and last >= _SIDE_DB and trend >= _TREND else ""


def side(samples: Any) -> float:
    """Return the level of the left channel above the right in dB, of the whole recording; 0 for one channel."""
    import numpy as np

    if not len(samples) or samples.shape[1] != 2:
        return 0.0
    left, right = np.square(np.asarray(samples, np.float64)).mean(axis=0) + 1e-12
    return 10 * float(np.log10(left / right))


def _mean(values: Any, weights: Any) -> float:
    total = float(weights.sum())
    return float((values * weights).sum() / total) if total else 0.0


def cancels_out(path: Path, rate: int) -> bool:
    """Return whether the two channels of a file are in opposite phase (`is_opposite`), by its first minute."""
    samples = _first_minute(path, rate)
    return samples is not None and is_opposite(samples)


def _first_minute(path: Path, rate: int) -> Any:
    """Return the samples of a file's first minute, shape (frames, channels); None if it has none."""
    import numpy as np

    pieces, length = [], 0
    for piece in _pieces(path, rate):
        pieces.append(piece)
        length += len(piece)
        if length >= _LISTENED_S * rate:
            break
    return np.concatenate(pieces) if pieces else None


_VOICE_DB = 15.0  # by which one of two voices may be fainter
_UNLIKE = 0.35  # greatest correlation of the levels of two voices that have nothing in common
_SPEAKS_DB = 25.0  # below the loudest twentieth of a second of a channel: its speaker speaks
_BOTH = 0.2  # share of the time with speech in which both speak: of a dialogue less, with an interpreter half or more
_TURN = 0.1  # share of the time in which each of two speakers speaks at least


def two_voices(path: Path, rate: int) -> bool:
    """Return whether the two channels of a file hold different speech, by its first minute: of one source, however many
    microphones there are, the levels of the channels rise and fall together."""
    samples = _first_minute(path, rate)
    return samples is not None and are_unlike(samples, rate)


def are_unlike(samples: Any, rate: int) -> bool:
    """Return whether two channels, shape (frames, 2), rise and fall each by itself, and are about as loud. Speakers who
    take turns, each in a channel, are one talk.

    >>> import numpy as np
    >>> draw = np.random.default_rng(1)
    >>> voices = draw.normal(0, 0.1, (160_000, 2)) * np.repeat(draw.random((100, 2)) > 0.4, 1_600, axis=0)
    >>> are_unlike(voices, 16_000), are_unlike(voices[:, [0, 0]], 16_000)
    (True, False)
    >>> turns = np.repeat(np.arange(100) % 20 < 10, 1_600)[:, None]
    >>> are_unlike(draw.normal(0, 0.1, (160_000, 2)) * np.hstack([turns, ~turns]), 16_000)
    False
    """
    import numpy as np

    size = max(1, rate // 20)
    count = len(samples) // size
    if count < 100 or samples.shape[1] != 2:
        return False
    parts = np.asarray(samples[: count * size], np.float64).reshape(count, size, 2)
    power = np.square(parts).mean(axis=1) + 1e-12
    mean = 10 * np.log10(power.mean(axis=0))
    if abs(mean[0] - mean[1]) > _VOICE_DB or mean.min() < -60:
        return False
    levels = np.maximum(10 * np.log10(power), mean - 30)
    spread = levels.std(axis=0)
    if spread.min() < 3.0:
        return False  # steady noise in one of them
    left, right = np.square(parts).sum(axis=(0, 1)) ** 0.5
    if _take_turns(levels):
        return False
    together = abs(float((parts[..., 0] * parts[..., 1]).sum())) / (left * right + 1e-12)
    return bool(together < _UNLIKE and float(np.corrcoef(levels.T)[0, 1]) < _UNLIKE)


def _take_turns(levels: Any) -> bool:
    """Return whether one channel speaks while the other one is silent, as in a dialogue with a microphone for each
    speaker; an interpreter speaks at the same time."""
    active = levels > levels.max(axis=0) - _SPEAKS_DB
    return bool(active.all(axis=1).sum() < _BOTH * active.any(axis=1).sum() and active.mean(axis=0).min() > _TURN)


def left_channel(path: Path, rate: int) -> Any:
    """Return the left channel of a file with two, shape (frames,)."""
    import numpy as np

    return np.concatenate([piece[:, 0].copy() for piece in _pieces(path, rate)])


def _pieces(path: Path, rate: int) -> Iterator[Any]:
    """The sound of a file with two channels, in pieces, shape (frames, 2); nothing of any other file."""
    with opened_container(path, path) as container:
        if container.streams.audio and container.streams.audio[0].codec_context.channels == 2:
            yield from timed_sound(container, path, rate, 2)
