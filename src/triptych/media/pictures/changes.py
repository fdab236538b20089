"""Changes of images: replacement by grey or noise, downscaling, JPEG at a low quality."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from triptych.media.opening import opened_picture
from triptych.media.pictures.upright import in_eight_bits

if TYPE_CHECKING:
    from numpy.random import Generator
    from PIL.Image import Image

GREY = (128, 128, 128)
QUALITY = 95  # of a changed JPEG image


def decode_picture(data: bytes, where: object = None) -> tuple[Image, str]:
    """Return (the image in RGB, upright; `JPEG` or `PNG`: the container for the changed image).

    Transparent images get a white background. Raises MediaError if the image can't be decoded or is too large.
    """
    from PIL import Image, ImageOps

    with opened_picture(data, where) as image:
        upright = ImageOps.exif_transpose(in_eight_bits(image))
        if "A" in upright.getbands() or "transparency" in upright.info:
            upright = Image.alpha_composite(Image.new("RGBA", upright.size, "white"), upright.convert("RGBA"))
        return upright.convert("RGB"), "JPEG" if image.format in ("JPEG", "MPO") else "PNG"


def thumbnail(data: bytes, side: int, quality: int, where: object = None) -> tuple[bytes, bool]:
    """Return (the image as JPEG, at most `side` pixels wide and high; whether it was larger). Raises MediaError."""
    image, _ = decode_picture(data, where)
    larger = max(image.size) > side
    image.thumbnail((side, side))
    return encode_picture(image, "JPEG", quality), larger


def encode_picture(image: Image, container: str, quality: int = QUALITY) -> bytes:
    """Return the image as PNG or JPEG."""
    buffer = io.BytesIO()
    image.save(buffer, container, **({"quality": quality, "subsampling": 0} if container == "JPEG" else {}))
    return buffer.getvalue()


def is_plain_jpeg(data: bytes) -> bool:
    """Return whether these are the bytes of a JPEG in three colours without metadata, comments or appended data.

    In doubtful cases, the result is False.
    """
    at, components = 2, 0
    while data[:3] == b"\xff\xd8\xff" and len(data) > at + 10 and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if (
            (0xE1 <= marker <= 0xEF and marker != 0xEE) or marker == 0xFE or length < 2
        ):  # APPn except those of JFIF and Adobe
            return False
        if marker == 0xDA:
            return components == 3 and data.find(b"\xff\xd9", at) == len(data) - 2
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            components = data[at + 9]
        at += 2 + length
    return False


def grey(image: Image) -> Image:
    """Return a medium grey image of the same size."""
    from PIL import Image

    return Image.new("RGB", image.size, GREY)


def noise(image: Image, rng: Generator) -> Image:
    """Return Gaussian noise of the same size, with the mean and deviation of each colour channel, clipped to the range
    of values.
    """
    import numpy as np
    from PIL import Image

    return Image.fromarray(noise_like(np.asarray(image), rng))


def noise_like(pixels: Any, rng: Generator) -> Any:
    """Return noise of the shape (height, width, 3) of an array of pixels."""
    import numpy as np

    mean, deviation = pixels.mean(axis=(0, 1)), pixels.std(axis=(0, 1))
    made = rng.standard_normal(pixels.shape, dtype=np.float32) * deviation + mean
    return np.clip(np.rint(made), 0, 255).astype(np.uint8)


def downscale(image: Image, factor: float) -> Image:
    """Return the image reduced by `factor` in width and height, to at least one pixel."""
    from PIL import Image

    width, height = (max(1, round(side * factor)) for side in image.size)
    return image.resize((width, height), Image.Resampling.LANCZOS)
