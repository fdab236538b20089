"""Tests of `media/pictures/upright.py`: pictures and frames as people see them."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("av", reason="av is not installed")

from tests.support.known_films import known_film
from triptych.media.pictures.upright import upright_pixels


def test_pictures_without_a_matrix_stay_as_they_are() -> None:
    import io

    import av

    with av.open(io.BytesIO(known_film(1))) as box:
        frame = next(box.decode(video=0))
        assert np.array_equal(upright_pixels(frame), frame.to_ndarray(format="rgb24"))
