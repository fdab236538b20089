"""Extracting a few frames from a video, for models that take images."""

from __future__ import annotations

from typing import Any

from triptych.media.films.frames import film
from triptych.media.opening import opened_container


def stills(data: bytes, count: int = 4, where: object = None) -> list[Any]:
    """Return up to `count` RGB frames, each of shape (height, width, 3), evenly spread over the video; none if it has
    only audio.

    Raises MediaError if the video can't be decoded.
    """
    with opened_container(data, where, "video") as container:
        if not container.streams.video:
            return []
    return film(data, None, count, where).pictures
