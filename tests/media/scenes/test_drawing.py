"""Tests of `media/scenes/drawing.py`: boxes in pictures, pictures side by side, and pictures fitted to a size."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triptych.media.scenes.drawing import (
    degrees_across,
    fitted,
    side_by_side,
    with_box,
)


@settings(max_examples=30, deadline=None)
@given(st.tuples(*[st.floats(-300, 400)] * 2), st.tuples(*[st.floats(0, 300)] * 2))
def test_boxes_beyond_the_edges_are_clipped(corner: tuple[float, float], size: tuple[float, float]) -> None:
    picture = np.zeros((50, 80, 3), np.uint8)
    made = with_box(picture, (*corner, corner[0] + size[0], corner[1] + size[1]))
    assert made.shape == picture.shape and not picture.any()


def test_the_angle_of_an_object() -> None:
    assert degrees_across(2.0, 1.0) == pytest.approx(90) and degrees_across(1.0, None) == 20.0
    assert degrees_across(1.0, 0.0, otherwise=7.0) == 7.0


def test_pictures_side_by_side_keep_their_order_and_proportions() -> None:
    wide, tall = np.full((20, 40, 3), 50, np.uint8), np.full((40, 20, 3), 200, np.uint8)
    made = side_by_side([wide, tall], 40, gap=4)
    assert made.shape == (40, 80 + 4 + 20, 3)
    assert made[5, 5, 0] == 50 and made[5, -5, 0] == 200 and made[5, 82, 0] == 0


def test_a_fitted_picture_has_bars() -> None:
    made = fitted(np.full((20, 20, 3), 255, np.uint8), 40, 20)
    assert made.shape == (20, 40, 3) and made[:, :10].max() == 0 and made[:, 10:30].min() == 255
