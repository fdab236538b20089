"""A drawn room all around: an equirectangular panorama in which something sounds, and its sound field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from tools.mini import pictures, sounds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tools.mini.sounds import Wave

SIZE = (480, 240)
WALLS = ("#c9d6c3", "#d8c8b0", "#bccbdc", "#d9bfc4")
ICON = 48


def panorama(name: str, azimuth: float, colours: int = 0) -> Image.Image:
    """Return a room with four walls, a window and a door, and the icon `name` at an azimuth (positive: left)."""
    picture = Image.new("RGB", SIZE, "#f4f1ea")
    pen, (width, height) = ImageDraw.Draw(picture), SIZE
    for number in range(4):
        left = width * number // 4
        pen.rectangle((left, 60, left + width // 4 - 1, 175), fill=WALLS[(number + colours) % 4])
        pen.line((left, 60, left, 175), fill="#777777", width=2)
    pen.rectangle((0, 176, width, height), fill="#8a6f52")
    pen.rectangle((30, 85, 90, 130), fill="#cfe9ff", outline="#555555", width=3)  # a window at the back left
    pen.rectangle((330, 90, 370, 175), fill="#6b4a2b", outline="#3a2815", width=3)  # a door on the right
    icon = pictures.icon(name, ICON)
    x = round((0.5 - azimuth / 360) * width) % width
    for at in (x - width, x, x + width):
        picture.paste(icon, (at - ICON // 2, height // 2 - ICON // 2))
    return picture


def field(wave: Wave, azimuth: float, seed: int = 1) -> NDArray[np.float32]:
    """Return a sound from an azimuth in first-order ambisonics, over a faint noise of the room from all sides."""
    import numpy as np

    from triptych.media.spatial.ambisonics import encode

    room = 0.004 * np.random.default_rng(seed).standard_normal((len(wave), 4))
    return np.asarray(encode(wave, azimuth) + room, np.float32)


def repeated(wave: Wave, seconds: float = 2.0) -> Wave:
    """Return a sound with a pause after it, again and again until `seconds` are full."""
    import numpy as np

    return np.resize(sounds.joined(wave, sounds.silence(0.3)), int(seconds * sounds.RATE)).astype(np.float32)
