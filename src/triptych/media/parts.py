"""Parts of recordings and films, from one second to another, cut when the file is read.

A part may end up to a second after its file does, since released times are rounded. A part that ends later, or begins
after the end, is an error: its times belong to another file.
"""

from __future__ import annotations

import io
from fractions import Fraction
from typing import Any

from triptych.errors import MediaError
from triptych.media.opening import (
    Undecodable,
    check_samples,
    frames,
    length_of,
    opened_container,
    opened_sound,
    packets,
    pyav,
)
from triptych.media.pictures.upright import upright_pixels
from triptych.media.sound.coding import decode_sound, encode_wav

ROUNDED_S = 1.0
_CLOCK = Fraction(1, 90_000)  # seconds by which times of pictures are counted


def part_of_sound(data: bytes, begin: float, end: float | None, where: object = None) -> bytes:
    """Return a part of a recording as 16-bit WAV with the recording's rate and channels.

    Raises MediaError if it can't be decoded, or if the part isn't in it.
    """
    try:
        with opened_sound(data, where) as sound:
            first, last = _samples(begin, end, sound.frames, sound.samplerate, where)
            check_samples((last - first) * sound.channels, where)
            sound.seek(first)
            return encode_wav(sound.read(last - first, dtype="int16", always_2d=True), sound.samplerate)
    except Undecodable:
        decoded = decode_sound(data, where)
        first, last = _samples(begin, end, len(decoded.samples), decoded.rate, where)
        return encode_wav(decoded.samples[first:last], decoded.rate)


def _samples(begin: float, end: float | None, frames_: int, rate: int, where: object) -> tuple[int, int]:
    _check(begin, end, frames_ / rate, where)
    return round(begin * rate), frames_ if end is None else min(frames_, round(end * rate))


def _check(begin: float, end: float | None, seconds: float, where: object) -> None:
    if begin >= seconds or (end is not None and end > seconds + ROUNDED_S):
        text = f"{begin:g} s to {'the end' if end is None else f'{end:g} s'}"
        raise MediaError("the file ends before the part of it does", where=where, expected=text, got=f"{seconds:.2f} s")


def part_of_film(data: bytes, begin: float, end: float | None, where: object = None) -> bytes:
    """Return a part of a film in its size: pictures as H.264, the sound's packets as they are; in MP4, or in Matroska
    if MP4 can't hold the sound.

    The picture that is visible when the part begins is its first. Raises MediaError if the film can't be decoded, or if
    the part isn't in it.
    """
    try:
        return _cut(data, begin, end, "mp4", where)
    except Undecodable:  # perhaps since MP4 can't hold the sound; a damaged film fails again
        return _cut(data, begin, end, "matroska", where)


def _cut(data: bytes, begin: float, end: float | None, format_: str, where: object) -> bytes:
    from triptych.media.films.changes import EXACT, check_bounded, even_sides, h264_stream

    av, buffer = pyav("video", where), io.BytesIO()
    with opened_container(data, where, "video") as source:
        if not source.streams.video:
            raise MediaError("the video has no picture track", where=where)
        if seconds := length_of(source):
            _check(begin, end, seconds, where)
        with av.open(buffer, "w", format=format_, options=EXACT) as target:
            pictures = source.streams.video[0]
            sound = source.streams.audio[0] if source.streams.audio else None
            sound_out = target.add_stream_from_template(sound) if sound else None
            cut = _Cut(source, begin, end, where)
            out = None
            for seconds, pixels in cut.pictures(pictures):
                changed = even_sides(pixels)
                if out is None:
                    out = h264_stream(target, changed.shape, pictures.average_rate)
                    out.codec_context.time_base = _CLOCK  # a part may begin between two pictures of a steady rate
                fresh = av.VideoFrame.from_ndarray(changed, format="rgb24")
                fresh.pts, fresh.time_base = round(seconds / _CLOCK), _CLOCK
                target.mux(out.encode(fresh))
                check_bounded(buffer, where)
            if out is None:
                raise MediaError("the part has no frames", where=where, got=f"from {begin:g} s")
            target.mux(out.encode(None))
            if sound is not None:
                for packet in cut.sound_packets(sound):
                    packet.stream = sound_out
                    target.mux(packet)
    return buffer.getvalue()


class _Cut:
    """Reads the pictures, then the sound of a part; times are those of the whole film's clock."""

    def __init__(self, source: Any, begin: float, end: float | None, where: object) -> None:
        self.source, self.begin, self.where = source, begin, where
        self.end = float("inf") if end is None else end
        self.start = (source.start_time or 0) / 1_000_000

    def _seek(self) -> None:
        self.source.seek(int(max(0.0, self.begin + self.start - 0.5) * 1_000_000))

    def pictures(self, stream: Any) -> Any:
        """Yield (seconds from the part's beginning, pixels) of the pictures that are visible in the part."""
        self._seek()
        standing = None
        for frame in frames(self.source, stream, self.where):
            if frame.pts is None:
                continue
            at = float(frame.pts * stream.time_base) - self.start - self.begin
            if at >= self.end - self.begin:
                break
            if at >= 0:
                if standing is not None and at > 1e-3:
                    yield 0.0, upright_pixels(standing)
                standing = None
                yield at, upright_pixels(frame)
            else:
                standing = frame
        if standing is not None:
            yield 0.0, upright_pixels(standing)

    def sound_packets(self, stream: Any) -> Any:
        """Yield the packets of the part, with times from its beginning."""
        self._seek()
        shift = round((self.begin + self.start) / stream.time_base)
        for packet in packets(self.source, stream, where=self.where):
            if packet.dts is None or packet.pts is None:
                continue
            at = float(packet.pts * stream.time_base) - self.start
            if at >= self.end:
                break
            if at >= self.begin - 1e-3:
                packet.pts, packet.dts = max(0, packet.pts - shift), max(0, packet.dts - shift)
                yield packet
