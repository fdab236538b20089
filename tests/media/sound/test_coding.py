"""Tests of `media/sound/coding.py`."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.media.test_transform import film
from triptych.errors import MediaError
from triptych.media.films.stills import stills
from triptych.media.sound.coding import decode_sound, sound_track

pytest.importorskip("av")


def test_a_film_with_its_sound_in_another_file_stays_without_it(working: Path) -> None:
    """A QuickTime file can say that its samples lie elsewhere (`alis`, `url `)."""
    film_file = bytearray(film())
    place = film_file.index(b"url \x00\x00\x00\x01")
    film_file[place : place + 8] = b"url \x00\x00\x00\x00"  # "elsewhere", and no word where
    assert len(stills(bytes(film_file))) == len(stills(film())) > 0
    opened: list[str] = []
    sys.addaudithook(lambda event, given: opened.append(str(given[0])) if event == "open" else None)
    for read in (decode_sound, sound_track):  # the decoder takes the samples of this file, and no other one's
        assert np.allclose(read(bytes(film_file)).samples, read(film()).samples)
    assert not [path for path in opened if "secret" in path]


def test_a_recording_of_one_sample_a_second_does_not_grow_without_end() -> None:
    """At 16 kHz it would be 16,000 times as long."""
    head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 40_036, b"WAVE", b"fmt ", 16, 1, 1, 1, 1, 1, 8, b"data", 40_000)
    slow = decode_sound(head + b"\x80" * 40_000)
    assert slow.rate == 1 and slow.seconds == 40_000
    for grow in (lambda: slow.mono(), lambda: slow.resample(48_000)):
        with pytest.raises(MediaError, match="too long"):
            grow()
