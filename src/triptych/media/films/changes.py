"""Changes of videos: without their audio, or with changed frames and the original audio."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from triptych.errors import MediaError
from triptych.media.opening import MAX_BYTES, frames, length_of, opened_container, packets, pyav
from triptych.media.pictures.upright import upright_pixels

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_PIXELS = 3840 * 2160
EXACT = {"fflags": "+bitexact"}


class _DoesNotFit(MediaError):
    """The container doesn't support the video's codec."""


def mute(data: bytes, where: object = None) -> bytes:
    """Return the video without audio, in MP4, or Matroska if MP4 doesn't support its codec. Frames are not encoded
    again.
    """
    for container in ("mp4", "matroska"):
        try:
            return _pictures_alone(data, container, where)
        except _DoesNotFit:
            continue
    raise MediaError("no supported container can hold this video codec", where=where)


def with_pictures(data: bytes, change: Callable[[Any], Any], where: object = None) -> bytes:
    """Return the video with each frame (an array of shape (height, width, 3)) changed, as H.264 in MP4, with the
    original audio.

    Frames are changed one by one. Heights and widths become even, as required by H.264.
    """
    av, buffer = pyav("video", where), io.BytesIO()
    with _opened(data, where) as source, av.open(buffer, "w", format="mp4", options=EXACT) as target:
        pictures = source.streams.video[0]
        sound = source.streams.audio[0] if source.streams.audio else None
        out = None
        sound_out = target.add_stream_from_template(sound) if sound else None
        waiting: list[Any] = []  # audio packets before the first frame
        for packet in packets(source, *filter(None, (pictures, sound)), where=where):
            if sound is not None and packet.stream is sound:
                if packet.dts is not None:
                    waiting.append(packet)
            else:
                for frame in packet.decode():
                    changed = even_sides(change(upright_pixels(frame)))
                    if out is None:
                        out = h264_stream(target, changed.shape, pictures.average_rate)
                    fresh = av.VideoFrame.from_ndarray(changed, format="rgb24")
                    fresh.pts, fresh.time_base = frame.pts, pictures.time_base
                    target.mux(out.encode(fresh))
                    check_bounded(buffer, where)
            while out is not None and waiting:
                held = waiting.pop(0)
                held.stream = sound_out
                target.mux(held)
        if out is None:
            raise MediaError("the video has no frames", where=where)
        target.mux(out.encode(None))
    return buffer.getvalue()


def glimpse(data: bytes, where: object = None) -> tuple[float, Any]:
    """Return (length in seconds, the middle frame as a PIL image) of a video, after reading both of its ends.

    Raises MediaError if it has no frames, or if its end can't be read (a truncated file).
    """
    from PIL import Image

    with _opened(data, where) as container:
        stream = container.streams.video[0]
        seconds = length_of(container)
        pictures = [_picture_at(container, stream, seconds * share, where) for share in (0.0, 0.5, 0.9)]
        if any(picture is None for picture in pictures):
            raise MediaError("the end of the video can't be read; the file may be truncated", where=where)
        return seconds, Image.fromarray(upright_pixels(pictures[1]))


def _picture_at(container: Any, stream: Any, second: float, where: object) -> Any:
    """Return the first frame that can be decoded from the key frame before a time; None if there is none."""
    container.seek(int(second * 1_000_000))
    return next(frames(container, stream, where), None)


def _pictures_alone(data: bytes, container: str, where: object) -> bytes:
    av, buffer = pyav("video", where), io.BytesIO()
    with _opened(data, where) as source, av.open(buffer, "w", format=container, options=EXACT) as target:
        pictures = source.streams.video[0]
        try:
            out = target.add_stream_from_template(pictures)
        except ValueError as error:
            raise _DoesNotFit(f"{container} doesn't support this video codec ({error})", where=where) from None
        for packet in packets(source, pictures, where=where):
            if packet.dts is not None:
                packet.stream = out
                target.mux(packet)
    return buffer.getvalue()


@contextmanager
def _opened(data: bytes, where: object) -> Iterator[Any]:
    with opened_container(data, where, "video") as container:
        if not container.streams.video:
            raise MediaError("the video has no picture track", where=where)
        size = container.streams.video[0]
        if size.width * size.height > MAX_PIXELS:
            raise MediaError("the video is too large to change", where=where, got=f"{size.width}x{size.height}")
        yield container


def check_bounded(made: io.BytesIO, where: object) -> None:
    if made.tell() > MAX_BYTES:
        raise MediaError(
            "the changed video is too large", where=where, expected=f"<= {MAX_BYTES} bytes", fix="cut it first"
        )


def h264_stream(target: Any, shape: tuple[int, ...], rate: Fraction | None) -> Any:
    # Slower presets look ahead in several threads, and don't produce the same bytes every time.
    options = {"preset": "ultrafast", "threads": "1", "flags": "+bitexact", "crf": "18"}
    stream = target.add_stream("libx264", rate=rate or 25, options=options)
    stream.height, stream.width, stream.pix_fmt = shape[0], shape[1], "yuv420p"
    return stream


def even_sides(pixels: Any) -> Any:
    import numpy as np

    height, width = pixels.shape[:2]
    padded = np.pad(pixels, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
    return np.ascontiguousarray(padded)
