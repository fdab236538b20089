"""Tests of `media/pictures/changes.py`: changes of images."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from tests.media.test_opening import huge_png
from triptych.errors import MediaError
from triptych.media.pictures.changes import decode_picture

pytest.importorskip("av")


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_the_pictures_size_is_told() -> None:
    with pytest.raises(MediaError, match=r"too large to decode\n.*89,478,485 pixels\n.*10000 x 9000"):
        decode_picture(huge_png(10_000, 9_000), "a.png")


def test_formats_that_are_not_known_are_not_opened() -> None:
    """Pillow reads these; some of them start programs or open files within files."""
    picture = Image.new("RGB", (8, 8), "red")
    for name in ("EPS", "PCX", "TGA", "ICNS", "ICO", "SGI", "DDS", "PDF", "XBM"):
        buffer = io.BytesIO()
        (picture.convert("1") if name == "XBM" else picture).save(buffer, name)
        with pytest.raises(MediaError, match="can't be decoded"):
            decode_picture(buffer.getvalue())
