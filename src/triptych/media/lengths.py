"""How long recordings and videos are, and cutting recordings that are longer than a model takes."""

from __future__ import annotations

from pathlib import Path

from triptych.errors import MediaError
from triptych.media.opening import Undecodable, length_of, opened_container, opened_sound, read_samples
from triptych.media.sound import encode_wav


def seconds_of(path: Path) -> float:
    """A recording's length by its header. Raises MediaError for what is no recording that can be read."""
    with opened_sound(path, path) as sound:
        return float(sound.frames / sound.samplerate)


def film_seconds(path: Path) -> float | None:
    """The length that a recording or video declares; None where it declares none, or can't be read here."""
    try:
        with opened_container(path, path, "video") as container:
            return length_of(container) or None
    except MediaError:
        return None


def media_seconds(path: Path) -> float | None:
    """The length of a recording in any container; None where it can't be told."""
    try:
        return seconds_of(path)
    except Undecodable:
        return film_seconds(path)


def cut_sound(data: bytes, seconds: float, where: str) -> bytes:
    """The bytes as they are where the recording is no longer than that; else its beginning as 16-bit WAV.

    Raises MediaError for what can't be decoded.
    """
    with opened_sound(data, where) as sound:
        most, rate = int(seconds * sound.samplerate), sound.samplerate
        if sound.frames <= most:
            return data
        samples = read_samples(sound, where, dtype="int16", first=most)
    return encode_wav(samples, rate)
