"""Tests of `media/scenes/turning.py`: sound and picture of a scene turn by one angle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.media.scenes.test_panorama import marked
from triptych.media.scenes.panorama import View
from triptych.media.scenes.turning import Turn
from triptych.media.spatial.ambisonics import encode


@settings(max_examples=15, deadline=None)
@given(st.floats(-179, 179), st.sampled_from([90.0, 180.0, -90.0, 33.0]))
def test_sound_and_picture_turn_together(azimuth: float, yaw: float) -> None:
    turn = Turn(yaw)
    field = turn.turn_sound(encode(np.ones(4, np.float32), azimuth))[0]
    heard = float(np.degrees(np.arctan2(field[1], field[3])))
    assert (turn.azimuth(azimuth) - heard + 180) % 360 == pytest.approx(180, abs=1e-3)
    seen = View(heard, 0, 40, 81, 81).crop(turn.panorama(marked(azimuth)))
    assert seen[40, 40, 0] > 200


def test_an_azimuth_moves_to_the_left_and_stays_within_half_a_turn() -> None:
    assert Turn(90).azimuth(-30) == 60 and Turn(-90).azimuth(-30) == -120
    assert Turn(20).azimuth(170) == -170 and Turn(180).azimuth(0) == -180
    assert Turn(350).azimuth(np.array([0.0, 15.0, -175.0])).tolist() == [-10.0, 5.0, 175.0]


@given(st.floats(-180, 179), st.floats(-720, 720))
def test_the_opposite_turn_undoes_a_turn(azimuth: float, yaw: float) -> None:
    back = Turn(-yaw).azimuth(Turn(yaw).azimuth(azimuth))
    assert (back - azimuth + 180) % 360 == pytest.approx(180, abs=1e-6)


def test_what_has_no_direction_does_not_turn() -> None:
    """The omnidirectional signal (W) and height (Z) of ambisonics in ACN order (W, Y, Z, X), and a plain panorama."""
    sound = encode(np.ones(4, np.float32), 40.0, 30.0)
    turned = Turn(75.0).turn_sound(sound)
    assert turned[:, [0, 2]] == pytest.approx(sound[:, [0, 2]]) and not np.allclose(turned[:, 1], sound[:, 1])
    assert np.hypot(turned[:, 1], turned[:, 3]) == pytest.approx(np.hypot(sound[:, 1], sound[:, 3]), abs=1e-6)
    grey = np.full((36, 72, 3), 120, np.uint8)
    assert np.array_equal(Turn(75.0).panorama(grey), grey)
