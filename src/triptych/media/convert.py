"""Conversion of media for endpoints that don't accept the original format; the original bytes are sent wherever
possible.
"""

from __future__ import annotations

import io
from dataclasses import replace

from triptych.errors import MediaError
from triptych.media.opening import Undecodable, opened_picture, opened_sound, read_samples
from triptych.media.payload import Payload
from triptych.media.sound import encode_wav
from triptych.media.upright import upright


def audio_to_wav(payload: Payload) -> Payload:
    """Return the audio as 16-bit WAV at its own rate and channels; the hash stays that of the original file.

    Raises MediaError if the audio can't be decoded or has too many samples: a small file can contain, or claim, days of
    silence.
    """
    try:
        with opened_sound(payload.data, payload.path) as sound:
            samples, rate = read_samples(sound, payload.path, dtype="int16"), sound.samplerate
    except Undecodable as error:
        fix = "convert it to WAV, or send it unchanged: -M audio_formats=…"
        raise MediaError(error.problem, where=payload.path, fix=fix) from None
    return replace(payload, data=encode_wav(samples, rate), mime="audio/wav")


def image_to_png(payload: Payload) -> Payload:
    """Return the image as PNG, as people see it; the hash stays that of the original file.

    Raises MediaError if it can't be decoded.
    """
    buffer = io.BytesIO()
    with opened_picture(payload.data, payload.path) as image:
        upright(image).save(buffer, "PNG")
    return replace(payload, data=buffer.getvalue(), mime="image/png")
