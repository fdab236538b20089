"""Sound at the times at which its file presents it: together with the pictures, whatever begins first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from triptych.media.opening import MAX_SECONDS, frames, pyav

APART_S = 0.05  # seconds by which presentation stamps may differ from the samples so far; decoders round
LATEST_S = 30.0  # the longest piece of silence; all of it in a gap that is longer than any sound, as damage causes


def timed_sound(container: Any, where: object, rate: int, channels: int = 1) -> Iterator[Any]:
    """Yield the first sound of a file in pieces, shape (samples, channels), float32, from the first picture on.

    The clock begins with the first picture; without pictures, with the sound. Silence precedes a sound that begins
    later and fills gaps; what is heard before the first picture is left out.
    """
    import numpy as np

    begins = _first_picture(container)
    resampler = pyav().AudioResampler(format="flt", layout="mono" if channels == 1 else "stereo", rate=rate)
    next_time, skip = 0.0, 0
    for number, frame in enumerate(frames(container, container.streams.audio[0], where)):
        if frame.time is not None:
            begins = float(frame.time) if begins is None else begins
            gap = float(frame.time) - begins - next_time
            if gap > APART_S:
                missing = round((gap if gap <= MAX_SECONDS else LATEST_S) * rate)
                while missing > 0:
                    yield np.zeros((min(missing, round(LATEST_S * rate)), channels), np.float32)
                    missing -= round(LATEST_S * rate)
                next_time += gap
            elif gap < -APART_S and not number:
                skip, next_time = round(-gap * rate), gap
        next_time += frame.samples / frame.sample_rate
        frame.pts = None
        for piece in resampler.resample(frame):
            samples = piece.to_ndarray().reshape(-1, channels)
            dropped = min(skip, len(samples))
            skip -= dropped
            if dropped < len(samples):
                yield samples[dropped:]
    for piece in resampler.resample(None):
        yield piece.to_ndarray().reshape(-1, channels)[skip:]


def _first_picture(container: Any) -> float | None:
    """Return the time of the first picture on the container's clock; None without pictures, or with a cover alone."""
    for stream in container.streams.video:
        cover = bool(getattr(stream.disposition, "value", 0) & _COVER)
        if not cover and stream.start_time is not None:
            return float(stream.start_time * stream.time_base)
    return None


_COVER = 0x400  # FFmpeg's AV_DISPOSITION_ATTACHED_PIC
