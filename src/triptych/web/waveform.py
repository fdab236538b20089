"""The waveform of a recording or of a video's sound, for a page to draw: the highest peak of some hundred intervals."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from triptych.errors import MediaError
from triptych.media.opening import MAX_SECONDS, Undecodable, frames, opened_container, opened_sound, pyav

STRETCHES = 480
MAX_SAMPLES_DRAWN = 1_500_000_000  # samples over all channels: MAX_SECONDS of stereo at 48 kHz, and some more
CHANNELS = 2  # left and right tell where a sound is; of more channels the first two are drawn


def waveform(path: Path) -> dict[str, Any]:
    """Return `{"seconds", "rate", "channels", "peaks"}`: peaks of each drawn channel, 0 to 100 of full scale.

    Raises MediaError if the file can't be decoded or is too long to draw.
    """
    status = path.stat()
    return _waveform(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=512)
def _waveform(path: Path, stamp: int, size: int) -> dict[str, Any]:
    try:
        return _of_recording(path)
    except Undecodable:
        return _of_container(path)


def _of_recording(path: Path) -> dict[str, Any]:
    import numpy as np

    with opened_sound(path, path.name) as sound:
        rate, length, channels = sound.samplerate, sound.frames, sound.channels
        if not length or length > MAX_SECONDS * rate or length * channels > MAX_SAMPLES_DRAWN:
            raise MediaError(
                "the recording is empty or too long for a waveform", where=path.name, got=f"{length} frames"
            )
        step = -(-length // STRETCHES)
        blocks = sound.blocks(blocksize=step, dtype="float32", always_2d=True)
        loudest = [np.abs(block[:, :CHANNELS]).max(axis=0) for block in blocks if len(block)]
    return {"seconds": length / rate, "rate": rate, "channels": channels, "peaks": _drawn(np.array(loudest))}


def _of_container(path: Path) -> dict[str, Any]:
    """The first sound of a video, or of a recording that libsndfile can't read."""
    import numpy as np

    loudest: list[Any] = []
    with opened_container(path, path.name) as container:
        stream = next(iter(container.streams.audio), None)
        if stream is None:
            raise MediaError("the file has no sound", where=path.name)
        rate, channels = stream.rate, stream.channels
        resampler, length = pyav().AudioResampler(format="fltp", layout=stream.layout, rate=rate), 0
        for frame in frames(container, stream, path.name):
            for part in resampler.resample(frame):
                block = part.to_ndarray()[:CHANNELS]
                length += block.shape[1]
                loudest.append(np.abs(block).max(axis=1))
    if not length:
        raise MediaError("the recording is empty or too long for a waveform", where=path.name, got="0 frames")
    few = np.array_split(np.array(loudest), min(STRETCHES, len(loudest)))
    peaks = _drawn(np.array([part.max(axis=0) for part in few]))
    return {"seconds": length / rate, "rate": rate, "channels": channels, "peaks": peaks}


def _drawn(loudest: Any) -> list[list[int]]:
    """Peaks of each channel, 0 to 100 of full scale."""
    import numpy as np

    drawn: list[list[int]] = (100 * np.nan_to_num(loudest).clip(0, 1)).round().astype(int).T.tolist()
    return drawn
