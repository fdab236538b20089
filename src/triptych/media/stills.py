"""A few pictures out of a video, for what looks at pictures."""

from __future__ import annotations

from typing import Any

from triptych.errors import MediaError
from triptych.media.opening import frames, length_of, opened_container


def stills(data: bytes, count: int = 4, where: object = None) -> list[Any]:
    """Up to `count` RGB pictures (height, width, 3), evenly spread over the video; none where it has only sound.

    Raises MediaError for what can't be decoded.
    """
    with opened_container(data, where, "video") as container:
        if not container.streams.video:
            return []
        pixels = [frame.to_ndarray(format="rgb24") for frame in _spread(container, count, where)]
    if not pixels:
        raise MediaError("a video holds no frames", where=where)
    return pixels


def _spread(container: Any, count: int, where: object) -> list[Any]:
    """Frames in the middle of `count` equal stretches, decoded in one pass that keeps no more than those."""
    stream = container.streams.video[0]
    length = float(stream.duration * stream.time_base) if stream.duration else length_of(container)
    wanted = [length * (i + 0.5) / count for i in range(count)]
    taken: list[Any] = []
    last = None
    for frame in frames(container, stream, where):
        last = frame
        if len(taken) < count and float(frame.time or 0.0) >= wanted[len(taken)]:
            taken.append(frame)
        if len(taken) == count:
            break
    return taken or ([last] if last is not None else [])
