"""Changes of a recording: noise in its place or beside it, silence, another rate, a lossy code.

Each takes a Sound (or gives bytes, where a code is the point) and what it was told. All are the same for the same file,
arguments and seed, in any process.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from triptych.errors import MediaError
from triptych.media.opening import pyav
from triptych.media.sound import Sound

if TYPE_CHECKING:
    from numpy.random import Generator

# Rates that the codes know, in Hz. MPEG-1 (from 32 kHz) begins at 32 kbit/s, MPEG-2 ends at 160.
MPEG2_RATES, MPEG1_RATES = (8_000, 11_025, 12_000, 16_000, 22_050, 24_000), (32_000, 44_100, 48_000)
OPUS_RATES = (8_000, 12_000, 16_000, 24_000, 48_000)
LEAST_MPEG1, MOST_MPEG2 = 32, 160


def level(samples: Any) -> Any:
    """Root mean square of each channel, of full scale."""
    import numpy as np

    return np.sqrt(np.mean(np.square(samples, dtype=np.float64), axis=0))


def noise(sound: Sound, rng: Generator) -> Sound:
    """Gaussian white noise of the same length, channels and level (RMS of each channel) in the recording's place.

    Near full scale the peaks are cut; the noise is then made as much louder as the cut has taken, up to what can be.
    """
    import numpy as np

    wanted = level(sound.samples)
    made = rng.standard_normal(sound.samples.shape, dtype=np.float32)
    scale = wanted / np.maximum(level(made), 1e-12)
    for _ in range(40):
        got = level(np.clip(made * scale, -1, 1))
        if np.allclose(got, wanted, rtol=1e-3, atol=1e-9):
            break
        scale = scale * wanted / np.maximum(got, 1e-12)
    return sound.with_samples(np.clip(made * scale, -1, 1).astype(np.float32))


def silence(sound: Sound) -> Sound:
    """Digital silence of the same length and channels."""
    import numpy as np

    return sound.with_samples(np.zeros_like(sound.samples))


def add_noise(sound: Sound, db: float, rng: Generator, other: Sound | None = None) -> Sound:
    """Noise added so that 10 log10(power of the recording / power of the noise) = `db`, powers over all of the clip.

    White, independent in each channel; or `other`'s sound, mixed to one channel, from a place drawn by chance and
    repeated as needed, the same in every channel. Where the sum would go beyond full scale all of it is made quieter,
    which leaves the ratio as it is. Raises MediaError for a silent recording or a silent noise.
    """
    import numpy as np

    power = float(np.mean(np.square(sound.samples, dtype=np.float64)))
    if power == 0:
        raise MediaError("a silent recording has no signal-to-noise ratio", fix="leave it out of this Condition")
    if other is None:
        added = rng.standard_normal(sound.samples.shape, dtype=np.float32)
    else:
        added = _stretch(other.at(sound.rate).samples.mean(axis=1), len(sound.samples), rng)[:, None]
    own = float(np.mean(np.square(added, dtype=np.float64)))
    if own == 0:
        raise MediaError("the noise is silent, so it can't be added at a given ratio")
    mixed = sound.samples + added * np.sqrt(power / own / 10 ** (db / 10))
    return sound.with_samples((mixed / max(1.0, float(np.abs(mixed).max()))).astype(np.float32))


def mp3(sound: Sound, kbps: int) -> bytes:
    """The recording as MP3 at a constant bit rate, at its own rate where MP3 has it for that bit rate."""
    low = MPEG2_RATES if kbps <= MOST_MPEG2 else ()
    rates = (*low, *(MPEG1_RATES if kbps >= LEAST_MPEG1 else ()))
    return _encode(sound.at(_rate(sound.rate, rates)), "mp3", "libmp3lame", kbps)


def opus(sound: Sound, kbps: int) -> bytes:
    """The recording as Opus in Ogg at about this bit rate."""
    return _encode(sound.at(_rate(sound.rate, OPUS_RATES)), "ogg", "libopus", kbps)


def _stretch(samples: Any, frames: int, rng: Generator) -> Any:
    """So many frames of it, from a random place on, over and over."""
    import numpy as np

    return samples[(int(rng.integers(len(samples))) + np.arange(frames)) % len(samples)]


def _rate(own: int, rates: tuple[int, ...]) -> int:
    """The lowest rate that loses nothing, else the highest there is."""
    return min((rate for rate in rates if rate >= own), default=max(rates))


def _encode(sound: Sound, container: str, codec: str, kbps: int) -> bytes:
    import numpy as np

    av = pyav(container)
    if sound.channels > 2:
        raise MediaError(f"{container} is made of one or two channels here", got=sound.channels)
    layout, buffer = ("mono", "stereo")[sound.channels - 1], io.BytesIO()
    try:
        # Bit-exact: an Ogg stream would get a random serial number otherwise, and with it another hash each time.
        with av.open(buffer, "w", format=container, options={"fflags": "+bitexact"}) as file:
            stream: Any = file.add_stream(codec, rate=sound.rate, layout=layout, options={"flags": "+bitexact"})
            stream.bit_rate = kbps * 1000
            frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(sound.samples.T), format="fltp", layout=layout)
            frame.sample_rate = sound.rate
            resampler = av.AudioResampler(format=stream.format.name, layout=layout, rate=sound.rate,
                                          frame_size=stream.codec_context.frame_size or 1024)  # fmt: skip
            for piece in [*resampler.resample(frame), *resampler.resample(None), None]:
                file.mux(stream.encode(piece))
    except (av.FFmpegError, ValueError) as error:
        raise MediaError(f"{codec} can't encode this at {kbps} kbit/s ({error})") from None
    return buffer.getvalue()
