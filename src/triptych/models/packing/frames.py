"""The size and the encoding of frames."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from triptych.models.packing.packing import Packing

QUALITY = 95  # of JPEG


def resized(packing: Packing) -> Callable[[Any, int], Any] | None:
    """Return what resizes a frame, an RGB array of shape (height, width, 3), one of a number of frames; None if frames
    keep their size."""
    if not packing.size and not packing.pixels and not packing.total:
        return None
    return lambda pixels, count: _resized(pixels, packing, count)


def most_pixels(packing: Packing, count: int) -> int:
    """Return the most pixels of each of `count` frames; 0 for no limit.

    Example:
        >>> most_pixels(Packing(pixels=600, total=1000), 1), most_pixels(Packing(pixels=600, total=1000), 4)
        (600, 250)
    """
    limits = [limit for limit in (packing.pixels, packing.total // max(1, count)) if limit]
    return min(limits, default=0)


def size_of(width: int, height: int, packing: Packing, count: int = 1) -> tuple[int, int]:
    """Return (width, height) of each of `count` frames under a packing; never larger than it is, except for an exact
    size.

    Example:
        >>> size_of(1920, 1080, Packing(video="frames", size="512")), size_of(100, 50, Packing(size="8x9"))
        ((512, 288), (8, 9))
        >>> size_of(1920, 1080, Packing(total=230_400), count=4)
        (320, 180)
    """
    edges = packing.edges
    if len(edges) == 2:
        return edges[0], edges[1]
    scale = min(1.0, edges[0] / max(width, height)) if edges else 1.0
    if max_pixels_ := most_pixels(packing, count):
        scale = min(scale, (max_pixels_ / (width * height)) ** 0.5)
        return max(1, int(width * scale)), max(1, int(height * scale))
    return max(1, round(width * scale)), max(1, round(height * scale))


def fitting_picture(picture: Any, packing: Packing) -> Any:
    """Return a picture with at most the packing's `image_pixels`; the same object if it has no more."""
    from PIL import Image

    if not packing.image_pixels or picture.width * picture.height <= packing.image_pixels:
        return picture
    size = size_of(picture.width, picture.height, Packing(pixels=packing.image_pixels))
    plain = picture if picture.mode in ("RGB", "RGBA", "L") else picture.convert("RGB")
    return plain.resize(size, Image.Resampling.BICUBIC)


def _resized(pixels: Any, packing: Packing, count: int) -> Any:
    import numpy as np
    from PIL import Image

    height, width = pixels.shape[:2]
    size = size_of(width, height, packing, count)
    if size == (width, height):
        return pixels
    return np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.BICUBIC))


def encoded_frame(pixels: Any, form: str) -> bytes:
    """Return a frame as JPEG or PNG."""
    from PIL import Image

    buffer = io.BytesIO()
    options = {"quality": QUALITY, "subsampling": 0} if form == "jpeg" else {"compress_level": 1}
    Image.fromarray(pixels).save(buffer, form.upper(), **options)
    return buffer.getvalue()
