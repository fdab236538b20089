"""Lengths of recordings and videos, and truncation of recordings that are too long for a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from triptych.errors import MediaError
from triptych.media.opening import Undecodable, frames, length_of, opened_container, opened_sound, read_samples
from triptych.media.sound.coding import encode_wav


def seconds_of(path: Path) -> float:
    """Return the length of a recording in seconds, from its header. Raises MediaError if it can't be read."""
    with opened_sound(path, path) as sound:
        return float(sound.frames / sound.samplerate)


def film_seconds(path: Path) -> float | None:
    """Return the length in seconds that a recording or video declares; None if it declares none or can't be read."""
    try:
        with opened_container(path, path, "video") as container:
            return length_of(container) or None
    except MediaError:
        return None


def media_seconds(path: Path) -> float | None:
    """Return the length in seconds of a recording in any container; None if it is unknown."""
    try:
        return seconds_of(path)
    except Undecodable:
        return film_seconds(path)


def probed(path: Path) -> dict[str, Any]:
    """Return what a recording or film declares: length, format, and codec and size of its first sound and picture.

    The first frame of both streams is decoded, so that damage at the beginning is found. `seconds` is None if the file
    declares no length; a stream that is missing leaves its fields out. Raises MediaError for a file that can't be
    decoded.
    """
    with opened_container(path, path, "video") as container:
        facts: dict[str, Any] = {"seconds": length_of(container) or None, "format": container.format.name}
        for stream in container.streams.audio[:1]:
            codec = stream.codec_context
            facts |= {"audio_codec": codec.name, "rate": codec.sample_rate, "channels": codec.channels}
        for stream in container.streams.video[:1]:
            codec, rate = stream.codec_context, stream.average_rate
            facts |= {"video_codec": codec.name, "width": codec.width, "height": codec.height}
            facts["per_second"] = round(float(rate), 3) if rate else None
    for kind in ("audio", "video"):
        if f"{kind}_codec" in facts:
            _first_frame(path, kind)
    return facts


def _first_frame(path: Path, kind: str) -> None:
    """Raise MediaError if a stream has no frame that can be decoded."""
    with opened_container(path, path, "video") as container:
        if next(frames(container, getattr(container.streams, kind)[0], path), None) is None:
            raise MediaError(f"the {kind} stream is empty", where=path)


def cut_sound(data: bytes, seconds: float, where: str) -> bytes:
    """Return the bytes unchanged if the recording is at most `seconds` long, otherwise its beginning as 16-bit WAV.

    Raises MediaError if the recording can't be decoded.
    """
    with opened_sound(data, where) as sound:
        max_frames, rate = int(seconds * sound.samplerate), sound.samplerate
        if sound.frames <= max_frames:
            return data
        samples = read_samples(sound, where, dtype="int16", first=max_frames)
    return encode_wav(samples, rate)
