"""Decoded audio of one clip, and back: bounded in memory, whatever the file claims."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from typing import Any

from triptych.errors import MediaError

# Samples over all channels: 11 minutes in stereo at 48 kHz, over an hour of speech at 16 kHz; 256 MB as float32.
MOST_SAMPLES = 64_000_000


@dataclass(frozen=True, slots=True)
class Sound:
    """Samples as float32 (frames, channels), full scale at 1, and the rate in Hz."""

    samples: Any
    rate: int

    @property
    def channels(self) -> int:
        """How many channels."""
        return int(self.samples.shape[1])

    def with_samples(self, samples: Any) -> Sound:
        """The same rate with other samples."""
        return replace(self, samples=samples)

    def at(self, rate: int) -> Sound:
        """The same sound at another rate, band-limited as that rate demands."""
        import numpy as np
        import soxr

        if rate == self.rate:
            return self
        return Sound(np.asarray(soxr.resample(self.samples, self.rate, rate), dtype=np.float32), rate)


def decode_sound(data: bytes, where: object = None) -> Sound:
    """The sound in a file: by libsndfile where it can, else by PyAV.

    Raises MediaError for what can't be decoded, is empty, or is longer than memory should hold.
    """
    import soundfile

    try:
        with soundfile.SoundFile(io.BytesIO(data)) as file:
            _bounded(file.frames * file.channels, where)
            sound = Sound(file.read(dtype="float32", always_2d=True), file.samplerate)
    except (soundfile.SoundFileError, RuntimeError):
        sound = _by_av(data, where)
    if not len(sound.samples):
        raise MediaError("the audio holds no sound", where=where)
    return sound


def encode_wav(samples: Any, rate: int) -> bytes:
    """Samples (frames, channels) as 16-bit WAV: what every server takes. What lies outside full scale is cut."""
    import soundfile

    buffer = io.BytesIO()
    soundfile.write(buffer, samples, rate, format="WAV", subtype="PCM_16")
    return buffer.getvalue()


def _by_av(data: bytes, where: object) -> Sound:
    try:
        import av
        import numpy as np
    except ImportError:
        raise MediaError("this kind of audio can't be decoded here", where=where, fix="pip install av") from None
    chunks: list[Any] = []
    container: Any
    held = rate = 0
    try:
        with av.open(io.BytesIO(data)) as container:
            if not container.streams.audio:
                raise MediaError("there is no audio in the file", where=where)
            resampler = av.AudioResampler(format="fltp")
            for frame in container.decode(audio=0):
                for piece in resampler.resample(frame):
                    chunks.append(piece.to_ndarray().T)
                    held += chunks[-1].size
                    _bounded(held, where)
                rate = frame.sample_rate
    except (av.FFmpegError, ValueError) as error:
        raise MediaError(f"the audio can't be decoded ({error})", where=where) from None
    if not chunks:
        raise MediaError("the audio holds no sound", where=where)
    return Sound(np.concatenate(chunks).astype(np.float32), rate)


def _bounded(samples: int, where: object) -> None:
    if samples > MOST_SAMPLES:
        raise MediaError("the audio is too long to be changed", where=where, expected=f"<= {MOST_SAMPLES:,} samples",
                         got=f"{samples:,}", fix="cut it first")  # fmt: skip
