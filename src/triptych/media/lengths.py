"""How long recordings are, and cutting those that are longer than a model takes."""

from __future__ import annotations

import io
from pathlib import Path

from triptych.errors import MediaError
from triptych.media.sound import encode_wav


def seconds_of(path: Path) -> float:
    """A recording's length by its header. Raises MediaError for what is no recording that can be read."""
    import soundfile

    try:
        return float(soundfile.info(str(path)).duration)
    except (soundfile.SoundFileError, RuntimeError) as error:
        raise MediaError(f"audio can't be read ({error})", where=path) from None


def cut_sound(data: bytes, seconds: float, where: str) -> bytes:
    """The bytes as they are where the recording is no longer than that; else its beginning as 16-bit WAV.

    Raises MediaError for what can't be decoded.
    """
    import soundfile

    try:
        with soundfile.SoundFile(io.BytesIO(data)) as sound:
            most, rate = int(seconds * sound.samplerate), sound.samplerate
            if sound.frames <= most:
                return data
            samples = sound.read(most, dtype="int16", always_2d=True)
    except (soundfile.SoundFileError, RuntimeError) as error:
        raise MediaError(f"audio can't be decoded ({error})", where=where) from None
    return encode_wav(samples, rate)
