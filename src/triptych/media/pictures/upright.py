"""Pictures and frames as people see them: turned and mirrored as their file says."""

from __future__ import annotations

from typing import Any

ORIENTATION = 0x0112  # the EXIF tag; 1 is upright


def is_turned(picture: Any) -> bool:
    """Return whether a picture's EXIF data says that it must be turned or mirrored before it is shown."""
    if picture.format == "PNG" and "exif" not in picture.info:  # the search for it would decode the picture
        return False
    return picture.getexif().get(ORIENTATION, 1) in range(2, 9)


def is_deep(picture: Any) -> bool:
    """Return whether a picture has more than 8 bits a pixel in one grey channel, or floating-point numbers."""
    return picture.mode == "F" or str(picture.mode).startswith("I")


def in_eight_bits(image: Any) -> Any:
    """Return a grey image of 16 or 32 bits a pixel, or of floating-point numbers, with 8 bits; others as they are.

    Pillow would clip values above 255: a scan would become white. Values of 16 bits are divided by 257; if none is
    above 4095, as of 12-bit scanners, the range that is used is taken; floating-point numbers up to 1 are fractions.
    """
    if not is_deep(image):
        return image
    import numpy as np
    from PIL import Image

    pixels = np.nan_to_num(np.asarray(image, dtype=np.float64))
    low, high = float(pixels.min(initial=0.0)), float(pixels.max(initial=0.0))
    if image.mode == "F":
        top = 1.0 if high <= 1 else 255.0 if high <= 255 else high
    else:
        top = 255.0 if high <= 255 and image.mode == "I" else 4095.0 if high <= 4095 else max(65535.0, high)
    made = Image.fromarray(np.clip(np.rint((pixels - min(low, 0.0)) * (255 / top)), 0, 255).astype(np.uint8))
    made.info.update(image.info)
    made.getexif().update(image.getexif())
    return made


def upright(picture: Any) -> Any:
    """Return a PIL image turned as its EXIF data says, with 8 bits a colour; the same one if it is so."""
    from PIL import ImageOps

    picture = in_eight_bits(picture)
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
