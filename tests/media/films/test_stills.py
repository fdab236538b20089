"""Tests of `media/films/stills.py`: extracting a few frames from a video, for models that take images."""

from __future__ import annotations

import struct

import pytest

from tests.media.test_transform import film
from triptych.media.films.stills import stills

pytest.importorskip("av")


def test_the_size_that_a_container_declares_is_not_believed() -> None:
    """The codec's own one counts, and this is a small film."""
    data, small = bytearray(film()), stills(film())
    places = [(b"avc1", 28, struct.pack(">HH", 60_000, 60_000)), (b"tkhd", 80, struct.pack(">II", *[60_000 << 16] * 2))]
    for box, offset, size in places:
        at = data.index(box) + offset
        data[at : at + len(size)] = size
    assert [still.shape for still in stills(bytes(data))] == [still.shape for still in small]
