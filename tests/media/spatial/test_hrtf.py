"""HRTFs: SOFA files written here, a spherical head, and what both ears hear."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.media.spatial.sofa_files import read_sofa, write_sofa
from triptych.media.spatial import head
from triptych.media.spatial.ambisonics import encode
from triptych.media.spatial.head import spherical_head
from triptych.media.spatial.hrtf import binaural, foa_to_binaural, time_difference

h5py = pytest.importorskip("h5py", reason="h5py comes with the extra [build]")


RATE = 48_000


def test_a_sofa_file_is_read(tmp_path: Path) -> None:
    found = read_sofa(write_sofa(tmp_path / "a.sofa"))
    assert found.rate == 48_000 and found.responses.shape == (8, 2, 128)
    assert found.places[2] == pytest.approx([90, 0]) and found.places[6] == pytest.approx([-90, 0])
    assert found.nearest_direction(100) == 2 and found.nearest_direction(-80, 30) == 6


@pytest.mark.parametrize("azimuth", [0, 45, 90, -45, -90, 180])
def test_the_time_difference_is_that_of_the_file(tmp_path: Path, azimuth: int) -> None:
    found = read_sofa(write_sofa(tmp_path / "a.sofa"))
    late = round(30 - 30 * np.sin(np.radians(azimuth)))
    expected = (60 - 2 * late) / RATE  # positive: left is earlier
    for interpolate in (True, False):
        measured = time_difference(found.filters(azimuth, interpolate=interpolate), RATE)
        assert measured == pytest.approx(expected, abs=1 / RATE)
    heard = binaural(np.eye(1, 400, 50)[0], RATE, found, azimuth)
    assert time_difference(heard, RATE) == pytest.approx(expected, abs=1 / RATE)


def test_between_two_directions_the_time_difference_is_between_theirs(tmp_path: Path) -> None:
    found = read_sofa(write_sofa(tmp_path / "a.sofa"))
    assert found.weights(67.5)[0][1] == pytest.approx(0.5)
    a, b, c = (time_difference(found.filters(angle), RATE) for angle in (45, 67.5, 90))
    assert a < b < c and b == pytest.approx((a + c) / 2, abs=1 / RATE)
    made = found.filters(67.5)  # one click, not two
    assert np.sqrt(np.sum(made**2, axis=0)) == pytest.approx([1.0, 0.8], rel=0.05)


def test_delays_of_the_file_count(tmp_path: Path) -> None:
    found = read_sofa(write_sofa(tmp_path / "a.sofa", **{"Data.Delay": np.array([[0.0, 10.0]])}))
    assert time_difference(found.filters(0), RATE) == pytest.approx(10 / RATE, abs=0.5 / RATE)


def test_another_sampling_rate_keeps_direction_and_level(tmp_path: Path) -> None:
    own = spherical_head(RATE)
    other = own.resample(16_000)
    assert time_difference(other.filters(60), 16_000) == pytest.approx(head.time_difference(60), abs=1 / 16_000)
    tone = np.sin(2 * np.pi * 500 * np.arange(8000) / 16_000)
    a = binaural(tone, 16_000, own, 0.0)[2000:6000]
    assert np.sqrt(np.mean(a**2)) == pytest.approx(0.707, rel=0.1)


@settings(max_examples=30, deadline=None)
@given(st.floats(-180, 180), st.floats(-60, 60))
def test_the_spherical_head_has_woodworths_time_difference(azimuth: float, elevation: float) -> None:
    filters = spherical_head(RATE).filters(azimuth, elevation)
    assert time_difference(filters, RATE) == pytest.approx(head.time_difference(azimuth, elevation), abs=1 / RATE)


def test_ambisonics_is_heard_on_its_side() -> None:
    click = np.zeros(2000, np.float32)
    click[500] = 1
    for azimuth in (90.0, -90.0, 0.0):
        heard = foa_to_binaural(encode(click, azimuth), RATE, spherical_head(RATE))
        difference = time_difference(heard, RATE)
        assert np.sign(round(difference * RATE)) == np.sign(azimuth)
