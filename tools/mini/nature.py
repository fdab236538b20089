"""Scenes of nature: four sounds computed from noise and sines, and the landscapes in which they are heard."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from tools.mini.sounds import RATE, joined, mixed, noise, struck

if TYPE_CHECKING:
    from tools.mini.sounds import Wave

SIZE = (192, 144)
HORIZON = 84
SKIES = ("#bfdff2", "#f3d9a4", "#d7cfe6", "#a9c7d8", "#e8b9a0")


def waves(seed: int) -> Wave:
    """Waves of the sea: noise that swells and ebbs twice."""
    import numpy as np

    sea = noise(3.0, 120, 3500, seed=seed)
    swell = 0.15 + 0.85 * np.sin(np.linspace(0, 2 * np.pi, len(sea))) ** 2
    return (sea * swell).astype(np.float32)


def fire(seed: int) -> Wave:
    """A fire: a low hiss with crackles at random times."""
    import numpy as np

    rng = np.random.default_rng(seed)
    out = 0.15 * noise(2.5, 80, 900, seed=seed)
    for _ in range(40):
        crack = struck(list(rng.uniform(1500, 5000, 3)), 0.05, 120) * np.float32(rng.uniform(0.2, 1))
        at = int(rng.integers(0, len(out) - len(crack)))
        out[at : at + len(crack)] += crack
    return out.astype(np.float32)


def birds(seed: int) -> Wave:
    """A bird: short phrases of chirps that rise and fall."""
    import numpy as np

    rng = np.random.default_rng(seed)
    calls = []
    for _ in range(7):
        t = np.arange(int(rng.uniform(0.09, 0.2) * RATE)) / RATE
        hertz = rng.uniform(2400, 3600) + rng.uniform(-6000, 6000) * t + 400 * np.sin(2 * np.pi * 30 * t)
        chirp = 0.5 * np.sin(2 * np.pi * np.cumsum(hertz) / RATE) * np.hanning(len(t))
        calls += [chirp.astype(np.float32), np.zeros(int(rng.uniform(0.05, 0.2) * RATE), np.float32)]
    return joined(*calls)


def storm(seed: int) -> Wave:
    """Thunder that rolls and dies away, over wind."""
    import numpy as np

    roll = noise(2.2, 25, 220, seed=seed)
    wind = noise(2.2, 200, 700, seed=100 + seed)
    return mixed(roll * np.exp(-np.linspace(0, 3, len(roll))).astype(np.float32), wind, 0.1)


def sea_shore(seed: int) -> Image.Image:
    """The sea with rows of waves, and a beach."""
    picture, pen, draw = _land(seed, "#e2cf94")
    pen.rectangle((0, HORIZON - 24, SIZE[0], HORIZON + 24), fill="#2b6ca3")
    for y in range(HORIZON - 12, HORIZON + 24, 12):
        for x in range(draw.randrange(16), SIZE[0], 32):
            pen.arc((x, y, x + 18, y + 10), 180, 360, fill="white", width=2)
    return picture


def camp_fire(seed: int) -> Image.Image:
    """A fire of logs in the dark."""
    picture = Image.new("RGB", SIZE, "#141b2d")
    pen, x = ImageDraw.Draw(picture), 60 + 9 * (seed % 8)
    pen.rectangle((0, 112, *SIZE), fill="#2f2a22")
    for half, top, colour in ((34, 34, "#d9480f"), (24, 58, "#f59f00"), (12, 82, "#ffe066")):
        pen.polygon(
            [(x - half, 116), (x - half // 3, top + 22), (x, top), (x + half // 2, top + 30), (x + half, 116)],
            fill=colour,
        )
    pen.line((x - 42, 124, x + 42, 112), fill="#6b4423", width=9)
    pen.line((x - 42, 112, x + 42, 124), fill="#7d5330", width=9)
    return picture


def wood_with_birds(seed: int) -> Image.Image:
    """Trees, and birds in the sky."""
    picture, pen, draw = _land(seed, "#6f9e4c")
    for x in range(14 + draw.randrange(10), SIZE[0], 48):
        pen.rectangle((x, HORIZON - 14, x + 7, HORIZON + 18), fill="#6b4423")
        pen.ellipse((x - 15, HORIZON - 48, x + 22, HORIZON - 8), fill="#2f6b2f")
    for _ in range(4):
        x, y = draw.randrange(10, SIZE[0] - 34), draw.randrange(6, 26)
        pen.arc((x, y, x + 14, y + 10), 190, 330, fill="black", width=3)
        pen.arc((x + 12, y, x + 26, y + 10), 210, 350, fill="black", width=3)
    return picture


def thunderstorm(seed: int) -> Image.Image:
    """Lightning from dark clouds over hills."""
    picture = Image.new("RGB", SIZE, "#3d4655")
    pen, draw = ImageDraw.Draw(picture), random.Random(seed)
    pen.ellipse((-40, 96, 120, 220), fill="#26352a")
    pen.ellipse((70, 104, 250, 230), fill="#1e2b22")
    for x in range(-10, SIZE[0], 40):
        pen.ellipse((x, 2 + draw.randrange(8), x + 62, 40 + draw.randrange(8)), fill="#22262e")
    x = 50 + 11 * (seed % 8)
    pen.line([(x, 40), (x - 12, 66), (x + 6, 66), (x - 8, 98)], fill="#fff3a3", width=5)
    return picture


def _land(seed: int, ground: str) -> tuple[Image.Image, ImageDraw.ImageDraw, random.Random]:
    """A sky and a ground, whose colours and sun depend on the seed."""
    draw = random.Random(seed)
    picture = Image.new("RGB", SIZE, draw.choice(SKIES))
    pen = ImageDraw.Draw(picture)
    x = draw.randrange(20, SIZE[0] - 40)
    pen.ellipse((x, 6, x + 22, 28), fill="#fff2b0")
    pen.rectangle((0, HORIZON, *SIZE), fill=ground)
    return picture, pen, draw


SCENES: dict[str, tuple[Callable[[int], Wave], Callable[[int], Image.Image]]] = {
    "waves at the sea": (waves, sea_shore),
    "a crackling fire": (fire, camp_fire),
    "birds singing in a wood": (birds, wood_with_birds),
    "a thunderstorm": (storm, thunderstorm),
}
