"""Another container for media that an endpoint doesn't take as they are; original bytes go wherever they can."""

from __future__ import annotations

import io
from dataclasses import replace

from triptych.errors import MediaError
from triptych.media.payload import MAX_BYTES, Payload
from triptych.media.sound import encode_wav


def audio_to_wav(payload: Payload) -> Payload:
    """The audio as 16-bit WAV at its own rate and channels; the hash stays that of the file.

    Raises MediaError for what can't be decoded, and for what would be larger as WAV than a media file may be: a small
    file can hold days of silence, or say that it does.
    """
    import soundfile

    try:
        with soundfile.SoundFile(io.BytesIO(payload.data)) as sound:
            if (size := 2 * sound.frames * sound.channels) > MAX_BYTES:
                raise MediaError("audio is too long", where=payload.path, expected=f"<= {MAX_BYTES} bytes as WAV",
                                 got=size, fix="cut it first")  # fmt: skip
            samples, rate = sound.read(dtype="int16", always_2d=True), sound.samplerate
    except (soundfile.SoundFileError, RuntimeError) as error:
        fix = "convert it to WAV, or let the endpoint have it as it is: -M audio_formats=…"
        raise MediaError(f"audio can't be decoded ({error})", where=payload.path, fix=fix) from None
    return replace(payload, data=encode_wav(samples, rate), mime="audio/wav")


def image_to_png(payload: Payload) -> Payload:
    """The image as PNG; the hash stays that of the file. Raises MediaError for what can't be decoded."""
    from PIL import Image

    buffer = io.BytesIO()
    try:
        with Image.open(io.BytesIO(payload.data)) as image:
            image.save(buffer, "PNG")
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise MediaError(f"image can't be decoded ({error})", where=payload.path) from None
    return replace(payload, data=buffer.getvalue(), mime="image/png")
