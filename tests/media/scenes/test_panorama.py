"""Views and rotations of panoramas, against the analytic positions of markers that are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triptych.errors import MediaError
from triptych.media.scenes.drawing import (
    box_of_direction,
    side_by_side,
    with_box,
)
from triptych.media.scenes.panorama import View, pixel_of, rotated
from triptych.media.spatial.angles import unit_vectors

WIDTH, HEIGHT = 720, 360


def marked(azimuth: float, elevation: float = 0.0, radius: float = 3.0) -> Any:
    """A black panorama with a white disc of `radius` degrees around a direction."""
    columns, rows = np.arange(WIDTH), np.arange(HEIGHT)
    azimuths = (0.5 - (columns + 0.5) / WIDTH) * 360
    elevations = (0.5 - (rows + 0.5) / HEIGHT) * 180
    near = unit_vectors(azimuths[None, :], elevations[:, None]) @ unit_vectors(azimuth, elevation)
    disc = (near > np.cos(np.radians(radius))).astype(np.uint8) * 255
    return np.repeat(disc[..., None], 3, axis=2)


def centre(picture: Any) -> tuple[float, float]:
    """The centre of what is bright."""
    weight = picture[..., 0].astype(float)
    assert weight.sum() > 0
    y, x = np.indices(weight.shape)
    return float((x * weight).sum() / weight.sum()), float((y * weight).sum() / weight.sum())


@settings(max_examples=25, deadline=None)
@given(st.floats(-180, 180), st.floats(-35, 35), st.floats(-30, 30), st.floats(-15, 15))
def test_a_marker_is_where_the_view_says(azimuth: float, elevation: float, aside: float, above: float) -> None:
    view = View(azimuth, elevation, 90, 160, 120)
    direction = (azimuth + aside, float(np.clip(elevation + above, -60, 60)))
    if (
        view.shows(*direction)
        and min(view.pixel_of(*direction)) > 12
        and view.pixel_of(*direction)[0] < 148
        and view.pixel_of(*direction)[1] < 108
    ):
        found = centre(view.crop(marked(*direction)))
        assert found == pytest.approx(view.pixel_of(*direction), abs=0.8)


@pytest.mark.parametrize(("aside", "x"), [(0, 79.5), (45, -0.5), (-45, 159.5), (30, 79.5 - 80 * np.tan(np.pi / 6))])
def test_positions_follow_the_tangent_of_the_angle(aside: float, x: float) -> None:
    assert View(20, 0, 90, 160, 120).pixel_of(20 + aside, 0) == pytest.approx((x, 59.5))


def test_left_is_left_and_up_is_up() -> None:
    view = View(0, 0, 90, 160, 120)
    left, up = view.pixel_of(20, 0), view.pixel_of(0, 20)
    assert left is not None and up is not None and left[0] < 79 and up[1] < 59
    assert view.pixel_of(180, 0) is None and not view.shows(50, 0) and view.shows(40, 0)


def test_a_direction_in_the_panorama() -> None:
    assert centre(marked(90, 30)) == pytest.approx(pixel_of(90, 30, WIDTH, HEIGHT), abs=0.5)
    x, y = pixel_of(0.0, 0.0, WIDTH, HEIGHT)
    assert (x, y) == (WIDTH / 2 - 0.5, HEIGHT / 2 - 0.5)


def test_a_view_across_the_seam_has_no_seam() -> None:
    gradient = np.repeat((np.cos(2 * np.pi * np.arange(WIDTH) / WIDTH) * 100 + 120)[None, :, None], HEIGHT, 0)
    panorama = np.repeat(gradient, 3, axis=2).astype(np.uint8)
    row = View(180, 0, 90, 160, 120).crop(panorama)[60, :, 0].astype(int)
    assert np.abs(np.diff(row)).max() <= 3


@pytest.mark.parametrize("yaw", [90, 180, -90])
def test_quarter_turns_move_markers_to_the_left_exactly(yaw: int) -> None:
    turned = rotated(marked(-30, 10), yaw)
    assert np.array_equal(turned, np.roll(marked(-30, 10), -yaw * WIDTH // 360, axis=1))
    assert View(yaw - 30, 10, 60, 160, 120).crop(turned)[60, 80, 0] > 200
    assert np.array_equal(rotated(turned, -yaw), marked(-30, 10))


@settings(max_examples=20, deadline=None)
@given(st.floats(-180, 180))
def test_any_turn_moves_a_marker_by_its_angle(yaw: float) -> None:
    turned = rotated(marked(0), yaw)
    assert View(yaw, 0, 40, 81, 81).crop(turned)[40, 40, 0] > 200


def test_a_box_is_red_and_around_the_direction() -> None:
    view = View(0, 0, 90, 160, 120)
    box = box_of_direction(view, 20, 5, 20)
    assert box is not None
    picture = with_box(view.crop(marked(20, 5)), box)
    red = (picture == (255, 0, 0)).all(axis=-1)
    rows, columns = np.nonzero(red)
    x, y = view.pixel_of(20, 5) or (0, 0)
    assert (columns.min() + columns.max()) / 2 == pytest.approx(x, abs=1)
    assert (rows.min() + rows.max()) / 2 == pytest.approx(y, abs=1)
    assert picture[round(y), round(x)].tolist() == [255, 255, 255]  # what is inside stays
    assert box_of_direction(view, 120, 0, 20) is None


@pytest.mark.parametrize(
    "make",
    [
        lambda: View(0, 0, 180),
        lambda: View(0, 100),
        lambda: View(width=1),
        lambda: View(width=10**6),
        lambda: View().crop(np.zeros((4, 4))),
        lambda: View().crop(np.zeros((4, 4, 3))),
        lambda: side_by_side([]),
        lambda: with_box(np.zeros((9, 9, 3), np.uint8), (5, 0, 1, 4)),
        lambda: with_box(np.zeros((9, 9, 3), np.uint8), (0, 0, float("nan"), 4)),
    ],
)
def test_wrong_arguments_are_refused(make: Any) -> None:
    with pytest.raises(MediaError):
        make()
