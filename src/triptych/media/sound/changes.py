"""Changes of recordings: replacement by noise or silence, added noise, another sampling rate, lossy compression.

Each function takes a Sound and returns one (or encoded bytes). The result is the same in every process for the same
file, arguments and seed.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from triptych.errors import MediaError
from triptych.media.opening import pyav
from triptych.media.sound.coding import Sound

if TYPE_CHECKING:
    from numpy.random import Generator

# Sampling rates of the codecs, in Hz. MPEG-1 (from 32 kHz) starts at 32 kbit/s, MPEG-2 ends at 160.
MPEG2_RATES, MPEG1_RATES = (8_000, 11_025, 12_000, 16_000, 22_050, 24_000), (32_000, 44_100, 48_000)
OPUS_RATES = (8_000, 12_000, 16_000, 24_000, 48_000)
MIN_MPEG1, MAX_MPEG2 = 32, 160


def level(samples: Any) -> Any:
    """Return the root mean square of each channel, relative to full scale."""
    import numpy as np

    return np.sqrt(np.mean(np.square(samples, dtype=np.float64), axis=0))


def noise(sound: Sound, rng: Generator) -> Sound:
    """Return Gaussian white noise of the same length and channels, with the level (RMS) of each channel of the
    recording.

    Near full scale, peaks are clipped; the noise is then amplified to make up for it, as far as possible.
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
    """Return digital silence of the same length and channels."""
    import numpy as np

    return sound.with_samples(np.zeros_like(sound.samples))


def add_noise(sound: Sound, db: float, rng: Generator, other: Sound | None = None) -> Sound:
    """Return the recording with noise added at a signal-to-noise ratio of `db`.

    db = 10 log10(power of the recording / power of the noise), over the whole clip. The noise is white and independent
    in each channel; or it is the sound `other`, mixed to one channel, from a random position and repeated as needed,
    the same in every channel. If the sum exceeds full scale, all of it is attenuated, which keeps the ratio. Raises
    MediaError if the recording or the noise is silent.
    """
    import numpy as np

    power = float(np.mean(np.square(sound.samples, dtype=np.float64)))
    if power == 0:
        raise MediaError(
            "a silent recording has no signal-to-noise ratio", fix="exclude this recording from the Condition"
        )
    if other is None:
        added = rng.standard_normal(sound.samples.shape, dtype=np.float32)
    else:
        added = _stretch(other.resample(sound.rate).samples.mean(axis=1), len(sound.samples), rng)[:, None]
    noise_power = float(np.mean(np.square(added, dtype=np.float64)))
    if noise_power == 0:
        raise MediaError("the noise is silent, so it can't be added at a given ratio")
    mixed = sound.samples + added * np.sqrt(power / noise_power / 10 ** (db / 10))
    return sound.with_samples((mixed / max(1.0, float(np.abs(mixed).max()))).astype(np.float32))


def mp3(sound: Sound, kbps: int) -> bytes:
    """Return the recording as MP3 at a constant bit rate, at its own sampling rate if MP3 supports that."""
    low = MPEG2_RATES if kbps <= MAX_MPEG2 else ()
    rates = (*low, *(MPEG1_RATES if kbps >= MIN_MPEG1 else ()))
    return _encode(sound.resample(_rate(sound.rate, rates)), "mp3", "libmp3lame", kbps)


def opus(sound: Sound, kbps: int) -> bytes:
    """Return the recording as Opus in Ogg at about this bit rate."""
    return _encode(sound.resample(_rate(sound.rate, OPUS_RATES)), "ogg", "libopus", kbps)


def _stretch(samples: Any, frames: int, rng: Generator) -> Any:
    """Return `frames` frames from a random position on, repeated as needed."""
    import numpy as np

    return samples[(int(rng.integers(len(samples))) + np.arange(frames)) % len(samples)]


def _rate(source_rate: int, rates: tuple[int, ...]) -> int:
    """Return the lowest rate that loses nothing, otherwise the highest one."""
    return min((rate for rate in rates if rate >= source_rate), default=max(rates))


def _encode(sound: Sound, container: str, codec: str, kbps: int) -> bytes:
    import numpy as np

    av = pyav(container)
    if sound.channels > 2:
        raise MediaError(f"{container} supports only one or two channels", got=sound.channels)
    layout, buffer = ("mono", "stereo")[sound.channels - 1], io.BytesIO()
    try:
        # Bit-exact: otherwise each Ogg stream has a random serial number, and so another hash.
        with av.open(buffer, "w", format=container, options={"fflags": "+bitexact"}) as file:
            stream: Any = file.add_stream(codec, rate=sound.rate, layout=layout, options={"flags": "+bitexact"})
            stream.bit_rate = kbps * 1000
            frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(sound.samples.T), format="fltp", layout=layout)
            frame.sample_rate = sound.rate
            resampler = av.AudioResampler(
                format=stream.format.name,
                layout=layout,
                rate=sound.rate,
                frame_size=stream.codec_context.frame_size or 1024,
            )
            for piece in [*resampler.resample(frame), *resampler.resample(None), None]:
                file.mux(stream.encode(piece))
    except (av.FFmpegError, ValueError) as error:
        raise MediaError(f"{codec} can't encode this at {kbps} kbit/s ({error})") from None
    return buffer.getvalue()
