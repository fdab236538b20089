"""Tests of `media/pictures/copies.py`: copies of pictures that are cut."""

from __future__ import annotations

import io

from PIL import Image, ImageOps

from tests.construction.stages.test_alike_media import scene
from triptych.media.pictures.copies import grey, parts_of_others


def test_a_part_of_a_picture_is_a_copy_of_it_and_another_picture_is_not() -> None:
    pictures = [scene(seed) for seed in range(12)]
    part = ImageOps.mirror(pictures[3].crop((32, 24, 288, 216))).resize((200, 150))
    held = io.BytesIO()
    part.save(held, "JPEG", quality=45)
    greys = [grey(each) for each in (*pictures, Image.open(held))]
    assert parts_of_others([*greys, None]) == [(3, 12)]
