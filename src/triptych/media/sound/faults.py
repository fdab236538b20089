"""Faults of recordings that machines make: clipping, also of files that were made quieter, and gaps in sound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_FRAME = 0.03  # seconds
_FLAT = 0.35  # share of a frame's samples near the peak: of a sine, 0.29
_KURTOSIS = 1.25
_BOTH_SIDES = 0.05  # share of a frame's samples that must be on either side of the mean
_PERIODIC = 0.97  # autocorrelation from which a frame counts as a tone
_FULL = 0.98  # of full scale
_STEP = 0.002  # seconds in which a gap's beginning and end are found
_QUIET = 0.003  # of the peak: codecs leave this much in silence next to loud sound
_EDGE = 0.1  # of the peak: the sound just before and just after a gap
_NEAR = 4  # steps next to a gap in which it has to be so loud
_ABRUPT = 0.35  # of the level in the 20 ms next to a gap, what the last 4 ms must have: voices fade within that time
_LAST, _AROUND = 2, 10  # these times in steps
_FADE = 4  # steps in which the last vowel of a phrase of a synthetic voice fades
_LOUD, _SOFT = 0.05, 0.025  # of the peak: the samples next to a dropout, on its louder and its softer side
_GAP_S = (0.1, 1.0)  # lengths of gaps that count: synthetic voices have 50 ms of zeros in consonants such as p and t


@dataclass(frozen=True)
class Gaps:
    """How often a recording breaks off in the middle of loud sound and comes back, and the share that is missing."""

    number: int
    share: float

    def fault(self, least_number: int, most_share: float) -> tuple[str, str] | None:
        """Return the reason and the note for `least_number` gaps or more and a greater share; None for fewer."""
        if self.number < least_number or self.share <= most_share:
            return None
        text = f"the sound breaks off {self.number} times within loud parts, {self.share:.0%} of it is missing"
        return "recording-gaps", f"{text}; bring another copy of the recording"


def clipped(mono: Any, rate: int) -> float:
    """Return the share of parts that are cut off at the greatest level, whatever that is: an amplifier, or a file that
    was made quieter afterwards. Tones aren't: even a sine is near its peak for less than a third of the time. The
    square wave of a buzzer is a tone too, unless it is at full scale.
    """
    import numpy as np

    size = int(_FRAME * rate)
    number = len(mono) // size if size else 0
    if not number:
        return 0.0
    # an hour has 57 million samples: they aren't copied more often than needed
    frames = np.asarray(mono[: number * size], np.float32).reshape(number, size)
    parts = frames - np.float32(np.mean(mono))
    np.abs(parts, out=parts)
    peak = float(np.percentile(parts, 99.9))
    if peak <= 1e-4:
        return 0.0
    flat = np.mean(parts >= 0.9 * peak, axis=1) > _FLAT
    flat[flat] = _crosses(frames[flat], np.mean(mono))
    if flat.any() and peak < _FULL:
        flat[flat] = [not _is_tone(frame) for frame in frames[flat].astype(np.float64)]
    return float(np.mean(flat))


def squared(mono: Any, rate: int) -> float:
    """Return the share of parts whose samples are nearly all at one level, above it or below, as after hard clipping.

    Unlike `clipped`, this also finds clipped sound after AAC or Opus, whose flat tops are wavy. Distorted guitars have
    a few such parts. Measured by the kurtosis: 1 for a square wave, 1.5 for a sine, 3 for noise.
    """
    import numpy as np

    size = int(_FRAME * rate)
    number = len(mono) // size if size else 0
    if not number:
        return 0.0
    frames = np.asarray(mono[: number * size], np.float64).reshape(number, size)
    squares = np.square(frames - np.mean(mono))
    power = squares.mean(axis=1)
    loud = power > 1e-3 * power.max()
    if not power.max() > 1e-8:
        return 0.0
    kurtosis = np.square(squares[loud]).mean(axis=1) / np.square(power[loud])
    flat = kurtosis < _KURTOSIS
    flat[flat] = _crosses(frames[loud][flat], np.mean(mono))
    if flat.any():
        flat[flat] = [not _is_tone(frame) for frame in frames[loud][flat]]
    return float(flat.mean())


def _crosses(frames: Any, mean: Any) -> Any:
    """Return for each frame whether it is on both sides of the mean: rumble below 30 Hz (wind, thunder) stays near one
    level for as long as a frame, and isn't clipped."""
    import numpy as np

    above = np.mean(frames > mean, axis=1)
    return (above > _BOTH_SIDES) & (above < 1 - _BOTH_SIDES)


def _is_tone(frame: Any) -> bool:
    """Return whether a frame repeats itself at an interval of at most half its length."""
    import numpy as np

    length = len(frame)
    centred = frame - frame.mean()
    power = np.abs(np.fft.rfft(centred, 2 * length)) ** 2
    path = np.fft.irfft(power)[: length // 2]
    squares = np.cumsum(np.square(centred))
    # energy of the two parts that each delay compares
    delays = np.arange(length // 2)
    first = squares[length - 1 - delays]
    last = squares[-1] - np.concatenate([[0.0], squares])[delays]
    path = path / (np.sqrt(first * last) + 1e-12)
    away = np.flatnonzero(path < 0)
    return bool(len(away) and path[away[0] :].max(initial=0.0) >= _PERIODIC)


def gaps(mono: Any, rate: int) -> Gaps:
    """Return how often the sound breaks off, for 0.1 to 1 second, with loud sound just before and just after it.

    Packets that were lost, a muted track, a bad cable. Pauses between words and the silence within consonants fade in
    or out, also those of synthetic voices, whose phrases end within 8 ms. A series of beeps looks the same, so this is
    meant for speech. Codecs fill gaps a little: AAC hides most of them, MP3 and Opus all.
    """
    import numpy as np

    step = max(1, int(_STEP * rate))
    count = len(mono) // step
    if not count:
        return Gaps(0, 0.0)
    levels = np.abs(np.asarray(mono[: count * step], np.float32)).reshape(count, step).max(axis=1)
    peak = float(np.percentile(levels, 99))
    if peak < 1e-4:
        return Gaps(0, 0.0)
    quiet = levels < _QUIET * peak
    number, missing = 0, 0.0
    for begin, end in np.flatnonzero(np.diff(quiet.astype(np.int8), prepend=0, append=0)).reshape(-1, 2):
        seconds = float(end - begin) * step / rate
        if begin < _AROUND or end + _AROUND > count or not _GAP_S[0] <= seconds <= _GAP_S[1]:
            continue
        if min(levels[begin - _NEAR : begin].max(), levels[end : end + _NEAR].max()) <= _EDGE * peak:
            continue
        before, after = levels[begin - _AROUND : begin], levels[end : end + _AROUND]
        if before[-1] < _ABRUPT * before[-_FADE:].max():
            continue
        if before[-_LAST:].max() >= _ABRUPT * before.max() and after[:_LAST].max() >= _ABRUPT * after.max():
            number, missing = number + 1, missing + seconds
    return Gaps(number, missing * rate / len(mono))


def dropouts(mono: Any, rate: int) -> int:
    """Return how often samples of a voice are exactly 0, for 5 to 600 ms, with loud samples directly before and after.

    Shorter gaps than those of `gaps`, of recordings that no codec has changed: packets that were lost. The zeros of
    synthetic voices in consonants begin or end softly: with at most 2.2% of the peak in espeak-ng.
    """
    import numpy as np

    quiet = np.abs(mono) < 1e-5
    edges = np.flatnonzero(np.diff(quiet.astype(np.int8), prepend=0, append=0))
    peak = float(np.abs(mono).max(initial=0.0))
    number = 0
    for begin, end in edges.reshape(-1, 2):
        if 0.005 * rate <= end - begin <= 0.6 * rate and begin > 2 and end + 2 < len(mono):
            softer, louder = sorted(
                float(np.abs(part).max()) for part in (mono[begin - 2 : begin], mono[end : end + 2])
            )
            number += louder > _LOUD * peak and softer > _SOFT * peak
    return number
