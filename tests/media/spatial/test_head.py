"""Tests of `media/spatial/head.py`: A spherical head."""

from __future__ import annotations

import numpy as np
import pytest

from tests.media.spatial.test_hrtf import RATE
from triptych.media.spatial.head import spherical_head

h5py = pytest.importorskip("h5py", reason="h5py comes with the extra [build]")


def test_the_far_ear_is_in_the_shadow() -> None:
    left, right = np.abs(np.fft.rfft(spherical_head(RATE).filters(90.0), axis=0)).T
    high = slice(len(left) * 4 // 24, len(left) * 12 // 24)
    assert left[high].mean() > 3 * right[high].mean()
    assert left[1] == pytest.approx(right[1], rel=0.15)  # at low frequencies, both ears hear the same level
