"""Equirectangular panoramas: rotation, perspective views, and where a direction is in them.

Azimuth 0 is in the middle of a panorama, 90 at a quarter of its width, ±180 at its edges; elevation 90 is at the top.
Pixel coordinates are those of pixel centres: the first pixel is at (0, 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from triptych.errors import MediaError
from triptych.media.spatial.angles import directions, unit_vectors

MAX_SIDE = 8192  # of a view, in pixels


def pixel_of(azimuth: Any, elevation: Any, width: int, height: int) -> tuple[Any, Any]:
    """Return (x, y) of a direction in a panorama; x is from -0.5 (inclusive) to width - 0.5.

    Example:
        >>> pixel_of(90.0, 0.0, 360, 180)
        (89.5, 89.5)
    """
    x = ((0.5 - azimuth / 360.0) * width) % width - 0.5
    return x, (0.5 - elevation / 180.0) * height - 0.5


def rotated(panorama: Any, yaw: float) -> Any:
    """Return a panorama turned as `ambisonics.rotate` turns a sound field: all moves to the left by `yaw` degrees.

    A shift by whole pixels is exact; otherwise neighbouring pixels are interpolated.
    """
    import numpy as np

    pixels = checked(panorama)
    shift = yaw / 360.0 * pixels.shape[1]
    whole_pixels = int(np.floor(shift + 1e-9))
    part = shift - whole_pixels
    moved = np.roll(pixels, -whole_pixels, axis=1)
    if part < 1e-6:
        return moved
    mixed = (1 - part) * moved + part * np.roll(moved, -1, axis=1)
    return np.rint(mixed).astype(np.uint8)


@dataclass(frozen=True)
class View:
    """A perspective view into a panorama.

    azimuth    direction of the camera in degrees, positive to the left
    elevation  of the camera, in degrees
    field      horizontal field of view in degrees, above 0 and below 180
    width, height  of the view in pixels
    """

    azimuth: float = 0.0
    elevation: float = 0.0
    field: float = 90.0
    width: int = 640
    height: int = 360

    def __post_init__(self) -> None:
        if not 0 < self.field < 180 or not -90 <= self.elevation <= 90:
            raise MediaError(
                "a view can't have this field or elevation",
                got=(self.field, self.elevation),
                expected="0 < field < 180, -90 <= elevation <= 90",
            )
        if not (2 <= self.width <= MAX_SIDE and 2 <= self.height <= MAX_SIDE):
            raise MediaError("a view can't have this size", got=(self.width, self.height), expected=f"2 to {MAX_SIDE}")

    @property
    def focal(self) -> float:
        """Distance of the plane of the picture, in pixels."""
        from math import radians, tan

        return self.width / 2 / tan(radians(self.field) / 2)

    @property
    def axes(self) -> Any:
        """Unit vectors to the front, left and top of the camera, shape (3, 3)."""
        import numpy as np

        front, left = unit_vectors(self.azimuth, self.elevation), unit_vectors(self.azimuth + 90, 0.0)
        return np.stack([front, left, np.cross(front, left)])

    def pixel_of(self, azimuth: float, elevation: float = 0.0) -> tuple[float, float] | None:
        """Return (x, y) of a direction in the view, also outside its edges; None if it is behind the camera."""
        front, left, up = self.axes @ unit_vectors(azimuth, elevation)
        if front <= 1e-9:
            return None
        scale = self.focal / front
        return float((self.width - 1) / 2 - left * scale), float((self.height - 1) / 2 - up * scale)

    def shows(self, azimuth: float, elevation: float = 0.0) -> bool:
        """Return whether a direction is inside the view."""
        pixel = self.pixel_of(azimuth, elevation)
        return pixel is not None and 0 <= pixel[0] <= self.width - 1 and 0 <= pixel[1] <= self.height - 1

    def directions(self) -> tuple[Any, Any]:
        """Return (azimuth, elevation) in degrees of every pixel, each of shape (height, width)."""
        import numpy as np

        across = (self.width - 1) / 2 - np.arange(self.width)
        above = (self.height - 1) / 2 - np.arange(self.height)
        front, left, up = self.axes
        return directions(self.focal * front + across[None, :, None] * left + above[:, None, None] * up)

    def crop(self, panorama: Any) -> Any:
        """Return the view into a panorama, shape (height, width, 3), by bilinear interpolation."""
        pixels = checked(panorama)
        return _sampled(pixels, *_map(self, pixels.shape[1], pixels.shape[0]))


@lru_cache(maxsize=8)
def _map(view: View, width: int, height: int) -> tuple[Any, Any, Any, Any]:
    """Upper left pixel and the rest, for each pixel of a view: films use the same one for every frame."""
    import numpy as np

    x, y = pixel_of(*view.directions(), width, height)
    y = np.clip(y, 0, height - 1)
    left, top = np.floor(x).astype(np.int32), np.minimum(np.floor(y), height - 2).astype(np.int32)
    return left, top, (x - left).astype(np.float32)[..., None], (y - top).astype(np.float32)[..., None]


def _sampled(pixels: Any, left: Any, top: Any, right_part: Any, low_part: Any) -> Any:
    import numpy as np

    width = pixels.shape[1]
    a, b = left % width, (left + 1) % width
    upper = pixels[top, a] * (1 - right_part) + pixels[top, b] * right_part
    lower = pixels[top + 1, a] * (1 - right_part) + pixels[top + 1, b] * right_part
    return np.rint(upper * (1 - low_part) + lower * low_part).astype(np.uint8)


def checked(picture: Any) -> Any:
    """Return the pixels. Raises MediaError if they are not 8-bit RGB of at least 2 x 2 pixels."""
    import numpy as np

    pixels = np.asarray(picture)
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8 or min(pixels.shape[:2]) < 2:
        raise MediaError("not a picture in RGB", expected="8-bit pixels of shape (height, width, 3)", got=pixels.shape)
    return pixels
