"""Boxes in pictures, pictures side by side, and pictures fitted to a size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from triptych.errors import MediaError
from triptych.media.scenes.panorama import View, checked

RED = (255, 0, 0)
Box = tuple[float, float, float, float]  # left, top, right, bottom, in pixels


def with_box(picture: Any, box: Box, *, colour: tuple[int, int, int] = RED, thickness: int = 0) -> Any:
    """Return a copy of the picture with the outline of a box; what is outside the picture is left out.

    Args:
        picture: Shape (height, width, 3).
        box: (left, top, right, bottom) in pixels.
        colour: RGB.
        thickness: Pixels of the outline, inside the box; 0 chooses one by the size of the picture.
    """
    import numpy as np

    pixels = checked(picture).copy()
    height, width = pixels.shape[:2]
    if not all(np.isfinite(box)) or box[0] > box[2] or box[1] > box[3]:
        raise MediaError("not a box", expected="left <= right, top <= bottom", got=box)
    thick = thickness or max(2, round(min(height, width) / 120))
    left, top, right, bottom = (int(np.clip(round(v), -(10**6), 10**6)) for v in box)
    for x0, y0, x1, y1 in (
        (left, top, right, top + thick - 1),
        (left, bottom - thick + 1, right, bottom),
        (left, top, left + thick - 1, bottom),
        (right - thick + 1, top, right, bottom),
    ):
        pixels[max(0, y0) : max(0, y1 + 1), max(0, x0) : max(0, x1 + 1)] = colour
    return pixels


def box_of_direction(view: View, azimuth: float, elevation: float, degrees: float) -> Box | None:
    """Return a square box of an angular size around a direction in a view; None if its centre isn't in the view."""
    from math import radians, tan

    pixel = view.pixel_of(azimuth, elevation)
    if pixel is None or not view.shows(azimuth, elevation):
        return None
    half = view.focal * tan(radians(degrees) / 2)
    return pixel[0] - half, pixel[1] - half, pixel[0] + half, pixel[1] + half


def degrees_across(metres: float, distance: float | None, *, otherwise: float = 20.0) -> float:
    """Return the angle that an object of a size takes up at a distance; `otherwise` if the distance is unknown or 0.

    Example:
        >>> round(degrees_across(1.0, 2.0))
        28
    """
    from math import atan, degrees

    return 2 * degrees(atan(metres / 2 / distance)) if distance else otherwise


def fitted(picture: Any, width: int, height: int) -> Any:
    """Return the whole picture in another size, its proportions kept, with black bars where it doesn't fill it."""
    import numpy as np
    from PIL import Image

    pixels = checked(picture)
    if pixels.shape[:2] == (height, width):
        return pixels
    scale = min(width / pixels.shape[1], height / pixels.shape[0])
    size = (max(1, round(pixels.shape[1] * scale)), max(1, round(pixels.shape[0] * scale)))
    small = np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.BILINEAR))
    made = np.zeros((height, width, 3), np.uint8)
    x, y = (width - size[0]) // 2, (height - size[1]) // 2
    made[y : y + size[1], x : x + size[0]] = small
    return made


def side_by_side(pictures: Sequence[Any], height: int = 360, *, gap: int = 0) -> Any:
    """Return pictures in a row, from left to right, scaled to the same height, with `gap` black pixels between them.

    Raises MediaError if there are none.
    """
    import numpy as np

    if not pictures:
        raise MediaError("no pictures to put side by side")
    scaled = [checked(p) for p in pictures]
    scaled = [fitted(p, max(1, round(p.shape[1] * height / p.shape[0])), height) for p in scaled]
    bar = np.zeros((height, gap, 3), np.uint8)
    return np.concatenate([part for p in scaled for part in (bar, p)][1:], axis=1)
