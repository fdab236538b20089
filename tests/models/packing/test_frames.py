"""Tests of `models/packing/frames.py`: the size and the encoding of frames."""

from __future__ import annotations

import pytest

from triptych.models.packing.frames import size_of
from triptych.models.packing.packing import Packing


def test_sizes_never_enlarge_a_frame() -> None:
    assert size_of(100, 50, Packing(video="frames", size="512")) == (100, 50)
    assert size_of(1920, 1080, Packing(video="frames", size="960")) == (960, 540)
    assert size_of(1920, 1080, Packing(video="frames", size="512x512")) == (512, 512)
    width, height = size_of(1920, 1080, Packing(video="frames", pixels=262_144))
    assert width * height <= 262_144 < (width + 2) * (height + 2) and width / height == pytest.approx(16 / 9, rel=0.01)
