"""Conversion of media for endpoints that don't accept the original format; the original bytes are sent wherever
possible.
"""

from __future__ import annotations

import hashlib
import io
from collections import OrderedDict
from dataclasses import replace
from threading import Lock

from triptych.errors import MediaError
from triptych.media.opening import Undecodable, opened_picture, opened_sound, read_samples
from triptych.media.payload import Payload
from triptych.media.pictures.upright import upright
from triptych.media.sound.coding import encode_wav

MAX_CACHED_BYTES = 48 * 2**20  # bytes of converted files in memory: the questions about one talk follow each other


class _Converted:
    """The last converted files by the hash of the original, up to a total size."""

    def __init__(self, max_pixels: int) -> None:
        self.max_bytes = max_pixels
        self._files: OrderedDict[bytes, bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, key: bytes) -> bytes | None:
        with self._lock:
            if key in self._files:
                self._files.move_to_end(key)
            return self._files.get(key)

    def put(self, key: bytes, made: bytes) -> None:
        if len(made) > self.max_bytes:
            return
        with self._lock:
            self._files[key] = made
            while sum(map(len, self._files.values())) > self.max_bytes:
                self._files.popitem(last=False)


_CONVERTED = _Converted(MAX_CACHED_BYTES)


def audio_to_wav(payload: Payload) -> Payload:
    """Return the audio as 16-bit WAV at its own rate and channels; the hash stays that of the original file.

    Raises MediaError if the audio can't be decoded or has too many samples: a small file can contain, or claim, days of
    silence.
    """
    key = hashlib.blake2b(payload.data).digest()
    if (made := _CONVERTED.get(key)) is not None:
        return replace(payload, data=made, mime="audio/wav")
    try:
        with opened_sound(payload.data, payload.path) as sound:
            samples, rate = read_samples(sound, payload.path, dtype="int16"), sound.samplerate
    except Undecodable as error:
        fix = "convert it to WAV, or send it unchanged: -M audio_formats=…"
        raise MediaError(error.problem, where=payload.path, fix=fix) from None
    made = encode_wav(samples, rate)
    _CONVERTED.put(key, made)
    return replace(payload, data=made, mime="audio/wav")


def image_to_png(payload: Payload) -> Payload:
    """Return the image as PNG, as people see it; the hash stays that of the original file.

    Raises MediaError if it can't be decoded.
    """
    buffer = io.BytesIO()
    with opened_picture(payload.data, payload.path) as image:
        upright(image).save(buffer, "PNG")
    return replace(payload, data=buffer.getvalue(), mime="image/png")
