"""Tests of `models/local/pictures.py`: an image by its main colours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from triptych.models.local.pictures import colours


def plain(*stripes: tuple[tuple[int, int, int], int]) -> Any:
    """An image of 48 columns: colours with their widths."""
    return np.concatenate([np.full((48, width, 3), colour, np.uint8) for colour, width in stripes], axis=1)


@pytest.mark.parametrize(
    ("colour", "name"),
    [
        ((220, 20, 20), "red"),
        ((220, 0, 60), "red"),
        ((255, 140, 0), "orange"),
        ((120, 65, 10), "brown"),
        ((250, 230, 0), "yellow"),
        ((20, 160, 40), "green"),
        ((0, 200, 220), "cyan"),
        ((20, 60, 220), "blue"),
        ((130, 40, 220), "purple"),
        ((240, 80, 180), "pink"),
        ((255, 255, 255), "white"),
        ((128, 128, 128), "grey"),
        ((0, 0, 0), "black"),
        ((10, 0, 40), "black"),
    ],
)
def test_a_plain_picture_has_the_name_that_people_give_it(colour: tuple[int, int, int], name: str) -> None:
    assert colours(plain((colour, 48))) == [(name, 1.0)]


def test_shares_are_of_the_area_and_the_largest_is_first() -> None:
    found = colours(plain(((220, 20, 20), 12), ((20, 60, 220), 36)))
    assert [name for name, _ in found] == ["blue", "red"]
    assert [share for _, share in found] == pytest.approx([0.75, 0.25], abs=0.03)


def test_what_covers_little_is_not_reported() -> None:
    assert [name for name, _ in colours(plain(((255, 255, 255), 47), ((220, 20, 20), 1)))] == ["white"]


@pytest.mark.parametrize("shape", [(1, 1), (3, 2000), (900, 20)])
def test_any_shape_will_do(shape: tuple[int, int]) -> None:
    assert colours(np.full((*shape, 3), (20, 160, 40), np.uint8)) == [("green", 1.0)]
