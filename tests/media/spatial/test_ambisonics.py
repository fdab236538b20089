"""First-order ambisonics by physics, and against spaudiopy (which computes in N3D)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.spaudiopy import spaudiopy
from triptych.errors import MediaError
from triptych.media.spatial import ambisonics as foa
from triptych.media.spatial.ambisonics import MAX_RE, decode, decoder, encode, harmonics, rotate
from triptych.media.spatial.microphones import TETRAHEDRON, from_foa, to_foa
from triptych.media.spatial.panning import ring

pytest.importorskip("scipy", reason="SciPy comes with the extra [build]")


RATE = 24_000
ANGLES = st.floats(-720, 720)


def noise(frames: int = 2000, channels: int = 0, seed: int = 0) -> Any:
    shape = (frames, channels) if channels else (frames,)
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32) * 0.1


def decibels(part: Any, whole: Any) -> float:
    return float(10 * np.log10(np.sum(np.square(part, dtype=np.float64)) / np.sum(np.square(whole, dtype=np.float64))))


@given(st.floats(-180, 180), st.floats(-90, 90))
def test_harmonics_agree_with_spaudiopy(azimuth: float, elevation: float) -> None:
    spa = spaudiopy()
    n3d = spa.sph.sh_matrix(1, np.radians(azimuth), np.radians(90 - elevation), "real")  # orthonormal
    assert harmonics(azimuth, elevation) == pytest.approx(
        spa.sph.n3d_to_sn3d(n3d.T, 0)[:, 0] * np.sqrt(4 * np.pi), abs=1e-6
    )


def test_encoding_agrees_with_spaudiopy() -> None:
    spa, mono = spaudiopy(), noise()
    expected = spa.sph.n3d_to_sn3d(spa.sph.src_to_sh(mono, np.radians(40), np.radians(90 - 20), 1), 0) * np.sqrt(
        4 * np.pi
    )
    assert encode(mono, 40, 20) == pytest.approx(expected.T, abs=1e-6)


@given(ANGLES)
def test_a_rotation_keeps_the_energy(yaw: float) -> None:
    field = noise(channels=4)
    turned = rotate(field, yaw)
    assert abs(decibels(turned, field)) < 1e-5
    assert np.array_equal(turned[:, [0, 2]], field[:, [0, 2]])


@given(ANGLES)
def test_a_rotation_and_back_leaves_less_than_minus_100_db(yaw: float) -> None:
    field = noise(channels=4)
    assert decibels(rotate(rotate(field, yaw), -yaw) - field + 1e-12, field) < -100


@given(st.floats(-180, 180), st.floats(-180, 180))
def test_a_positive_rotation_moves_sources_to_the_left(azimuth: float, yaw: float) -> None:
    mono = noise(200)
    assert rotate(encode(mono, azimuth, 10), yaw) == pytest.approx(encode(mono, azimuth + yaw, 10), abs=1e-6)


@pytest.mark.parametrize("yaw", [90, 180, -90, 270, 360])
def test_quarter_turns_are_exact(yaw: int) -> None:
    field = noise(channels=4)
    assert np.array_equal(rotate(rotate(field, yaw), -yaw), field)


def test_a_rotation_agrees_with_spaudiopy() -> None:
    spa, field = spaudiopy(), noise(channels=4)
    expected = spa.sph.rotate_sh(field, np.radians(-37), 0, 0)  # spaudiopy turns the axes, not the sound field
    assert rotate(field, 37) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("count", [3, 4, 8])
@given(st.floats(-180, 180))
def test_a_ring_of_loudspeakers_restores_the_sound_field(count: int, azimuth: float) -> None:
    speakers = ring(count, 20.0)
    gains = decoder(speakers) @ harmonics(azimuth)
    assert gains.sum() == pytest.approx(1)
    assert gains @ harmonics(np.array(speakers)) == pytest.approx(harmonics(azimuth), abs=1e-9)


def test_max_re_maximises_the_energy_vector() -> None:
    def energy(weight: float) -> float:
        gains = (decoder(ring(8)) * [1, weight, 1, weight]) @ harmonics(0.0)
        return float((gains**2 @ harmonics(np.array(ring(8)))[:, 3]) / np.sum(gains**2))

    best = max(np.linspace(0, 1, 201), key=energy)
    assert best == pytest.approx(MAX_RE["plane"], abs=0.01)
    spa = spaudiopy()
    weights = spa.sph.max_rE_weights(1)
    assert weights[1] / weights[0] == pytest.approx(MAX_RE["sphere"], abs=0.01)


def test_in_phase_has_no_negative_gain() -> None:
    made = decode(encode(np.ones(3, np.float32), 15.0), ring(6), kind="in-phase")
    assert (made >= -1e-6).all()


def test_stereo_puts_left_on_the_left() -> None:
    left, right = foa.to_stereo(encode(np.ones(2, np.float32), 90.0))[0]
    assert (left, right) == (pytest.approx(1), pytest.approx(0, abs=1e-6))


@pytest.mark.parametrize("array", [np.zeros(5), np.zeros((5, 3)), np.zeros((2, 5, 4))])
def test_other_shapes_are_refused(array: Any) -> None:
    with pytest.raises(MediaError, match="ambisonics"):
        rotate(array, 10)


def test_too_few_loudspeakers_and_unknown_kinds_are_refused() -> None:
    with pytest.raises(MediaError, match="first order"):
        decoder((30.0, -30.0))
    with pytest.raises(MediaError, match="unknown kind"):
        decoder(ring(4), kind="magic")


@pytest.mark.parametrize("model", ["cardioid", "rigid-sphere"])
def test_four_microphones_and_back(model: str) -> None:
    """Below the limit of the filters, what the array records leads back to the sound field."""
    from scipy.signal import butter, sosfilt

    band = butter(6, (400, 8000), "bandpass", fs=RATE, output="sos")
    field = sosfilt(band, encode(noise(6000), 55.0, 20.0), axis=0).astype(np.float32)
    back = to_foa(from_foa(field, RATE, model=model), RATE, model=model)
    inner = slice(1000, -1000)
    assert decibels((back - field)[inner], field[inner]) < (-100 if model == "cardioid" else -25)


def test_cardioids_of_the_array_have_the_gains_of_cardioids() -> None:
    made = from_foa(encode(np.ones(4, np.float32), *TETRAHEDRON[2]), RATE, model="cardioid")[0]
    assert made[2] == pytest.approx(1) and made.max() == made[2]


def test_a_microphone_towards_the_source_hears_it_first_and_louder() -> None:
    """Physics of a rigid sphere: at 3 kHz the near microphone is louder, and it is reached earlier."""
    pulse = np.zeros(2000, np.float32)
    pulse[1000] = 1
    recorded = from_foa(encode(pulse, *TETRAHEDRON[0]), RATE)
    peaks = np.abs(recorded).max(axis=0)
    assert peaks.argmax() == 0
