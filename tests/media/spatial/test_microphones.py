"""Tests of `media/spatial/microphones.py`."""

from __future__ import annotations

import numpy as np
import pytest

from tests.media.spatial.test_ambisonics import RATE, noise
from tests.support.spaudiopy import spaudiopy
from triptych.errors import MediaError
from triptych.media.spatial.microphones import TETRAHEDRON, sphere_response, to_foa

pytest.importorskip("scipy", reason="SciPy comes with the extra [build]")


def test_the_sphere_agrees_with_spaudiopy() -> None:
    spa = spaudiopy()
    frequencies = np.array([100.0, 500.0, 1500.0, 3000.0])
    kr = 2 * np.pi * frequencies * 0.042 / 343
    for degree in (0, 1):
        expected = spa.sph.mode_strength(degree, kr, "rigid") / (4 * np.pi) * (2 * degree + 1)
        ours = sphere_response(frequencies, degree)
        assert np.abs(ours) == pytest.approx(np.abs(expected), rel=1e-6)
    assert sphere_response(1.0, 0) == pytest.approx(1, abs=1e-3)


def test_wrong_arrays_are_refused() -> None:
    field = noise(50, 4)
    with pytest.raises(MediaError, match="tetrahedron"):
        to_foa(field, RATE, [(0, 0), (90, 0), (180, 0), (-90, 0)])
    with pytest.raises(MediaError, match="four"):
        to_foa(field, RATE, TETRAHEDRON[:3])
    with pytest.raises(MediaError, match="model"):
        to_foa(field, RATE, model="paper")
