"""Tests of `scoring/notes/media_sent.py`."""

from __future__ import annotations

import pytest

pytest.importorskip("av", reason="av is not installed")

from triptych.records import Response, Sent
from triptych.scoring.notes.media_sent import WhatWasSent


def test_the_words_for_what_was_sent() -> None:
    found = WhatWasSent()
    for number in (8, 32):
        times = tuple(map(float, range(number)))
        film = Sent("video", "a.mp4", "frames", width=512, height=288, times=times)
        found.add(Response("i", "", 0, "answered", sent=(film, Sent("audio", "a.mp4", "in_video", rate=16_000))))
    found.add(Response("j", "", 0, "answered", sent=(Sent("audio", "b.wav", "file", rate=8_000),)))
    assert found.words == {
        "audio": "as it is at 8,000 Hz; in video at 16,000 Hz",
        "video": "8 to 32 frames of 512 x 288",
    }
