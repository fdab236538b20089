"""Frames of a video: as many per second as asked, never more than allowed, spread over all of it."""

from __future__ import annotations

import io

import numpy as np
import pytest

from tests.media.films.test_timeline import numbers
from tests.support.known_films import known_film
from triptych.errors import MediaError
from triptych.media.films.frames import film
from triptych.media.opening import pyav


def made(frames: int, rate: int = 10) -> bytes:
    """A video whose frames get brighter."""
    pytest.importorskip("av")
    buffer = io.BytesIO()
    with pyav().open(buffer, "w", format="mp4") as box:
        stream = box.add_stream("mpeg4", rate=rate)
        stream.width, stream.height, stream.pix_fmt = 32, 32, "yuv420p"
        for number in range(frames):
            pixels = np.full((32, 32, 3), 255 * number // frames, np.uint8)
            box.mux(stream.encode(pyav().VideoFrame.from_ndarray(pixels, format="rgb24")))
        box.mux(stream.encode(None))
    return buffer.getvalue()


@pytest.mark.parametrize(("per_second", "most", "taken"), [(1, 32, 3), (2, 32, 6), (2, 4, 4), (0.1, 32, 1)])
def test_frames_are_taken_by_length_and_limit(per_second: float, most: int, taken: int) -> None:
    shown = film(made(30), per_second, most)
    assert len(shown.pictures) == taken and shown.frames == 30
    brightness = [float(picture.mean()) for picture in shown.pictures]
    assert brightness == sorted(brightness)
    assert taken == 1 or brightness[-1] > 128 > brightness[0]


def test_a_rate_of_zero_is_refused() -> None:
    with pytest.raises(MediaError, match="above 0"):
        film(b"", 0, 4)


@pytest.mark.parametrize("turned", [90, 180, 270])
def test_turned_films_are_upright(turned: int) -> None:
    """The red corner, at the bottom left of the stored frames, goes where players show it."""
    (picture,) = film(known_film(1, turned=turned), None, 1).pictures
    assert picture.shape[:2] == ((64, 48) if turned != 180 else (48, 64))
    corners = {90: (-4, -4), 180: (4, -4), 270: (4, 4)}  # anticlockwise: bottom right, top right, top left
    row, column = corners[turned]
    assert picture[row, column, 0] > 120 > picture[row, column, 1]


def test_a_long_film_is_decoded_only_where_frames_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """90 min at 2 frames a second: 16 frames need the frames from each key frame on, not all 10,800."""
    from triptych.media.films import frames as films

    decoded = 0
    right = films.frames

    def counted(*told: object) -> object:
        nonlocal decoded
        for one in right(*told):
            decoded += 1
            yield one

    data = known_film(10_800, 2)
    monkeypatch.setattr(films, "frames", counted)
    found, told = numbers(data, None, 16)
    assert len(found) == 16 and told[-1] > 5_000
    assert decoded < 16 * 260  # x264 puts a key frame after 250 frames at most


def test_frames_can_be_made_smaller_as_they_are_decoded() -> None:
    shown = film(known_film(), None, 2, resize=lambda pixels, frames: pixels[::frames, ::frames])
    assert shown.pictures[0].shape == (24, 32, 3)
