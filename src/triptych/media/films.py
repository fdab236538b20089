"""A number of frames that stands for a whole video, by its length."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from triptych.errors import MediaError
from triptych.media.opening import length_of, opened_container
from triptych.media.stills import stills


@dataclass(frozen=True)
class Film:
    """Frames taken from a video, the number of frames that it has (by its declared length and rate), and the seconds at
    which those that were taken are shown."""

    pictures: list[Any]
    frames: int
    times: tuple[float, ...] = ()


def film(data: bytes, per_second: float, most: int, where: object = None) -> Film:
    """Return `per_second` frames of a video, at least 1 and at most `most`, evenly spread over all of it.

    Each is an RGB array of shape (height, width, 3). Raises MediaError if the video can't be decoded or has no frames.
    """
    if not (per_second > 0 and most > 0):
        raise MediaError("the frames per second and their number must be above 0", got=f"{per_second:g}, {most}")
    with opened_container(data, where, "video") as container:
        if not container.streams.video:
            raise MediaError("the video has no picture track", where=where)
        stream = container.streams.video[0]
        length = float(stream.duration * stream.time_base) if stream.duration else length_of(container)
        known = stream.frames or round(length * float(stream.average_rate or 0))
    pictures = stills(data, max(1, min(most, math.ceil(length * per_second))), where)
    times = tuple(round(length * (place + 0.5) / len(pictures), 3) for place in range(len(pictures)))
    return Film(pictures, max(known, len(pictures)), times)
