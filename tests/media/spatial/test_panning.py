"""Panning by physics: the tangent law and constant power."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.errors import MediaError
from triptych.media.spatial.angles import directions, unit_vectors, wrapped
from triptych.media.spatial.panning import STEREO, arrangement, pan, ring, spread, triangles, vbap

pytest.importorskip("scipy", reason="SciPy comes with the extra [build]")


@given(st.floats(-30, 30))
def test_a_pair_of_loudspeakers_follows_the_tangent_law(azimuth: float) -> None:
    left, right = vbap(azimuth, STEREO)
    assert (left - right) / (left + right) == pytest.approx(
        np.tan(np.radians(azimuth)) / np.tan(np.radians(30)), abs=1e-9
    )
    assert left**2 + right**2 == pytest.approx(1)


def test_the_level_difference_grows_with_the_angle() -> None:
    gains = vbap(np.linspace(-29, 29, 59))
    difference = 20 * np.log10(gains[:, 0] / gains[:, 1])
    assert (np.diff(difference) > 0).all() and difference[29] == pytest.approx(0, abs=1e-9)


@given(st.integers(3, 12), st.floats(-360, 360), st.floats(0, 90))
def test_a_ring_keeps_the_power_and_points_to_the_source(count: int, azimuth: float, first: float) -> None:
    speakers = ring(count, first)
    gains = vbap(azimuth, speakers)
    assert np.sum(gains**2) == pytest.approx(1) and (gains >= 0).all() and (gains > 1e-6).sum() <= 2
    pointed, _ = directions(gains @ unit_vectors(np.array(speakers)))
    assert wrapped(pointed - azimuth) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(("azimuth", "expected"), [(60.0, [1, 0]), (179.0, [1, 0]), (-100.0, [0, 1])])
def test_a_source_outside_the_pair_comes_from_the_nearest_loudspeaker(azimuth: float, expected: list[float]) -> None:
    assert vbap(azimuth).tolist() == expected


def test_a_source_is_panned_frame_by_frame() -> None:
    made = pan(np.ones(3, dtype=np.float32), np.array([30.0, 0.0, -30.0]))
    assert made == pytest.approx(np.array([[1, 0], [0.5**0.5, 0.5**0.5], [0, 1]]), abs=1e-6)


def test_an_arrangement_places_sources_from_left_to_right() -> None:
    rng = np.random.default_rng(1)
    sources = [rng.standard_normal(n).astype(np.float32) * 0.1 for n in (400, 500, 300)]
    made = arrangement(sources, spread(3))
    assert made.shape == (500, 2)
    assert np.corrcoef(made[:400, 0], sources[0])[0, 1] > np.corrcoef(made[:400, 1], sources[0])[0, 1] + 0.3
    assert np.abs(arrangement([np.ones(5), np.ones(5)], (0.0, 0.0))).max() == pytest.approx(1)


@pytest.mark.parametrize("speakers", [(30.0,), (30.0, 390.0), ()])
def test_loudspeakers_that_span_nothing_are_refused(speakers: tuple[float, ...]) -> None:
    with pytest.raises(MediaError):
        vbap(0.0, speakers)


def test_other_wrong_arguments_are_refused() -> None:
    with pytest.raises(MediaError, match="one azimuth"):
        arrangement([np.ones(3)], (0.0, 1.0))
    flat = unit_vectors(np.array([0.0, 90.0, 180.0, -90.0]))
    with pytest.raises(MediaError, match="one plane"):
        triangles(flat)
