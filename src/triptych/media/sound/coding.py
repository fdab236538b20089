"""Decoding and encoding the audio of a clip, in bounded memory whatever the file declares."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from typing import Any

from triptych.errors import MediaError
from triptych.media.opening import (
    MAX_SAMPLES,
    Undecodable,
    check_samples,
    frames,
    opened_container,
    opened_sound,
    pyav,
    read_samples,
)

SPEECH_HZ = 16_000  # as speech recognisers expect
OPUS_HZ = 48_000
_TOGETHER_S = 0.05  # a sound that begins no later than this is together with its pictures


class NoSound(MediaError):
    """A readable file has no audio."""


@dataclass(frozen=True, slots=True)
class Sound:
    """Samples as float32, shape (frames, channels), with full scale at 1, and the sampling rate in Hz."""

    samples: Any
    rate: int

    @property
    def channels(self) -> int:
        """Number of channels."""
        return int(self.samples.shape[1])

    @property
    def seconds(self) -> float:
        """Length in seconds."""
        return len(self.samples) / self.rate

    def with_samples(self, samples: Any) -> Sound:
        """Return other samples at the same rate."""
        return replace(self, samples=samples)

    def resample(self, rate: int) -> Sound:
        """Return the sound resampled to another rate. Raises MediaError if it would exceed the memory limit."""
        import numpy as np
        import soxr

        if rate == self.rate:
            return self
        check_samples(self.samples.size * rate // self.rate)
        return Sound(np.asarray(soxr.resample(self.samples, self.rate, rate), dtype=np.float32), rate)

    def mono(self, rate: int = SPEECH_HZ) -> Any:
        """Return the mean of the channels, shape (frames,), at another rate, for recognisers. Raises MediaError like
        `resample`.
        """
        import numpy as np
        import soxr

        check_samples(len(self.samples) * rate // self.rate)  # a file can declare a rate of one sample per second
        mixed = self.samples.mean(axis=1)
        return mixed if rate == self.rate else np.asarray(soxr.resample(mixed, self.rate, rate), dtype=np.float32)


def decode_sound(data: bytes, where: object = None, *, max_samples: int = MAX_SAMPLES) -> Sound:
    """Return the sound of a recording or video, decoded by libsndfile if possible, otherwise by PyAV.

    Raises MediaError if it can't be decoded, has no audio, or has more than `max_samples` samples over all channels.
    """
    try:
        with opened_sound(data, where) as file:
            sound = Sound(read_samples(file, where, max_samples=max_samples), file.samplerate)
    except Undecodable:
        return _by_av(data, where, max_samples)
    if not len(sound.samples):
        raise NoSound("the audio has no samples", where=where)
    return sound


def sound_track(data: bytes, where: object = None, begins: float | None = None) -> Sound | None:
    """Return the sound of a video; None if it has none. Raises MediaError if it can't be decoded.

    `begins`: seconds of the container's clock at which the film begins; a sound that begins later is preceded by
    silence, so that both stay together.
    """
    import numpy as np

    try:
        sound = _by_av(data, where, MAX_SAMPLES)
    except NoSound:
        return None
    late = 0.0 if begins is None else _first_sound(data, where) - begins
    if late < _TOGETHER_S:
        return sound
    silence = np.zeros((round(late * sound.rate), sound.channels), dtype=np.float32)
    check_samples(sound.samples.size + silence.size, where)
    return sound.with_samples(np.concatenate([silence, sound.samples]))


def _first_sound(data: bytes, where: object) -> float:
    """Return the time of the first sound on the container's clock, in seconds."""
    with opened_container(data, where) as container:
        first = next(frames(container, container.streams.audio[0], where), None)
        return float(first.time or 0.0) if first is not None else 0.0


def encode_wav(samples: Any, rate: int) -> bytes:
    """Return samples, shape (frames, channels), as 16-bit WAV, which every server accepts. Values beyond full scale are
    clipped.
    """
    import soundfile

    buffer = io.BytesIO()
    soundfile.write(buffer, samples, rate, format="WAV", subtype="PCM_16")
    return buffer.getvalue()


def encode_opus(samples: Any, rate: int, bits: int = 20_000) -> bytes:
    """Return samples, shape (frames, channels), as Opus in Ogg, at about `bits` bits per second and channel.

    The same samples give the same bytes; libsndfile would write a random number into every Ogg file.
    """
    from fractions import Fraction

    import numpy as np

    resampled = Sound(samples, rate).resample(OPUS_HZ).samples
    pcm = np.ascontiguousarray(np.clip(resampled, -1, 1).astype(np.float32).reshape(1, -1))
    layout = "mono" if samples.shape[1] == 1 else "stereo"
    av, buffer = pyav(), io.BytesIO()
    with av.open(buffer, "w", format="ogg", options={"fflags": "+bitexact"}) as box:
        stream = box.add_stream("libopus", rate=OPUS_HZ, layout=layout, options={"flags": "+bitexact"})
        stream.bit_rate = bits * samples.shape[1]
        frame = av.AudioFrame.from_ndarray(pcm, format="flt", layout=layout)
        frame.sample_rate, frame.pts, frame.time_base = OPUS_HZ, 0, Fraction(1, OPUS_HZ)
        for packet in [*stream.encode(frame), *stream.encode(None)]:
            box.mux(packet)
    return buffer.getvalue()


def _by_av(data: bytes, where: object, max_samples: int) -> Sound:
    with opened_container(data, where) as container:
        import numpy as np

        if not container.streams.audio:
            raise NoSound("there is no audio in the file", where=where)
        resampler, chunks, held, rate = pyav().AudioResampler(format="fltp"), [], 0, 0
        for frame in frames(container, container.streams.audio[0], where):
            for piece in resampler.resample(frame):
                chunks.append(piece.to_ndarray().T)
                held += chunks[-1].size
                check_samples(held, where, max_samples)
            rate = frame.sample_rate
        if not held:
            raise NoSound("the audio has no samples", where=where)
        return Sound(np.concatenate(chunks).astype(np.float32, copy=False), rate)
