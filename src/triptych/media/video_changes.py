"""Changes of a video: without its sound, or with other pictures and the sound as it was."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from triptych.errors import MediaError
from triptych.media.opening import MAX_BYTES, frames, length_of, opened_container, packets, pyav

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_PIXELS = 3840 * 2160
_EXACT = {"fflags": "+bitexact"}


class _DoesNotFit(MediaError):
    """A container can't hold a video's pictures as they are coded."""


def mute(data: bytes, where: object = None) -> bytes:
    """The video without its sound; its pictures are not coded again. As MP4, or Matroska where MP4 can't hold them."""
    for container in ("mp4", "matroska"):
        try:
            return _pictures_alone(data, container, where)
        except _DoesNotFit:
            continue
    raise MediaError("the video's pictures fit no container here", where=where)


def with_pictures(data: bytes, change: Callable[[Any], Any], where: object = None) -> bytes:
    """The video with each picture (an array: height, width, 3) changed, as H.264 in MP4; the sound as it was.

    Pictures are changed one by one; heights and widths become even, which H.264 asks for.
    """
    av, buffer = pyav("video", where), io.BytesIO()
    with _opened(data, where) as source, av.open(buffer, "w", format="mp4", options=_EXACT) as target:
        pictures = source.streams.video[0]
        sound = source.streams.audio[0] if source.streams.audio else None
        out = None
        sound_out = target.add_stream_from_template(sound) if sound else None
        waiting: list[Any] = []  # packets of sound that come before the first picture
        for packet in packets(source, *filter(None, (pictures, sound)), where=where):
            if sound is not None and packet.stream is sound:
                if packet.dts is not None:
                    waiting.append(packet)
            else:
                for frame in packet.decode():
                    changed = _even(change(frame.to_ndarray(format="rgb24")))
                    if out is None:
                        out = _h264(target, changed.shape, pictures.average_rate)
                    fresh = av.VideoFrame.from_ndarray(changed, format="rgb24")
                    fresh.pts, fresh.time_base = frame.pts, pictures.time_base
                    target.mux(out.encode(fresh))
                    _bounded(buffer, where)
            while out is not None and waiting:
                held = waiting.pop(0)
                held.stream = sound_out
                target.mux(held)
        if out is None:
            raise MediaError("the video holds no picture", where=where)
        target.mux(out.encode(None))
    return buffer.getvalue()


def glimpse(data: bytes, where: object = None) -> tuple[float, Any]:
    """(seconds, the picture in the middle as a PIL image) of a video; both ends of it were looked at.

    Raises MediaError where it holds no picture, or its end can't be reached (a file cut short).
    """
    with _opened(data, where) as container:
        stream = container.streams.video[0]
        seconds = length_of(container)
        pictures = [_picture_at(container, stream, seconds * share, where) for share in (0.0, 0.5, 0.9)]
        if any(picture is None for picture in pictures):
            raise MediaError("the video can't be read to its end", where=where)
        return seconds, pictures[1].to_image()


def _picture_at(container: Any, stream: Any, second: float, where: object) -> Any:
    """The first picture that decodes from the key frame before a moment; None where there is none."""
    container.seek(int(second * 1_000_000))
    return next(frames(container, stream, where), None)


def _pictures_alone(data: bytes, container: str, where: object) -> bytes:
    av, buffer = pyav("video", where), io.BytesIO()
    with _opened(data, where) as source, av.open(buffer, "w", format=container, options=_EXACT) as target:
        pictures = source.streams.video[0]
        try:
            out = target.add_stream_from_template(pictures)
        except ValueError as error:
            raise _DoesNotFit(f"the pictures don't fit into {container} ({error})", where=where) from None
        for packet in packets(source, pictures, where=where):
            if packet.dts is not None:
                packet.stream = out
                target.mux(packet)
    return buffer.getvalue()


@contextmanager
def _opened(data: bytes, where: object) -> Iterator[Any]:
    with opened_container(data, where, "video") as container:
        if not container.streams.video:
            raise MediaError("there are no pictures in the video", where=where)
        size = container.streams.video[0]
        if size.width * size.height > MOST_PIXELS:
            raise MediaError("the video is too large to be changed", where=where, got=f"{size.width}x{size.height}")
        yield container


def _bounded(made: io.BytesIO, where: object) -> None:
    if made.tell() > MAX_BYTES:
        raise MediaError("the changed video is too large", where=where, expected=f"<= {MAX_BYTES} bytes",
                         fix="cut it first")  # fmt: skip


def _h264(target: Any, shape: tuple[int, ...], rate: Fraction | None) -> Any:
    # Slower presets look ahead, in several threads, and don't give the same bytes each time.
    options = {"preset": "ultrafast", "threads": "1", "flags": "+bitexact", "crf": "18"}
    stream = target.add_stream("libx264", rate=rate or 25, options=options)
    stream.height, stream.width, stream.pix_fmt = shape[0], shape[1], "yuv420p"
    return stream


def _even(pixels: Any) -> Any:
    import numpy as np

    height, width = pixels.shape[:2]
    padded = np.pad(pixels, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
    return np.ascontiguousarray(padded)
