"""Tests of `media/spatial/angles.py`: directions in degrees, and vectors (x to the front, y to the left, z up)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.media.spatial.angles import angle_between, directions, unit_vectors, wrapped

azimuths = st.floats(-720, 720)
elevations = st.floats(-89, 89)


@pytest.mark.parametrize(
    ("azimuth", "elevation", "vector"),
    [
        (0, 0, [1, 0, 0]),
        (90, 0, [0, 1, 0]),
        (-90, 0, [0, -1, 0]),
        (180, 0, [-1, 0, 0]),
        (0, 90, [0, 0, 1]),
        (123, -90, [0, 0, -1]),
        (45, 30, [math.sqrt(3 / 8), math.sqrt(3 / 8), 0.5]),
    ],
)
def test_directions_by_hand(azimuth: float, elevation: float, vector: list[float]) -> None:
    """The convention of SOFA and of ambisonics: azimuth counter-clockwise from the front, elevation upwards."""
    assert unit_vectors(azimuth, elevation) == pytest.approx(np.array(vector), abs=1e-12)


@given(azimuths, elevations, st.floats(0.01, 100))
def test_a_vector_of_any_length_has_the_direction_it_was_made_of(
    azimuth: float, elevation: float, length: float
) -> None:
    a, e = directions(length * unit_vectors(azimuth, elevation))
    assert wrapped(a - azimuth) == pytest.approx(0, abs=1e-6) and e == pytest.approx(elevation, abs=1e-6)


def test_azimuths_and_elevations_are_broadcast() -> None:
    vectors = unit_vectors(np.array([0.0, 90.0, 180.0])[:, None], np.array([0.0, 30.0]))
    assert vectors.shape == (3, 2, 3) and np.linalg.norm(vectors, axis=-1) == pytest.approx(np.ones((3, 2)))
    a, e = directions(vectors)
    assert a[1] == pytest.approx([90, 90]) and e[:, 1] == pytest.approx([30, 30, 30])


def test_the_zero_vector_has_the_direction_of_the_front() -> None:
    assert directions(np.zeros(3)) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("degrees", "expected"), [(0, 0), (180, -180), (-180, -180), (179.5, 179.5), (181, -179), (-540, -180), (725, 5)]
)
def test_azimuths_are_wrapped_to_half_a_turn_in_each_direction(degrees: float, expected: float) -> None:
    assert wrapped(degrees) == expected
    assert wrapped(np.array([degrees, degrees + 360.0])) == pytest.approx([expected, expected])


@given(azimuths, elevations, azimuths, elevations)
def test_angles_are_those_of_the_spherical_law_of_cosines(a1: float, e1: float, a2: float, e2: float) -> None:
    x, y, turn = math.radians(e1), math.radians(e2), math.radians(a1 - a2)
    cosine = math.sin(x) * math.sin(y) + math.cos(x) * math.cos(y) * math.cos(turn)
    expected = math.degrees(math.acos(max(-1.0, min(1.0, cosine))))
    assert angle_between(unit_vectors(a1, e1), unit_vectors(a2, e2)) == pytest.approx(expected, abs=1e-4)


def test_small_and_straight_angles_are_exact() -> None:
    """Where the arc cosine of a product of vectors loses its digits."""
    front = unit_vectors(0.0)
    assert angle_between(front, unit_vectors(1e-7)) == pytest.approx(1e-7, rel=1e-6)
    assert angle_between(front, unit_vectors(180.0)) == pytest.approx(180.0)
    assert angle_between(front, front) == 0.0
