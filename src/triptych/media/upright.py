"""Pictures and frames as people see them: turned and mirrored as their file says."""

from __future__ import annotations

from typing import Any

ORIENTATION = 0x0112  # the EXIF tag; 1 is upright


def is_turned(picture: Any) -> bool:
    """Return whether a picture's EXIF data says that it must be turned or mirrored before it is shown."""
    if picture.format == "PNG" and "exif" not in picture.info:  # the search for it would decode the picture
        return False
    return picture.getexif().get(ORIENTATION, 1) in range(2, 9)


def upright(picture: Any) -> Any:
    """Return a PIL image turned as its EXIF data says; the same one if it is upright."""
    from PIL import ImageOps

    return ImageOps.exif_transpose(picture) if is_turned(picture) else picture


def upright_pixels(frame: Any) -> Any:
    """Return the RGB pixels of a decoded frame, shape (height, width, 3), turned as its film's display matrix says."""
    import numpy as np

    pixels = frame.to_ndarray(format="rgb24")
    quarters = round(getattr(frame, "rotation", 0) / 90) % 4  # anticlockwise
    return np.ascontiguousarray(np.rot90(pixels, quarters)) if quarters else pixels


def upright_frame(frame: Any) -> Any:
    """Return a decoded frame turned as its film's display matrix says; the same one if it is upright."""
    if not getattr(frame, "rotation", 0):
        return frame
    from triptych.media.opening import pyav

    turned = pyav("video").VideoFrame.from_ndarray(upright_pixels(frame), format="rgb24")
    turned.pts, turned.time_base = frame.pts, frame.time_base
    return turned
